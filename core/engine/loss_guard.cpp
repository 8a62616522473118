// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/loss_guard.h"

#include "base/median.h"

#include <algorithm>
#include <vector>

namespace roundpipe::engine {
namespace {

constexpr std::size_t kWindow = 32;
constexpr std::size_t kFewest = 16; // losses that say what is usual

} // namespace

LossGuard::Trouble LossGuard::add(double loss, bool isFinite) {
    if (!isFinite) return ++m_notFinite == kInARow ? Trouble::kNotFinite : Trouble::kNone;
    m_notFinite = 0;
    const bool knows = m_before.size() >= kFewest;
    if (knows && m_high.empty()) m_usual = medianOf(std::vector(m_before.begin(), m_before.end()));
    const bool isHigh = knows && loss > 2 * m_usual && loss > *std::ranges::max_element(m_before);
    m_high.push_back(loss);
    if (isHigh && m_high.size() == static_cast<std::size_t>(kInARow)) return Trouble::kSpike;
    if (isHigh && m_high.size() < kWindow) return Trouble::kNone;
    for (const double after : m_high) // it is over, or has lasted so long that it is usual now
        m_before.push_back(after);
    m_high.clear();
    while (m_before.size() > kWindow)
        m_before.pop_front();
    return Trouble::kNone;
}

void LossGuard::forget() {
    *this = LossGuard();
}

} // namespace roundpipe::engine
