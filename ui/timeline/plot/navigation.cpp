// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/plot/navigation.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::timeline {
namespace {

constexpr int64_t kFirstSpanNs = 2'000'000'000;
constexpr int kGlideMs = 220;
constexpr int kFrameMs = 16;
constexpr std::size_t kHistory = 50;

} // namespace

Navigation::Navigation(Scene& scene, const QWidget& surface) : m_scene(scene), m_surface(surface) {
    m_frames.setInterval(kFrameMs);
    connect(&m_frames, &QTimer::timeout, this, &Navigation::glide);
}

void Navigation::setStill() {
    m_still = true;
    m_scene.live = false;
    setFollow(Follow::kPaused);
}

int64_t Navigation::behindNs() const {
    return m_scene.store->empty() ? 0 : std::max<int64_t>(0, m_scene.store->endNs() - m_scene.view.endNs());
}

void Navigation::startOver() {
    m_history.clear();
    m_frames.stop();
    const int64_t originNs = m_scene.store->originNs();
    m_scene.view.setBounds(originNs, originNs + kFirstSpanNs);
    m_scene.view.show(originNs, originNs + kFirstSpanNs);
    if (!m_still) return setFollow(Follow::kNewestSteps);
    updateBounds();
    m_scene.view.fit();
}

// Until there is a whole step, two seconds are there to be filled.
void Navigation::updateBounds() {
    const trace::LaneStore& store = *m_scene.store;
    if (store.empty()) return;
    const bool begins = m_follow == Follow::kNewestSteps && newestStepsNs(store) == 0;
    const int64_t leastNs = begins ? kFirstSpanNs : Viewport::kMinSpanNs;
    m_scene.view.setBounds(store.beginNs(), std::max(m_scene.newestNs(), store.beginNs() + leastNs));
}

bool Navigation::dataArrived() {
    updateBounds();
    if (m_scene.store->empty()) return false;
    const bool isOnShow = isFollowing() || m_seenEndNs <= m_scene.view.endNs();
    m_seenEndNs = m_scene.newestNs();
    if (isFollowing()) followData();
    return isOnShow;
}

void Navigation::followData() {
    showNewest(m_scene.view, m_follow);
}

// Once the run is over its steps are: what came after the last one, answers and saving, is empty lanes.
void Navigation::showNewest(Viewport& view, Follow follow) const {
    const trace::LaneStore& store = *m_scene.store;
    const int64_t wantedNs = follow == Follow::kNewestSteps ? newestStepsNs(store) : 0;
    if (wantedNs > 0)
        view.show(view.endNs() - (m_scene.live ? easedSpanNs(view.spanNs(), wantedNs) : wantedNs), view.endNs());
    const int64_t newestNs = m_scene.newestNs();
    const int64_t airNs = view.spanNs() / 60;
    view.endAt((m_scene.live ? newestNs : newestStepEndNs(store).value_or(newestNs)) + airNs);
    view.growFrom(store.beginNs() - airNs);
}

void Navigation::runEnded() {
    if (!isFollowing()) return;
    if (!newestStepEndNs(*m_scene.store)) return fit();
    remember();
    const Follow followed = m_follow;
    setFollow(Follow::kPaused);
    Viewport there = goal();
    showNewest(there, followed);
    glideTo(there);
}

void Navigation::setFollow(Follow follow) {
    if (m_still) follow = Follow::kPaused;
    if (m_follow == follow) return;
    if (follow != Follow::kPaused) endGlide();
    const bool wasFollowing = isFollowing();
    if (follow == Follow::kPaused) m_resumed = m_follow;
    m_follow = follow;
    updateBounds();
    emit followChanged(follow);
    if (wasFollowing != isFollowing()) emit followingChanged(isFollowing());
    if (isFollowing()) emit resumed();
}

// A scale at which the newest data would only race past is none to resume.
void Navigation::setFollowing(bool following) {
    const bool races = m_scene.view.spanNs() * 10 < newestStepsNs(*m_scene.store);
    setFollow(!following ? Follow::kPaused : races ? Follow::kNewestSteps : m_resumed);
}

// Where the system's style asks for no motion, there is none.
bool Navigation::isAnimated() const {
    return m_surface.isVisible() &&
           m_surface.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &m_surface) > 0;
}

Viewport Navigation::goal() const {
    return m_frames.isActive() ? m_glide.to : m_scene.view;
}

void Navigation::glideTo(const Viewport& goal) {
    if (!isAnimated() || isFollowing()) { // what is followed moves by itself
        m_frames.stop();
        m_scene.view = goal;
        emit moved();
        return;
    }
    m_glide = {m_scene.view, goal};
    m_sinceGlide.start();
    m_frames.start();
    glide();
}

void Navigation::glide() {
    const double share = static_cast<double>(m_sinceGlide.elapsed()) / kGlideMs;
    if (share < 1)
        m_scene.view = m_glide.at(share);
    else
        endGlide();
    emit moved();
}

void Navigation::endGlide() {
    if (!m_frames.isActive()) return;
    m_frames.stop();
    m_scene.view = m_glide.to;
    emit arrived();
}

void Navigation::panBy(double pixels) {
    endGlide();
    setFollow(Follow::kPaused);
    m_scene.view.panBy(pixels);
    emit moved();
}

void Navigation::zoomAbout(double x, double factor) {
    const bool following = isFollowing() && m_scene.live; // then the newest data is what stays in place
    if (isFollowing()) setFollow(following ? Follow::kFixedRange : Follow::kPaused);
    Viewport zoomed = goal();
    zoomed.zoomAbout(following ? zoomed.width() : x, factor);
    glideTo(zoomed);
    if (!following) return;
    followData();
    emit moved();
}

void Navigation::showRange(int64_t beginNs, int64_t endNs) {
    endGlide();
    setFollow(Follow::kPaused);
    m_scene.view.show(beginNs, endNs);
    emit moved();
}

void Navigation::showAround(int64_t timeNs) {
    endGlide();
    setFollow(Follow::kPaused);
    const int64_t spanNs = m_scene.view.spanNs();
    m_scene.view.show(timeNs - spanNs / 2, timeNs - spanNs / 2 + spanNs);
    emit moved();
}

void Navigation::remember() {
    if (m_history.size() == kHistory) m_history.erase(m_history.begin());
    m_history.push_back({goal().beginNs(), goal().endNs()});
}

void Navigation::fit() {
    remember();
    setFollow(Follow::kPaused);
    Viewport whole = goal();
    whole.fit();
    glideTo(whole);
}

void Navigation::zoomBy(double factor) {
    remember();
    zoomAbout(goal().width() / 2.0, factor);
}

void Navigation::zoomTo(int64_t beginNs, int64_t endNs) {
    remember();
    setFollow(Follow::kPaused);
    const int64_t airNs = std::max<int64_t>((endNs - beginNs) / 8, Viewport::kMinSpanNs / 4);
    Viewport there = goal();
    there.show(beginNs - airNs, endNs + airNs);
    glideTo(there);
}

void Navigation::zoomAt(int64_t timeNs, double factor) {
    remember();
    const Viewport from = goal();
    const double x = from.xAt(timeNs);
    if (x >= 0 && x <= from.width()) return zoomAbout(x, factor);
    setFollow(Follow::kPaused);
    Viewport there = centredOn(timeNs);
    there.zoomAbout(there.xAt(timeNs), factor);
    glideTo(there);
}

Viewport Navigation::centredOn(int64_t timeNs) const {
    Viewport there = goal();
    const int64_t beginNs = timeNs - there.spanNs() / 2;
    there.show(beginNs, beginNs + there.spanNs());
    return there;
}

void Navigation::centreOn(int64_t timeNs) {
    remember();
    setFollow(Follow::kPaused);
    glideTo(centredOn(timeNs));
}

bool Navigation::isCentredOn(int64_t timeNs) const {
    const Viewport there = goal();
    return std::abs(there.xAt(timeNs) - there.width() / 2.0) <= 1;
}

void Navigation::zoomBack() {
    if (m_history.empty()) return;
    const TimeRange last = m_history.back();
    m_history.pop_back();
    setFollow(Follow::kPaused);
    Viewport there = goal();
    there.show(last.beginNs, last.endNs);
    glideTo(there);
}

} // namespace roundpipe::ui::timeline
