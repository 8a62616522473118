// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/columns/named_columns.h"

#include "base/error.h"
#include "data/in_part.h"
#include "data/rows/columns/row_format.h"

#include <fmt/format.h>

namespace roundpipe::data {

NamedColumns::NamedColumns(const RowFormat& format) {
    for (const auto& [field, column] : format.columns)
        if (!column.empty()) m_missing.push_back({column, fmt::format("data.columns: {}={}", field, column)});
    for (const session::PromptPiece& piece : format.prompt)
        if (piece.isColumn) m_missing.push_back({piece.text, fmt::format("data.prompt_template: {{{}}}", piece.text)});
}

void NamedColumns::look(std::span<const RawRow> rows) {
    constexpr std::size_t kShownBytes = 400;
    for (const RawRow& raw : rows) {
        if (m_missing.empty()) return;
        const Json row = parseAny(raw.json);
        if (!row.is_object()) continue;
        if (m_present.empty()) {
            for (const auto& [name, value] : row.items())
                m_present += (m_present.empty() ? "" : ", ") + inPartOnOneLine(name);
            m_present = inPart(m_present, kShownBytes);
        }
        std::erase_if(m_missing, [&](const NamedColumn& named) { return columnIn(row, named.name) != nullptr; });
    }
}

void NamedColumns::require(const std::filesystem::path& file, std::size_t numFiles) const {
    if (m_missing.empty()) return;
    const auto& [name, setting] = m_missing.front();
    const std::string others = numFiles > 1 ? fmt::format(" and {} more", numFiles - 1) : "";
    throw invalidInput(fmt::format("No row of '{}'{} has a column '{}' ({}).", file.string(), others, name, setting),
                       fmt::format("The first row has the columns {}.", m_present));
}

} // namespace roundpipe::data
