// SPDX-License-Identifier: GPL-3.0-or-later
// Who gets how much of the links at a time: max-min fair shares of links, root complexes and the host's memory.
#pragma once

#include "base/ids.h"
#include "plan/rig/rig.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace roundpipe::plan {

// Copies under way as a fluid. Links that limit each other form a group, so that a change touches few copies.
class LinkSharing {
public:
    // `activationsFirst`: other copies wait while an activation travels the same way on the same link.
    LinkSharing(const Rig& rig, bool activationsFirst);

    struct Copy {
        int32_t task = 0;
        DeviceId device;
        bool up = true;
        bool isActivation = false;
        double bytes = 0;
    };
    void begin(const Copy& copy, double now);
    double nextEnd() const; // infinity while nothing moves
    int32_t finishNext();   // the task that ends at nextEnd()

private:
    static constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1);
    struct Flow {
        Copy copy; // bytes: those left
        double rate = 0;
        std::array<std::size_t, 3> limits{kNoLimit, kNoLimit, kNoLimit}; // link, root, host
    };
    struct Sharers {
        std::vector<Flow> flows;
        double now = 0;
        double nextEnd = 0;
        std::size_t next = 0; // the flow that ends then
    };
    struct Limit {
        double capacity = 0;
        double left = 0;
        int32_t numOpen = 0;
    };
    std::array<std::size_t, 3> limitsOf(DeviceId device, bool up) const;
    static void advance(Sharers& group, double now);
    void share(Sharers& group);
    bool waits(const Sharers& group, const Flow& flow) const;
    void fill(Sharers& group);
    bool fillByLinks(Sharers& group);
    void fillByHost();
    void fillByLimits();

    const Rig& m_rig;
    bool m_activationsFirst;
    bool m_hostLimits;                  // all links together could move more than the host's memory
    std::vector<std::size_t> m_groupOf; // [device]
    std::vector<Sharers> m_groups;
    std::vector<Limit> m_limits; // links up and down, roots up and down, the host
    std::vector<Flow*> m_open;   // scratch
};

} // namespace roundpipe::plan
