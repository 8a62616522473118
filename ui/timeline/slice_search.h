// Finding slices by what they are: "backward S3", "m2 step 14", "waits for weights". No Qt.
#pragma once

#include "trace/lane_store.h"

#include <array>
#include <optional>
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
    explicit SliceFilter(std::string_view query, SliceNames names = {});
    bool empty() const { return m_words.empty() && !m_stage && !m_microbatch && !m_layer && !m_step; }
    bool matches(const trace::Record& slice) const;

private:
    std::optional<int32_t> m_stage, m_microbatch, m_layer, m_step;
    std::vector<std::string> m_words; // lower case
    SliceNames m_names;
};

struct SlicePlace {
    LaneId lane;
    std::size_t index = 0;
};
// The first match that starts after `timeNs`, or the last one before it; of all lanes, or of one.
std::optional<SlicePlace> nextMatch(const trace::LaneStore& store, const SliceFilter& filter, int64_t timeNs,
                                    bool forwards, LaneId onlyLane = {});

} // namespace roundpipe::ui::timeline
