// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/stop_texts.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace roundpipe::generate {
namespace {

// How many bytes at the end of `text` a stop text begins with, that is not whole yet.
std::size_t bytesToKeep(std::string_view text, const std::vector<std::string>& stops) {
    std::size_t kept = 0;
    for (const std::string& stop : stops)
        for (std::size_t length = std::min(stop.size() - 1, text.size()); length > kept; --length)
            if (text.ends_with(std::string_view(stop).substr(0, length))) kept = length;
    return kept;
}

} // namespace

std::string StopTexts::push(std::string_view piece) {
    if (m_found) return {};
    m_kept += piece;
    // The one that is whole first, as if bytes came one by one; of two that end together the longer one.
    std::size_t begin = std::string::npos, end = std::string::npos;
    for (const std::string& stop : m_stops) {
        const std::size_t at = m_kept.find(stop);
        if (at == std::string::npos) continue;
        const std::size_t endsAt = at + stop.size();
        if (endsAt < end || (endsAt == end && at < begin)) std::tie(begin, end) = std::pair(at, endsAt);
    }
    m_found = begin != std::string::npos;
    const std::size_t shown = m_found ? begin : m_kept.size() - bytesToKeep(m_kept, m_stops);
    std::string text = m_kept.substr(0, shown);
    m_kept.erase(0, m_found ? m_kept.size() : shown);
    return text;
}

std::string StopTexts::finish() {
    return std::exchange(m_kept, {});
}

} // namespace roundpipe::generate
