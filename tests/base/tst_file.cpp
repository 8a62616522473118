// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <initializer_list>
#include <span>
#include <sys/stat.h>
#include <utility>

namespace roundpipe {
namespace {
namespace fs = std::filesystem;

auto numIn(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(File, readsWhatWasWritten) {
    const testing::TemporaryFolder folder;
    writeFileAtomically(folder.path() / "a", "hello");
    EXPECT_EQ(readTextFile(folder.path() / "a"), "hello");
    std::array<std::byte, 3> part{};
    FileReader(folder.path() / "a").readAt(1, part);
    EXPECT_EQ(static_cast<char>(part[0]), 'e');
}

TEST(File, namesTheByteWhereATruncatedFileEnds) {
    const testing::TemporaryFolder folder;
    writeFileAtomically(folder.path() / "a", "hello");
    std::array<std::byte, 6> part{};
    try {
        FileReader(folder.path() / "a").readAt(1, part);
        FAIL() << "read past the end";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kIo);
        EXPECT_NE(std::string(error.what()).find("byte 5"), std::string::npos) << error.what();
    }
}

// It is not there in memory to find out.
TEST(File, readsNothingLargeWhereSettingsOrAListAreExpected) {
    const testing::TemporaryFolder folder;
    const fs::path path = folder.path() / "run.json";
    writeFileAtomically(path, "{}");
    fs::resize_file(path, uint64_t{1} << 29);
    try {
        readTextFile(path);
        FAIL() << "it was read";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kInvalidInput);
        EXPECT_NE(error.message().find("run.json' has 512 MiB, and is to have 16.0 MiB at most"), std::string::npos)
            << error.message();
        EXPECT_FALSE(error.advice().empty());
    }
    EXPECT_EQ(readTextFile(path, int64_t{1} << 29).size(), std::size_t{1} << 29);
}

// Without a writer, opening a pipe would wait for ever.
TEST(File, readsNothingButFiles) {
    const testing::TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const auto& [path, what] :
         std::initializer_list<std::pair<fs::path, std::string>>{{pipe, "a pipe"}, {"/dev/null", "a device"}})
        try {
            readTextFile(path);
            ADD_FAILURE() << path << " was read";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::kInvalidInput);
            EXPECT_NE(error.message().find(what), std::string::npos) << error.message();
        }
}

// A rename would put a file in its place.
TEST(File, replacesNothingButFiles) {
    const testing::TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe", link = folder.path() / "link", sub = folder.path() / "sub";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    writeFileAtomically(folder.path() / "a", "hello");
    fs::create_symlink(folder.path() / "a", link);
    fs::create_directory(sub);
    for (const auto& [path, what] :
         std::initializer_list<std::pair<fs::path, std::string>>{{pipe, "a pipe"}, {link, "a link"}, {sub, "a folder"}})
        try {
            writeFileAtomically(path, "new");
            ADD_FAILURE() << path << " was replaced";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::kInvalidInput);
            EXPECT_NE(error.message().find(what), std::string::npos) << error.message();
        }
    EXPECT_TRUE(fs::is_fifo(pipe) && fs::is_symlink(link) && fs::is_directory(sub));
    EXPECT_EQ(readTextFile(folder.path() / "a"), "hello");
    EXPECT_EQ(numIn(folder.path()), 4);
}

TEST(File, replacesNothingThatComesWhereNothingIsToBeReplaced) {
    const testing::TemporaryFolder folder;
    const fs::path path = folder.path() / "a";
    try {
        writeFileAtomically({path, FileStamp{}}, [&](const auto& put) {
            std::ofstream(path) << "came meanwhile";
            put(std::as_bytes(std::span("mine", 4)));
        });
        FAIL() << "it was replaced";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kInvalidInput);
        EXPECT_NE(error.message().find("it came while this was being made"), std::string::npos) << error.message();
    }
    EXPECT_EQ(readTextFile(path), "came meanwhile");
    EXPECT_EQ(numIn(folder.path()), 1);
}

TEST(File, replacesOnlyTheOneThatItMay) {
    const testing::TemporaryFolder folder;
    const fs::path path = folder.path() / "a";
    const FileStamp first = writeFileAtomically({path, FileStamp{}}, "first");
    EXPECT_EQ(first, stampOf(path));
    const FileStamp second = writeFileAtomically({path, first}, "second");
    EXPECT_EQ(readTextFile(path), "second");
    EXPECT_EQ(second, stampOf(path));
    const auto refused = [&](const char* why) {
        try {
            writeFileAtomically({path, second}, "mine");
            ADD_FAILURE() << "replaced what is " << why;
        } catch (const Error& error) {
            EXPECT_NE(error.message().find("is another file than it was, and was left"), std::string::npos)
                << error.message();
        }
    };
    std::ofstream(path) << "edited";
    refused("edited");
    EXPECT_EQ(readTextFile(path), "edited");
    fs::remove(path);
    refused("gone");
    EXPECT_FALSE(fs::exists(path));
    fs::create_directory(path);
    EXPECT_THROW(writeFileAtomically({path, second}, "mine"), Error);
    EXPECT_TRUE(fs::is_directory(path));
    EXPECT_EQ(numIn(folder.path()), 1);
}

TEST(File, keepsTheOldContentWhenWritingFails) {
    const testing::TemporaryFolder folder;
    const fs::path path = folder.path() / "a";
    writeFileAtomically(path, "old");
    EXPECT_THROW(writeFileAtomically(path,
                                     [](const auto& put) {
                                         put(std::as_bytes(std::span("new", 3)));
                                         throw Error(ErrorKind::kCancelled, "stopped");
                                     }),
                 Error);
    EXPECT_EQ(readTextFile(path), "old");
    EXPECT_EQ(numIn(folder.path()), 1);
}

TEST(File, tellsAFullDiskFromOtherFailures) {
    EXPECT_EQ(ioError("write", "/x", ENOSPC).kind(), ErrorKind::kNoSpace);
    EXPECT_EQ(ioError("write", "/x", EACCES).kind(), ErrorKind::kIo);
}

TEST(File, replacesAFolderThatHasFiles) {
    const testing::TemporaryFolder folder;
    fs::create_directories(folder.path() / "new");
    fs::create_directories(folder.path() / "target");
    writeFileAtomically(folder.path() / "new" / "a", "new");
    writeFileAtomically(folder.path() / "target" / "b", "old");
    fs::create_directories(folder.path() / "target.old");
    writeFileAtomically(folder.path() / "target.old" / "c", "somebody's");
    replaceFolder(folder.path() / "new", folder.path() / "target", folder.path() / "aside");
    EXPECT_EQ(readTextFile(folder.path() / "target" / "a"), "new");
    EXPECT_FALSE(fs::exists(folder.path() / "target" / "b"));
    EXPECT_EQ(readTextFile(folder.path() / "target.old" / "c"), "somebody's");
    EXPECT_EQ(readTextFile(folder.path() / "aside" / "b"), "old");
    fs::create_directories(folder.path() / "new");
    EXPECT_THROW(replaceFolder(folder.path() / "new", folder.path() / "target", folder.path() / "target.old"), Error);
    EXPECT_EQ(readTextFile(folder.path() / "target" / "a"), "new") << "where it can't be kept, it stays";
    EXPECT_EQ(readTextFile(folder.path() / "target.old" / "c"), "somebody's");
}

TEST(File, keepsTheFolderThatItReplacesWhereItIsToldTo) {
    const testing::TemporaryFolder folder;
    const fs::path target = folder.path() / "target";
    for (const char* content : {"first", "second"}) { // the first has nothing to keep
        fs::create_directories(folder.path() / "new");
        writeFileAtomically(folder.path() / "new" / "a", content);
        replaceFolder(folder.path() / "new", target, folder.path() / "kept");
    }
    EXPECT_EQ(readTextFile(target / "a"), "second");
    EXPECT_EQ(readTextFile(folder.path() / "kept" / "a"), "first");
    EXPECT_FALSE(fs::exists(folder.path() / "new"));
}

} // namespace
} // namespace roundpipe
