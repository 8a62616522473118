// SPDX-License-Identifier: GPL-3.0-or-later
// Columns that the settings name, looked for in the rows: one that somebody named by mistake would leave its field
// empty in silence. Internal to this folder.
#pragma once

#include "data/files/row_source.h"
#include "data/options.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::data {

struct NamedColumn {
    std::string name;
    std::string setting; // that names it: "data.columns: prompt=question"
};

// Used by one thread.
class NamedColumns {
public:
    explicit NamedColumns(const RowFormat& format);

    void look(std::span<const RawRow> rows);
    const std::vector<NamedColumn>& missing() const { return m_missing; } // in no row so far
    // Throws kInvalidInput where one is missing, with the columns that there are. Of so many files, the first one.
    void require(const std::filesystem::path& file, std::size_t numFiles = 1) const;

private:
    std::vector<NamedColumn> m_missing;
    std::string m_present; // columns of the first row
};

} // namespace roundpipe::data
