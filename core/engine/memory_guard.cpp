// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/memory_guard.h"

#include <algorithm>

namespace roundpipe::engine {
namespace {

constexpr double kShortWait = 0.2, kOutWait = 0.4;       // shares of ten seconds
constexpr double kLittle = 0.1, kVeryLittle = 0.05;      // of all memory, while programs wait
constexpr double kShortShare = 0.01, kOutShare = 0.0025; // where nobody counts that

} // namespace

MemoryState MemoryGuard::look(const std::optional<device::MemoryPressure>& pressure, int64_t availableBytes,
                              int64_t totalBytes) {
    const double left = static_cast<double>(availableBytes) / static_cast<double>(std::max<int64_t>(totalBytes, 1));
    const bool isOut = pressure ? pressure->all >= kOutWait && left < kVeryLittle : left < kOutShare;
    const bool isShort = pressure ? pressure->some >= kShortWait && left < kLittle : left < kShortShare;
    m_out = isOut ? m_out + 1 : 0;
    if (m_out >= kInARow) return MemoryState::kOut;
    return isShort || isOut ? MemoryState::kShort : MemoryState::kEnough;
}

} // namespace roundpipe::engine
