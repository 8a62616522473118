// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/kernel_trials.h"

#include <algorithm>

namespace roundpipe::model {
namespace {

constexpr int kTimings = 3; // of each kind, of which the fastest counts: others are held up by what runs beside them

} // namespace

std::optional<std::size_t> KernelTrials::referenceAmong(std::span<const KernelKind> kinds) const {
    const auto place = std::ranges::find(kinds, *m_reference);
    if (place == kinds.end()) return std::nullopt;
    return static_cast<std::size_t>(place - kinds.begin());
}

// In turns, so that what changes in the meantime (clocks, heat) meets all of them.
std::optional<std::size_t> KernelTrials::timedNext(std::span<const KernelKind> kinds) {
    std::optional<std::size_t> least;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const TriedKind& state = m_states[kinds[i]];
        if (state.isSame != true || state.begun == kTimings) continue;
        if (!least || state.begun < m_states[kinds[*least]].begun) least = i;
    }
    return least;
}

KernelTrials::Next KernelTrials::next(std::span<const KernelKind> kinds) {
    if (!m_reference) {
        m_reference = kinds[0];
        m_states[kinds[0]].isSame = true;
    }
    const std::optional<std::size_t> reference = referenceAmong(kinds);
    const std::optional<bool> isFirstSame = m_states[kinds[0]].isSame;
    // Of a first kernel that cannot be compared, or adds up in another order, nothing is known to be equal.
    if (isFirstSame == false || (!isFirstSame && !reference)) return {TrialStep::kSettled};
    if (reference && !m_isComparing)
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if (!m_states[kinds[i]].isSame) {
                m_isComparing = true;
                return {TrialStep::kCompare, i, *reference};
            }
    if (!isFirstSame) return {TrialStep::kWait};
    if (const std::optional<std::size_t> timed = timedNext(kinds)) {
        ++m_states[kinds[*timed]].begun;
        return {TrialStep::kTime, *timed};
    }
    std::size_t fastest = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const TriedKind& state = m_states[kinds[i]];
        if (!state.isSame && reference) return {TrialStep::kWait};
        if (state.isSame != true) continue;
        if (state.done < kTimings) return {TrialStep::kWait};
        if (state.fastest < m_states[kinds[fastest]].fastest) fastest = i;
    }
    return {TrialStep::kSettled, fastest};
}

void KernelTrials::same(const KernelKind& kind, bool isSame) {
    m_states[kind].isSame = isSame;
    m_isComparing = false;
}

void KernelTrials::took(const KernelKind& kind, double secondsEach) {
    TriedKind& state = m_states[kind];
    ++state.done;
    state.fastest = std::min(state.fastest, secondsEach);
}

} // namespace roundpipe::model
