// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/table.h"

#include "base/error.h"
#include "base/units.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roundpipe::cli {
namespace {

// Of UTF-8 text in a terminal: continuation bytes take no room.
std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// A name with line breaks or a terminal's commands would break the table, or worse.
std::string withoutControl(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return text;
}

std::string padded(const std::string& text, std::size_t width, Table::Align align) {
    const std::string blanks(width - widthOf(text), ' ');
    return align == Table::Align::kLeft ? text + blanks : blanks + text;
}

std::string withThousands(double value) {
    std::string digits = fmt::format("{:.0f}", value);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0 && digits[static_cast<std::size_t>(at) - 1] != '-';
         at -= 3)
        digits.insert(static_cast<std::size_t>(at), ",");
    return digits;
}

} // namespace

void Table::addRow(std::vector<std::string> cells) {
    RP_CHECK(cells.size() == m_columns.size());
    std::ranges::transform(cells, cells.begin(), withoutControl);
    m_rows.push_back(std::move(cells));
}

void Table::mergeEqualRows(const std::function<std::string(const std::string&, const std::string&)>& join) {
    std::vector<std::vector<std::string>> merged;
    for (std::size_t begin = 0; begin < m_rows.size();) {
        std::size_t end = begin + 1;
        const auto sameAsFirst = [&](const std::vector<std::string>& row) {
            return std::equal(row.begin() + 1, row.end(), m_rows[begin].begin() + 1);
        };
        while (end < m_rows.size() && sameAsFirst(m_rows[end]))
            ++end;
        merged.push_back(m_rows[begin]);
        if (end - begin > 1) merged.back()[0] = join(m_rows[begin][0], m_rows[end - 1][0]);
        begin = end;
    }
    m_rows = std::move(merged);
}

std::string Table::text() const {
    std::vector<std::size_t> widths(m_columns.size());
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        for (const auto& row : m_rows)
            if (!row[c].empty()) widths[c] = std::max({widths[c], widthOf(row[c]), widthOf(m_columns[c].title)});
    std::string result;
    const auto addLine = [&](const auto& cellOf) {
        std::string line;
        for (std::size_t c = 0; c < m_columns.size(); ++c)
            if (widths[c] > 0) line += "  " + padded(cellOf(c), widths[c], m_columns[c].align);
        line.erase(line.find_last_not_of(' ') + 1);
        result += line + "\n";
    };
    addLine([&](std::size_t c) { return m_columns[c].title; });
    for (const auto& row : m_rows)
        addLine([&](std::size_t c) { return row[c]; });
    return result;
}

std::string asMilliseconds(double seconds) {
    const double ms = 1e3 * seconds;
    if (ms >= 999.5) return withThousands(ms);
    return fmt::format("{:.{}f}", ms, ms < 9.995 ? 2 : ms < 99.95 ? 1 : 0);
}

std::string asTime(double seconds) {
    if (seconds < 9.9995) return asMilliseconds(seconds) + " ms";
    return seconds < 119.95 ? fmt::format("{:.1f} s", seconds) : formatDuration(seconds);
}

std::string asDate(int64_t seconds) {
    return seconds == 0 ? "" : fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

std::string asPercent(double share) {
    return fmt::format("{:.1f} %", std::abs(share) < 0.0005 ? 0 : 100 * share); // not "-0.0 %"
}

std::string asBytes(int64_t bytes) {
    return bytes == 0 ? "-" : formatBytes(bytes);
}

std::string asRate(double perSecond) {
    return perSecond < 99.5 ? fmt::format("{:.3g}", perSecond) : withThousands(perSecond);
}

} // namespace roundpipe::cli
