// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/turn_markers.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

std::size_t nextOf(const std::string& marker, std::string_view text, std::size_t from, std::span<const Span> ignored) {
    const auto isIgnored = [&](std::size_t at) {
        return std::ranges::any_of(ignored, [&](const Span& span) {
            return std::max(at, span.begin) < std::min(at + marker.size(), span.end);
        });
    };
    std::size_t at = text.find(marker, from);
    while (at != std::string_view::npos && isIgnored(at))
        at = text.find(marker, at + 1);
    return at;
}

} // namespace

std::vector<Span> spansBetween(std::string_view text, const TurnMarkers& markers, std::span<const Span> ignored) {
    RP_CHECK(!markers.begin.empty() && !markers.end.empty());
    std::vector<Span> spans;
    std::size_t position = 0;
    while ((position = nextOf(markers.begin, text, position, ignored)) != std::string_view::npos) {
        const std::size_t begin = position + markers.begin.size();
        const std::size_t end = std::min(nextOf(markers.end, text, begin, ignored), text.size());
        spans.push_back({begin, end});
        position = end;
    }
    return spans;
}

std::size_t timesIn(std::string_view text, std::string_view marker) {
    std::size_t times = 0;
    for (std::size_t at = text.find(marker); at != std::string_view::npos; at = text.find(marker, at + marker.size()))
        ++times;
    return times;
}

} // namespace roundpipe::data
