// SPDX-License-Identifier: GPL-3.0-or-later
// A device whose memory runs out tightens the plan, never the batch: the share of its memory that a plan may take, and
// the loop that tries again with less.
#pragma once

#include "base/ids.h"
#include "device/device_full.h"

#include <cstddef>
#include <vector>

namespace roundpipe::engine {

// Used by the run's thread only.
class MemoryShares {
public:
    // An eighth less of `full`, one of `numDevices` devices. Gives the share that is left of its free memory.
    double lessen(DeviceId full, std::size_t numDevices);
    // No device was full yet: a plan may take all that is free.
    bool areWhole() const { return m_shares.empty(); }
    const std::vector<double>& ofDevices() const { return m_shares; } // as RunSoFar's

private:
    std::vector<double> m_shares; // [device]; empty while they are whole
};

// Does `body`, again after each `tighten(full)`, until it does. Throws in the words of the device that is full where
// `tighten` says false: no plan fits any more.
template <class Body, class Tighten>
auto untilItFits(const Body& body, const Tighten& tighten) {
    for (;;) {
        try {
            return body();
        } catch (const device::DeviceFull& full) {
            if (!tighten(full)) throw;
        }
    }
}

} // namespace roundpipe::engine
