// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/kernel_trials.h"

#include <algorithm>

namespace roundpipe::model {
namespace {

constexpr int kTimings = 3; // of each kind, of which the fastest counts: others are held up by what runs beside them

std::optional<std::size_t> placeOf(const KernelKind& kind, std::span<const KernelKind> kinds) {
    const auto place = std::ranges::find(kinds, kind);
    if (place == kinds.end()) return std::nullopt;
    return static_cast<std::size_t>(place - kinds.begin());
}

} // namespace

KernelTrials::Next KernelTrials::compare(std::size_t kind, std::size_t reference) {
    m_isComparing = true;
    return {TrialStep::kCompare, kind, reference};
}

// Nothing where the trial has to go its own way.
std::optional<KernelTrials::Next> KernelTrials::nextForExpected(std::span<const KernelKind> kinds,
                                                                std::optional<std::size_t> reference) {
    if (!m_expected) return std::nullopt;
    const std::optional<std::size_t> expected = placeOf(*m_expected, kinds);
    if (!expected) return std::nullopt;
    const std::optional<bool> isSame = m_states[*m_expected].isSame;
    if (isSame == true) return Next{TrialStep::kSettled, *expected};
    if (isSame == false || !reference) return std::nullopt;
    return m_isComparing ? Next{TrialStep::kWait} : compare(*expected, *reference);
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
    const std::optional<std::size_t> reference = placeOf(*m_reference, kinds);
    const std::optional<bool> isFirstSame = m_states[kinds[0]].isSame;
    // Of a first kernel that cannot be compared, or adds up in another order, nothing is known to be equal.
    if (isFirstSame == false || (!isFirstSame && !reference)) return {TrialStep::kSettled};
    if (const auto next = nextForExpected(kinds, reference)) return *next;
    if (reference && !m_isComparing)
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if (!m_states[kinds[i]].isSame) return compare(i, *reference);
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
    m_found = kinds[fastest];
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
