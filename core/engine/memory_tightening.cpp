// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/memory_tightening.h"

namespace roundpipe::engine {

double MemoryShares::lessen(DeviceId full, std::size_t numDevices) {
    constexpr double kLess = 0.875;
    m_shares.resize(numDevices, 1.0);
    return m_shares[full.index()] *= kLess;
}

} // namespace roundpipe::engine
