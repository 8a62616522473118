// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes with their ruler: what is on show, what is chosen, and how that changes. gestures.h says by what.
#pragma once

#include "ui/timeline/geometry/hit_test.h"
#include "ui/timeline/geometry/planned_steps.h"
#include "ui/timeline/geometry/slice_search.h"
#include "ui/timeline/painting/overlay.h"
#include "ui/timeline/painting/slice_tip.h"
#include "ui/timeline/plot/gestures.h"
#include "ui/timeline/plot/navigation.h"
#include "ui/timeline/plot/newest_question.h"

#include <qcustomplot.h>

#include <functional>
#include <memory>
#include <vector>

namespace roundpipe::ui::timeline {

class TimelinePlot : public QCustomPlot {
    Q_OBJECT
public:
    using LayerNames = std::function<QString(LayerId)>;

    explicit TimelinePlot(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    // The store must live as long as the plot, or until another is set; null: nothing to show.
    void setStore(const trace::LaneStore* store);
    void setLayerNames(LayerNames names) { m_layerNames = std::move(names); }
    QString layerName(LayerId layer) const; // empty where it has none
    void dataArrived();                     // the store has grown: follow it if following
    // Slices that have begun and not ended by `nowNs`: painted up to there. The store has them when they have ended.
    void setOpen(std::vector<trace::Record> open, int64_t nowNs);
    void lanesChanged(); // the store has other lanes now: start over
    void setScroll(int pixels);
    void setLaneChoice(LaneChoice choice);
    void setGestures(Gestures gestures) { m_gestures.choose(gestures); }
    Gestures gestures() const { return m_gestures.chosen(); }
    Navigation& navigation() { return m_navigation; } // what is on show
    const Navigation& navigation() const { return m_navigation; }
    void setLive(bool live);                // whether the store still grows: then its newest edge is soft
    void setEmptyText(const QString& text); // what stands in place of lanes where there are none to come
    void select(int64_t beginNs, int64_t endNs);
    void hover(const QPoint& position); // where the mouse is
    void hideTip();
    void showCursor(std::optional<int64_t> timeNs); // as if it were there, over no slice
    // Each step as it was planned, as thin bars below the lanes; null: that is not known. Forgotten with the store.
    void setPlanned(std::shared_ptr<const PlannedSteps> planned);
    bool hasPlanned() const { return m_planned != nullptr; }
    void setPlanShown(bool shown);
    bool isPlanShown() const { return m_planShown; }

    const Scene& scene() const { return m_scene; }
    const LaneChoice& laneChoice() const { return m_choice; }
    std::optional<TimeRange> selection() const { return m_pointer.selection; }
    const std::optional<Pinned>& pinned() const { return m_pointer.pinned; }
    const trace::Record* hovered() const;                                      // null: no slice is under the mouse
    std::optional<int64_t> cursorNs() const;                                   // the time under the mouse
    std::vector<QPainterPath> litArrows() const { return m_overlay.arrows(); } // of the pinned microbatch
    const std::vector<int64_t>& bookmarks() const { return m_pointer.bookmarks; }
    static int rulerHeight() { return 42; }
    static constexpr int kHandlePixels = 4; // how far from an edge of the selection it can still be taken

public slots:
    void zoomToChosen();   // the pinned slice, else the selection
    void centreOnChosen(); // the same where it is in the middle already
    void clearSelection();
    void pin(const trace::Record& slice); // shows it, and lights its microbatch
    void unpin();
    // Looks for it in a thread of its own: searching(), then searched().
    void pinNext(const SliceFilter& filter, bool forwards, LaneId onlyLane = {});
    void pinAlongFlow(bool forwards);
    void toggleBookmark();

signals:
    void viewChanged();
    void selectionChanged();
    void pinnedChanged();
    void searching();
    // `isAnywhere`: there is a match, though none that way.
    void searched(bool found, bool forwards, bool isAnywhere);
    void bookmarksChanged();
    void cursorMoved();
    void planChanged(); // whether there is one, or whether it is shown
    void layoutChanged();
    void scrollRequested(int pixels); // Alt+wheel over the lanes
    void searchRequested();           // by its key
    void deviceRequested(int step);   // by ↑ and ↓: the one above or below, to be folded or kept on top
    void helpRequested();

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    std::optional<TimeRange> chosenRange() const;
    void applyTheme();
    void showPlanned();
    void applyView(); // after the viewport has changed
    void hoverAgain();
    void relayout();
    void showPinned(Pinned pinned);
    void showTip(const QPoint& position, LaneId lane, const Hit& hit);

    const theme::ThemeManager& m_themes;
    trace::LaneStore m_empty;
    Scene m_scene;
    Navigation m_navigation{m_scene, *this};
    LaneChoice m_choice;
    Pointer m_pointer;
    Overlay m_overlay;
    SliceTip m_tip;
    LayerNames m_layerNames;
    GestureReader m_gestures{*this};
    std::shared_ptr<const PlannedSteps> m_planned;
    bool m_planShown = true;
    QString m_emptyText;
    QTimer m_fetching; // active while slices come from a disk
    std::optional<QPoint> m_mouse;
    NewestQuestion m_search{*this};
};

} // namespace roundpipe::ui::timeline
