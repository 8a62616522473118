// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/simulate/link_sharing.h"

#include <algorithm>
#include <limits>

namespace roundpipe::plan {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

} // namespace

LinkSharing::LinkSharing(const Rig& rig, bool activationsFirst)
    : m_rig(rig), m_activationsFirst(activationsFirst), m_hostLimits(false) {
    double all = 0;
    for (const Link& link : rig.links) {
        m_limits.push_back(
            {link.duplex ? link.upBytesPerSecond : std::max(link.upBytesPerSecond, link.downBytesPerSecond)});
        m_limits.push_back({link.downBytesPerSecond});
        all += link.duplex ? link.upBytesPerSecond + link.downBytesPerSecond
                           : std::max(link.upBytesPerSecond, link.downBytesPerSecond);
    }
    for (const RootComplex& root : rig.roots) {
        m_limits.push_back(
            {root.duplex ? root.upBytesPerSecond : std::max(root.upBytesPerSecond, root.downBytesPerSecond)});
        m_limits.push_back({root.downBytesPerSecond});
    }
    m_limits.push_back({rig.host.memoryBytesPerSecond});
    m_hostLimits = all > rig.host.memoryBytesPerSecond;

    std::vector<std::size_t> groupOfRoot(rig.roots.size(), kNoLimit);
    for (const Link& link : rig.links) {
        std::size_t group = m_groups.size();
        if (m_hostLimits && !m_groups.empty()) group = 0;
        if (!m_hostLimits && link.root >= 0) {
            std::size_t& known = groupOfRoot[static_cast<std::size_t>(link.root)];
            known = group = std::min(known, group);
        }
        if (group == m_groups.size()) m_groups.push_back({{}, 0, kNever, 0});
        m_groupOf.push_back(group);
    }
}

std::array<std::size_t, 3> LinkSharing::limitsOf(DeviceId device, bool up) const {
    const Link& link = m_rig.links[device.index()];
    std::array<std::size_t, 3> limits{kNoLimit, kNoLimit, kNoLimit};
    limits[0] = 2 * device.index() + (link.duplex && !up ? 1 : 0);
    if (link.root >= 0) {
        const auto root = static_cast<std::size_t>(link.root);
        limits[1] = 2 * (m_rig.links.size() + root) + (m_rig.roots[root].duplex && !up ? 1 : 0);
    }
    if (m_hostLimits) limits[2] = m_limits.size() - 1;
    return limits;
}

void LinkSharing::begin(const Copy& copy, double now) {
    Sharers& group = m_groups[m_groupOf[copy.device.index()]];
    advance(group, now);
    group.flows.push_back({copy, 0, limitsOf(copy.device, copy.up)});
    share(group);
}

double LinkSharing::nextEnd() const {
    double end = kNever;
    for (const Sharers& group : m_groups)
        end = std::min(end, group.nextEnd);
    return end;
}

int32_t LinkSharing::finishNext() {
    Sharers& group = *std::ranges::min_element(m_groups, {}, &Sharers::nextEnd);
    advance(group, group.nextEnd);
    const int32_t task = group.flows[group.next].copy.task;
    group.flows[group.next] = group.flows.back();
    group.flows.pop_back();
    share(group);
    return task;
}

void LinkSharing::advance(Sharers& group, double now) {
    for (Flow& flow : group.flows)
        flow.copy.bytes = std::max(0.0, flow.copy.bytes - flow.rate * (now - group.now));
    group.now = now;
}

// An activation that goes the same way on the same link has the right of way.
bool LinkSharing::waits(const Sharers& group, const Flow& flow) const {
    if (!m_activationsFirst || flow.copy.isActivation) return false;
    return std::ranges::any_of(group.flows, [&](const Flow& other) {
        return other.copy.isActivation && other.copy.device == flow.copy.device && other.copy.up == flow.copy.up;
    });
}

void LinkSharing::share(Sharers& group) {
    fill(group);
    group.nextEnd = kNever;
    for (std::size_t i = 0; i < group.flows.size(); ++i) {
        const Flow& flow = group.flows[i];
        if (flow.rate <= 0) continue;
        const double end = group.now + flow.copy.bytes / flow.rate;
        if (end < group.nextEnd) {
            group.nextEnd = end;
            group.next = i;
        }
    }
}

void LinkSharing::fill(Sharers& group) {
    if (m_rig.roots.empty() && !m_activationsFirst && fillByLinks(group)) return;
    m_open.clear();
    for (Flow& flow : group.flows) {
        flow.rate = 0;
        if (!waits(group, flow)) m_open.push_back(&flow);
    }
    if (m_rig.roots.empty())
        fillByHost();
    else
        fillByLimits();
}

// Where neither root complexes nor the host's memory hold anything up, each copy has its share of its link. False, and
// rates are to be filled, where the host's memory does.
bool LinkSharing::fillByLinks(Sharers& group) {
    double used = 0; // of all links that are in use
    for (const Flow& flow : group.flows)
        m_limits[flow.limits[0]].numOpen = 0;
    for (const Flow& flow : group.flows)
        if (Limit& link = m_limits[flow.limits[0]]; ++link.numOpen == 1) used += link.capacity;
    if (m_hostLimits && used > m_limits.back().capacity) return false;
    for (Flow& flow : group.flows)
        flow.rate = m_limits[flow.limits[0]].capacity / m_limits[flow.limits[0]].numOpen;
    return true;
}

// Without root complexes: each copy's share of its link caps it, and the host's memory is shared by all.
void LinkSharing::fillByHost() {
    for (Flow* flow : m_open)
        m_limits[flow->limits[0]].numOpen = 0;
    for (Flow* flow : m_open)
        ++m_limits[flow->limits[0]].numOpen;
    for (Flow* flow : m_open)
        flow->rate = m_limits[flow->limits[0]].capacity / m_limits[flow->limits[0]].numOpen;
    if (!m_hostLimits) return;
    // Those whose cap is below an equal share keep it; what they leave is shared by the others.
    double left = m_limits.back().capacity;
    for (bool settled = true; settled && !m_open.empty();) {
        const double share = left / static_cast<double>(m_open.size());
        const auto keepsCap = [&](const Flow* flow) {
            if (flow->rate > share) return false;
            left -= flow->rate;
            return true;
        };
        settled = std::erase_if(m_open, keepsCap) > 0;
    }
    for (Flow* flow : m_open)
        flow->rate = left / static_cast<double>(m_open.size());
}

// Progressive filling: the limit that is tightest for those that share it decides their rate, then the next one.
void LinkSharing::fillByLimits() {
    for (const Flow* flow : m_open)
        for (const std::size_t l : flow->limits)
            if (l != kNoLimit) m_limits[l] = {m_limits[l].capacity, m_limits[l].capacity, 0};
    for (const Flow* flow : m_open)
        for (const std::size_t l : flow->limits)
            if (l != kNoLimit) ++m_limits[l].numOpen;
    while (!m_open.empty()) {
        double rate = kNever;
        std::size_t tightest = kNoLimit;
        for (const Flow* flow : m_open)
            for (const std::size_t l : flow->limits)
                if (l != kNoLimit && m_limits[l].left / m_limits[l].numOpen < rate) {
                    rate = m_limits[l].left / m_limits[l].numOpen;
                    tightest = l;
                }
        const auto settled = [&](Flow* flow) {
            if (std::ranges::find(flow->limits, tightest) == flow->limits.end()) return false;
            flow->rate = rate;
            for (const std::size_t l : flow->limits)
                if (l != kNoLimit) {
                    m_limits[l].left -= rate;
                    --m_limits[l].numOpen;
                }
            return true;
        };
        std::erase_if(m_open, settled);
    }
}

} // namespace roundpipe::plan
