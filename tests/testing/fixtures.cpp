// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include <cstdlib>
#include <stdexcept>
#include <stdlib.h>

namespace roundpipe::testing {
namespace fs = std::filesystem;

fs::path sourceFolder() {
    return ROUNDPIPE_SOURCE_DIR;
}

fs::path fixtures() {
    if (const char* given = std::getenv("ROUNDPIPE_FIXTURES"))
        return fs::is_directory(given) ? fs::path(given) : fs::path();
    const fs::path beside = sourceFolder().parent_path() / "shared" / "fixtures";
    return fs::is_directory(beside) ? beside : fs::path();
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "roundpipe-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

} // namespace roundpipe::testing
