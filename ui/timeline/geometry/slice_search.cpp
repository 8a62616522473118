// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/slice_search.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

namespace roundpipe::ui::timeline {
namespace {

constexpr std::size_t kLookedUpEvery = 1024; // slices, whether to go on

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

SliceFilter::SliceFilter(std::string_view query, const SliceNames& names) {
    const std::vector<std::string> words = wordsOf(query);
    std::vector<std::string> ofKind;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto number = numberIn(std::string_view(word).substr(1));
        const auto next = i + 1 < words.size() ? numberIn(words[i + 1]) : std::nullopt;
        if ((word == "step" || word == names.step) && next) {
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
            ofKind.push_back(word);
        }
    }
    m_anyKind = ofKind.empty();
    const auto isNamed = [&](const std::string& name) {
        return std::ranges::all_of(ofKind,
                                   [&](const std::string& word) { return name.find(word) != std::string::npos; });
    };
    for (std::size_t k = 0; k < m_kinds.size(); ++k)
        m_kinds[k] = isNamed(trace::toString(static_cast<trace::Kind>(k)) + (' ' + names.kinds[k]));
    const auto wait = static_cast<std::size_t>(trace::Kind::kWait);
    for (std::size_t r = 0; r < m_waits.size(); ++r)
        m_waits[r] = isNamed(trace::toString(trace::Kind::kWait) + std::string("s for ") +
                             trace::toString(static_cast<trace::IdleReason>(r)) + ' ' + names.waits[r] + ' ' +
                             names.kinds[wait]);
}

bool SliceFilter::matches(const trace::Record& slice) const {
    if (!fits(m_stage, slice.stage.value) || !fits(m_microbatch, slice.microbatch.value) ||
        !fits(m_layer, slice.layer.value) || !fits(m_step, slice.step) || slice.kind == trace::Kind::kMemory)
        return false;
    if (m_anyKind) return true;
    return slice.kind == trace::Kind::kWait ? m_waits[static_cast<std::size_t>(slice.reason)]
                                            : m_kinds[static_cast<std::size_t>(slice.kind)];
}

// Lane by lane; what starts later than a match that is found already is not looked at.
std::optional<trace::Record> nextMatch(const trace::TraceSnapshot& trace, const SliceFilter& filter,
                                       const SearchFrom& from, const std::stop_token& stop) {
    std::optional<trace::Record> best;
    const auto isBetter = [&](const trace::Record& slice) {
        return !best || (from.forwards ? slice.startNs < best->startNs : slice.startNs > best->startNs);
    };
    for (const trace::Lane& lane : trace.lanes) {
        if (from.onlyLane.valid() && lane.id != from.onlyLane) continue;
        const trace::SliceList& slices = trace.slices[lane.id.index()];
        const auto goesOn = [&](std::size_t i) { // towards a match
            if (i % kLookedUpEvery == 0 && stop.stop_requested()) return false;
            if (!isBetter(slices[i])) return false;
            if (!filter.matches(slices[i])) return true;
            best = slices[i];
            return false;
        };
        if (from.forwards) {
            for (std::size_t i = slices.firstStartingFrom(from.timeNs + 1); i < slices.size() && goesOn(i);)
                ++i;
        } else {
            for (std::size_t i = slices.firstStartingFrom(from.timeNs); i > 0 && goesOn(i - 1);)
                --i;
        }
        if (stop.stop_requested()) return std::nullopt;
    }
    return best;
}

} // namespace roundpipe::ui::timeline
