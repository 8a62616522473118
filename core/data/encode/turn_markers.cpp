#include "data/encode/turn_markers.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::data {

std::vector<Span> spansBetween(std::string_view text, const TurnMarkers& markers) {
    RP_CHECK(!markers.begin.empty() && !markers.end.empty());
    std::vector<Span> spans;
    std::size_t position = 0;
    while ((position = text.find(markers.begin, position)) != std::string_view::npos) {
        const std::size_t begin = position + markers.begin.size();
        const std::size_t end = std::min(text.find(markers.end, begin), text.size());
        spans.push_back({begin, end});
        position = end;
    }
    return spans;
}

} // namespace roundpipe::data
