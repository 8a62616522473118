// SPDX-License-Identifier: GPL-3.0-or-later
// Text tables with aligned columns, and numbers as tables show them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace roundpipe::cli {

class Table {
public:
    enum class Align { kLeft, kRight };
    struct Column {
        std::string title;
        Align align = Align::kRight;
    };

    explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}
    void addRow(std::vector<std::string> cells); // one a column
    // Rows whose cells but the first equal those of the row before become one: `join` makes its first cell from theirs.
    void mergeEqualRows(const std::function<std::string(const std::string& first, const std::string& last)>& join);
    // Title line and rows, each indented by two blanks and ended by a line feed; columns without any text are left out.
    std::string text() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

std::string asMilliseconds(double seconds); // "0.83", "12.4", "1,204" of ms
std::string asTime(double seconds);         // "7,356 ms", "26.7 s", "33 min 08 s"
std::string asDate(int64_t seconds);        // since 1970: "2026-01-31 14:25"; empty for 0
std::string asPercent(double share);        // "4.1 %"
std::string asBytes(int64_t bytes);         // "1.5 GiB"; "-" for none
std::string asRate(double perSecond);       // "18,960"

} // namespace roundpipe::cli
