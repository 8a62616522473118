// SPDX-License-Identifier: GPL-3.0-or-later
// Where tests find the shared fixtures, and a folder of their own to write in.
#pragma once

#include <filesystem>
#include <string>

namespace roundpipe::testing {

// The folder of real tokenizers, templates, datasets and configs: $ROUNDPIPE_FIXTURES, else shared/fixtures beside the
// checkout. Empty when absent: the test then skips, saying so.
std::filesystem::path fixtures();

// A new empty folder that is removed with the object.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

// The project's own checkout (for resources/demo and the reference scripts).
std::filesystem::path sourceFolder();

} // namespace roundpipe::testing

#define RP_REQUIRE_FIXTURES()                                                                                          \
    do {                                                                                                               \
        if (::roundpipe::testing::fixtures().empty())                                                                  \
            GTEST_SKIP() << "the shared fixtures are not beside this checkout; set ROUNDPIPE_FIXTURES to run this";    \
    } while (false)
