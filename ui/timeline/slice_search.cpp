#include "ui/timeline/slice_search.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

namespace roundpipe::ui::timeline {
namespace {

std::vector<std::string> wordsOf(std::string_view query) {
    std::vector<std::string> words(1);
    for (const char c : query)
        if (std::isspace(static_cast<unsigned char>(c)) == 0)
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!words.back().empty())
            words.emplace_back();
    if (words.back().empty()) words.pop_back();
    return words;
}

std::optional<int32_t> numberIn(std::string_view text) {
    int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

bool fits(const std::optional<int32_t>& wanted, int32_t value) {
    return !wanted || *wanted == value;
}

} // namespace

SliceFilter::SliceFilter(std::string_view query, SliceNames names) : m_names(std::move(names)) {
    const std::vector<std::string> words = wordsOf(query);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto number = numberIn(std::string_view(word).substr(1));
        const auto next = i + 1 < words.size() ? numberIn(words[i + 1]) : std::nullopt;
        if ((word == "step" || word == m_names.step) && next) {
            m_step = *next - 1;
            ++i;
        } else if (number && word[0] == 's') {
            m_stage = number;
        } else if (number && word[0] == 'm') {
            m_microbatch = number;
        } else if (number && word[0] == 'l') {
            m_layer = number;
        } else if (number && word[0] == '#') {
            m_step = *number - 1;
        } else {
            m_words.push_back(word);
        }
    }
}

bool SliceFilter::matches(const trace::Record& slice) const {
    if (!fits(m_stage, slice.stage.value) || !fits(m_microbatch, slice.microbatch.value) ||
        !fits(m_layer, slice.layer.value) || !fits(m_step, slice.step) || slice.kind == trace::Kind::kMemory)
        return false;
    if (m_words.empty()) return true;
    std::string name = trace::toString(slice.kind);
    if (slice.kind == trace::Kind::kWait)
        name += std::string("s for ") + trace::toString(slice.reason) + ' ' +
                m_names.waits[static_cast<std::size_t>(slice.reason)];
    name += ' ' + m_names.kinds[static_cast<std::size_t>(slice.kind)];
    return std::ranges::all_of(m_words, [&](const std::string& word) { return name.find(word) != std::string::npos; });
}

std::optional<SlicePlace> nextMatch(const trace::LaneStore& store, const SliceFilter& filter, int64_t timeNs,
                                    bool forwards, LaneId onlyLane) {
    std::optional<SlicePlace> best;
    const auto startOf = [&](const SlicePlace& place) { return store.slices(place.lane)[place.index].startNs; };
    for (const trace::Lane& lane : store.lanes()) {
        if (onlyLane.valid() && lane.id != onlyLane) continue;
        const trace::SliceList& slices = store.slices(lane.id);
        std::optional<SlicePlace> found;
        if (forwards) {
            for (std::size_t i = slices.firstStartingFrom(timeNs + 1); i < slices.size() && !found; ++i)
                if (filter.matches(slices[i])) found = SlicePlace{lane.id, i};
        } else {
            for (std::size_t i = slices.firstStartingFrom(timeNs); i-- > 0 && !found;)
                if (filter.matches(slices[i])) found = SlicePlace{lane.id, i};
        }
        if (found && (!best || (forwards ? startOf(*found) < startOf(*best) : startOf(*found) > startOf(*best))))
            best = found;
    }
    return best;
}

} // namespace roundpipe::ui::timeline
