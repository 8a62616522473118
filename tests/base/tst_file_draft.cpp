// SPDX-License-Identifier: GPL-3.0-or-later
// Files half written: what lies beside them stays as it is, and what a kill has left goes. On file systems with
// nameless files and, by an open() of its own, on one without.
#include "base/error.h"
#include "base/file_draft.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

bool g_hasNamelessFiles = true;

} // namespace

// In place of the system's, for the whole program.
extern "C" int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const bool hasMode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    const unsigned mode = hasMode ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE && !g_hasNamelessFiles) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

namespace roundpipe {
namespace {
namespace fs = std::filesystem;

class FileDraftTest : public ::testing::TestWithParam<bool> {
protected:
    FileDraftTest() { g_hasNamelessFiles = GetParam(); }
    ~FileDraftTest() override { g_hasNamelessFiles = true; }

    fs::path at(const char* name) const { return m_folder.path() / name; }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const fs::directory_entry& entry : fs::directory_iterator(m_folder.path()))
            names.push_back(entry.path().filename());
        std::ranges::sort(names);
        return names;
    }

    testing::TemporaryFolder m_folder;
};
INSTANTIATE_TEST_SUITE_P(EachFileSystem, FileDraftTest, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "nameless" : "named"; });

constexpr const char* kLeft = ".a.roundpipe-0123456789abcdef.part";

TEST_P(FileDraftTest, aFileOfThatNameWithPartStaysAsItIs) {
    std::ofstream(at("a.part")) << "precious";
    std::ofstream(at("other")) << "precious, too";
    fs::create_hard_link(at("other"), at("b.part"));
    ASSERT_EQ(::mkfifo(at("c.part").c_str(), 0600), 0);
    for (const char* const name : {"a", "b", "c"}) // does not wait for who reads the pipe
        writeFileAtomically(at(name), "new");
    EXPECT_EQ(readTextFile(at("a.part")), "precious");
    EXPECT_EQ(readTextFile(at("other")), "precious, too");
    EXPECT_EQ(names(), (std::vector<std::string>{"a", "a.part", "b", "b.part", "c", "c.part", "other"}));
}

TEST_P(FileDraftTest, hasANameOfItsOwnOrNone) {
    writeFileAtomically(at("a"), [&](const auto&) {
        EXPECT_EQ(names().size(), GetParam() ? 0U : 1U);
        for (const std::string& name : names())
            EXPECT_EQ(nameOfDrafted(name), "a");
    });
    EXPECT_EQ(names(), std::vector<std::string>{"a"});
    EXPECT_EQ(fs::status(at("a")).permissions() & fs::perms::group_write, fs::perms::none);
    const std::string longName(250, 'n');
    writeFileAtomically(at(longName.c_str()), "new");
    EXPECT_EQ(readTextFile(at(longName.c_str())), "new");
}

TEST_P(FileDraftTest, removesWhatAKillHasLeftAndNothingElse) {
    const std::vector<std::string> others = {".a.part",
                                             ".a.roundpipe-.part",
                                             ".a.roundpipe-0123456789abcdeX.part",
                                             ".b.roundpipe-0123456789abcdef.part",
                                             "a.part",
                                             "a.roundpipe-0123456789abcdef.part"};
    for (const std::string& name : others)
        std::ofstream(at(name.c_str())) << "precious";
    std::ofstream(at(kLeft)) << "half";
    fs::create_directory(at(".a.roundpipe-0000000000000000.part"));
    fs::create_symlink(at("a.part"), at(".a.roundpipe-1111111111111111.part"));
    writeFileAtomically(at("a"), "new");
    std::vector<std::string> expected = others;
    expected.insert(expected.end(), {"a", ".a.roundpipe-0000000000000000.part", ".a.roundpipe-1111111111111111.part"});
    std::ranges::sort(expected);
    EXPECT_EQ(names(), expected);
}

TEST_P(FileDraftTest, ofTwoThatWriteTheSameNeitherRemovesTheOthers) {
    writeFileAtomically(at("a"), [&](const auto& put) {
        writeFileAtomically(at("a"), "inner");
        put(std::as_bytes(std::span("outer", 5)));
    });
    EXPECT_EQ(readTextFile(at("a")), "outer");
    EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_P(FileDraftTest, whatCannotTakeItsPlaceIsGone) {
    EXPECT_THROW(writeFileAtomically(at("a"), [&](const auto&) { fs::create_directory(at("a")); }), Error);
    EXPECT_EQ(names(), std::vector<std::string>{"a"});
    EXPECT_THROW(writeFileAtomically(m_folder.path() / "nowhere" / "a", "new"), Error);
}

// Another file comes between the look at what is there and the exchange: here, while the new one is given its name.
TEST_P(FileDraftTest, whatComesMeanwhileIsNotLost) {
    const FileStamp first = writeFileAtomically(at("a"), "first");
    EXPECT_THROW(writeFileAtomically({at("a"), first},
                                     [&](const auto&) {
                                         std::ofstream(at("b")) << "came meanwhile";
                                         fs::rename(at("b"), at("a"));
                                     }),
                 Error);
    EXPECT_EQ(readTextFile(at("a")), "came meanwhile");
    EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_P(FileDraftTest, aFolderIsLookedAtWithoutLeavingAnything) {
    std::ofstream(at(".writable")) << "precious";
    std::ofstream(at(".writable.part")) << "precious";
    requireWritable(m_folder.path());
    EXPECT_EQ(names().size(), 2U);
    EXPECT_EQ(readTextFile(at(".writable")), "precious");
    EXPECT_THROW(requireWritable(at("nowhere")), Error);
}

} // namespace
} // namespace roundpipe
