// SPDX-License-Identifier: GPL-3.0-or-later
// A run that checks itself, for tests and the self-test: a buffer that was given back is filled with NaNs before it is
// used again, as a weight slot that changes hands is, and as of a layer that stays what gets another version. Slots are
// stamped, and every use compares the stamp, so that whoever forgets to wait, or reads what was displaced, is found.
#pragma once

#include "device/device.h"
#include "geometry/weight_room.h"

#include <deque>
#include <vector>

namespace roundpipe::transfer {

// One thread at a time.
class SlotChecks {
public:
    explicit SlotChecks(device::Device& device) : m_pinned(device.pinnedHost()) {}

    // Later work of `stream` finds NaNs there.
    void poison(device::Stream& stream, std::byte* data, int64_t bytes);
    // Later work of `stream` finds the stamp at the slot's beginning.
    void mark(device::Stream& stream, std::byte* slot, const geometry::SlotStamp& stamp);
    // Work of `stream` at this point uses the slot, which must bear the stamp.
    void expect(device::Stream& stream, const std::byte* slot, const geometry::SlotStamp& stamp);
    // Looks at all uses that have run. Throws kInternal saying which layer's weights another one lay in place of.
    void verify();
    int64_t numVerified() const { return m_numVerified; }

private:
    struct StampCopy { // on its way from or to the device
        geometry::SlotStamp* onHost = nullptr;
        geometry::SlotStamp expected;
        bool isUse = false;
        device::Event done;
    };
    geometry::SlotStamp* takeStamp();

    bool m_pinned;
    device::HostBuffer m_poison;
    std::vector<device::HostBuffer> m_memory;
    std::vector<geometry::SlotStamp*> m_free;
    std::deque<StampCopy> m_copies;
    int64_t m_numVerified = 0;
};

} // namespace roundpipe::transfer
