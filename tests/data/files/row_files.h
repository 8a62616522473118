// SPDX-License-Identifier: GPL-3.0-or-later
// Files of rows that tests write and read back.
#pragma once

#include "data/files/row_source.h"
#include "testing/fixtures.h"

#include <fstream>
#include <string>
#include <vector>

namespace roundpipe::data {

class RowFiles {
public:
    std::filesystem::path write(const std::string& name, const std::string& content) const {
        const auto path = m_folder.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    const std::filesystem::path& folder() const { return m_folder.path(); }

private:
    testing::TemporaryFolder m_folder;
};

inline std::vector<RawRow> readAll(RowSource& source) {
    std::vector<RawRow> rows;
    while (auto row = source.next())
        rows.push_back(std::move(*row));
    return rows;
}

inline std::vector<RawRow> readAll(const std::filesystem::path& path) {
    return readAll(*openRows(path));
}

} // namespace roundpipe::data
