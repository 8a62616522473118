// SPDX-License-Identifier: GPL-3.0-or-later
// Finding slices by what they are: "backward S3", "m2 step 14", "waits for weights". No Qt.
#pragma once

#include "trace/store/lane_store.h"

#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::ui::timeline {

// What slices are called beside core's own words, in the user's language and in lower case.
struct SliceNames {
    std::array<std::string, trace::kNumKinds> kinds;
    std::array<std::string, trace::kNumIdleReasons> waits; // by their reason
    std::string step;
};

// A slice matches when it fits every word: S3 a stage, m2 a microbatch, L7 a layer, "step 14" (or #14, counted from 1)
// a step; any other word is a part of the kind's name or, for waits, of the reason's.
class SliceFilter {
public:
    explicit SliceFilter(std::string_view query, const SliceNames& names = {});
    bool empty() const { return m_anyKind && !m_stage && !m_microbatch && !m_layer && !m_step; }
    bool matches(const trace::Record& slice) const;

private:
    std::optional<int32_t> m_stage, m_microbatch, m_layer, m_step;
    bool m_anyKind = true; // no word names one
    std::array<bool, trace::kNumKinds> m_kinds{};
    std::array<bool, trace::kNumIdleReasons> m_waits{}; // waits, by their reason
};

// Where a search begins, and which way it goes.
struct SearchFrom {
    int64_t timeNs = 0;
    bool forwards = true;
    LaneId onlyLane; // -1: all lanes
};
// The first match that starts after the time, or the last one before it. Nothing, too, where it was stopped.
std::optional<trace::Record> nextMatch(const trace::TraceSnapshot& trace, const SliceFilter& filter,
                                       const SearchFrom& from, const std::stop_token& stop);

} // namespace roundpipe::ui::timeline
