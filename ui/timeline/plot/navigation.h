// SPDX-License-Identifier: GPL-3.0-or-later
// What of the run is on show, and how that changes: followed, zoomed, panned, and back to where one was before.
#pragma once

#include "ui/timeline/geometry/follow.h"
#include "ui/timeline/geometry/glide.h"
#include "ui/timeline/geometry/time_range.h"
#include "ui/timeline/painting/lane_painter.h"

#include <QElapsedTimer>
#include <QTimer>

#include <vector>

namespace roundpipe::ui::timeline {

class Navigation : public QObject {
    Q_OBJECT
public:
    // Moves the scene's view. `surface`: what it is painted on.
    Navigation(Scene& scene, const QWidget& surface);

    Follow follow() const { return m_follow; }
    bool isFollowing() const { return m_follow != Follow::kPaused; }
    int64_t behindNs() const; // how much newer the newest data is than what is on show
    void setStill();          // stores never grow: nothing is live or followed, and a new one is shown whole
    bool isStill() const { return m_still; }

    void startOver();   // the scene has another store
    bool dataArrived(); // whether anything on show is new
    void endGlide();    // what is on its way is there
    void runEnded();    // the scene is live no more: what was followed comes to rest at the end of the last whole step

    void setFollow(Follow follow);
    void setFollowing(bool following); // resumes what it did before it was paused, or pauses
    void panBy(double pixels);
    void zoomAbout(double x, double factor);        // about the newest data while it is followed; not remembered
    void showRange(int64_t beginNs, int64_t endNs); // without a trace in the history
    void showAround(int64_t timeNs);
    // What follows can be gone back from.
    void remember();
    void fit();
    void zoomBy(double factor); // about the middle
    void zoomTo(int64_t beginNs, int64_t endNs);
    void zoomAt(int64_t timeNs, double factor); // which stays in place; what is out of sight comes into the middle
    void centreOn(int64_t timeNs);              // at the same scale
    bool isCentredOn(int64_t timeNs) const;     // or on its way there
    void zoomBack();

signals:
    void moved();   // something else is on show
    void arrived(); // and stays, after a glide
    void followChanged(Follow follow);
    void followingChanged(bool following);
    void resumed(); // it follows again: what came meanwhile is to be shown

private:
    bool isAnimated() const;
    Viewport goal() const;                    // what is on show, or what a zoom is on its way to
    Viewport centredOn(int64_t timeNs) const; // the goal moved there
    void glideTo(const Viewport& goal);
    void glide();
    void updateBounds();
    void followData();
    void showNewest(Viewport& view, Follow follow) const;

    Scene& m_scene;
    const QWidget& m_surface;
    bool m_still = false;
    Follow m_follow = Follow::kNewestSteps;
    Follow m_resumed = Follow::kNewestSteps; // what following does after a pause
    int64_t m_seenEndNs = 0;                 // the newest data when some came last
    std::vector<TimeRange> m_history;        // of views that a jump left
    Glide m_glide;                           // while its timer runs
    QElapsedTimer m_sinceGlide;
    QTimer m_frames; // active while a zoom is on its way
};

} // namespace roundpipe::ui::timeline
