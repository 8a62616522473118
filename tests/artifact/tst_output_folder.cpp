// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/output/output_folder.h"
#include "artifact/output/put_aside.h"
#include "base/error.h"
#include "base/file.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <limits>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

class OutputFolderTest : public ::testing::Test {
protected:
    testing::TemporaryFolder folder;
    fs::path target = folder.path() / "out";

    ErrorKind refusal(int64_t bytes = 0) {
        try {
            const OutputFolder out(target, bytes);
        } catch (const Error& error) {
            return error.kind();
        }
        return ErrorKind::kInternal;
    }
    void exportOnce(const std::string& content) {
        OutputFolder out(target, 0);
        out.write("a.txt", content);
        out.commit();
    }
};

TEST_F(OutputFolderTest, isThereWholeWithChecksums) {
    {
        OutputFolder out(target, 0);
        out.write("a.txt", "abc");
        EXPECT_FALSE(fs::exists(target));
        out.commit();
    }
    EXPECT_EQ(readTextFile(target / "a.txt"), "abc");
    EXPECT_EQ(readTextFile(target / kChecksumsFile),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.txt\n");
    EXPECT_FALSE(fs::exists(target.string() + ".part"));
}

TEST_F(OutputFolderTest, leavesNothingWithoutCommit) {
    {
        OutputFolder out(target, 0);
        out.write("a.txt", "abc");
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_F(OutputFolderTest, leavesTheEarlierOneWhenStopped) {
    exportOnce("earlier");
    try {
        OutputFolder out(target, 0, [](int64_t) { return false; });
        out.write("a.txt", "abc");
        FAIL() << "went on";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kCancelled);
    }
    EXPECT_EQ(readTextFile(target / "a.txt"), "earlier");
}

TEST_F(OutputFolderTest, replacesAnEarlierExportAndNothingElse) {
    exportOnce("one");
    exportOnce("two");
    EXPECT_EQ(readTextFile(target / "a.txt"), "two");
    writeFileAtomically(target / "mine.txt", "not an export's");
    EXPECT_EQ(refusal(), ErrorKind::kInvalidInput);
    EXPECT_EQ(readTextFile(target / "mine.txt"), "not an export's");
    fs::remove_all(target);
    fs::create_directories(target / "sub"); // a folder of somebody else's
    EXPECT_EQ(refusal(), ErrorKind::kInvalidInput);
}

TEST_F(OutputFolderTest, refusesASecondExportUntilTheFirstIsDoneWith) {
    OutputFolder first(target, 0);
    first.write("a.txt", "of the first");
    EXPECT_EQ(refusal(), ErrorKind::kInvalidInput);
    first.write("b.txt", "of the first"); // nobody has taken its folder away
    {
        const FolderLock isProved = first.commit();
        EXPECT_EQ(refusal(), ErrorKind::kInvalidInput);
        EXPECT_FALSE(fs::exists(target.string() + ".part"));
    }
    EXPECT_EQ(readTextFile(target / "a.txt"), "of the first");
    EXPECT_EQ(readTextFile(target / "b.txt"), "of the first");
    exportOnce("of the second");
    EXPECT_EQ(readTextFile(target / "a.txt"), "of the second");
    EXPECT_FALSE(fs::exists(target / "b.txt"));
}

TEST_F(OutputFolderTest, clearsAwayAnInterruptedExportAndNoOtherFolder) {
    const fs::path draft = target.string() + ".part";
    fs::create_directories(draft);
    writeFileAtomically(draft / "somebody's", "x");
    EXPECT_EQ(refusal(), ErrorKind::kInvalidInput);
    EXPECT_TRUE(fs::exists(draft / "somebody's"));
    const std::string list = std::string(64, '0') + "  a.txt\n";
    writeFileAtomically(draft / kChecksumsFile, list); // as an export begins
    EXPECT_EQ(refusal(), ErrorKind::kInvalidInput);
    EXPECT_EQ(readTextFile(draft / "somebody's"), "x");
    fs::remove(draft / "somebody's");
    writeFileAtomically(draft / kChecksumsFile, list);
    writeFileAtomically(draft / "a.txt", "half");
    writeFileAtomically(draft / ".a.txt.roundpipe-0123456789abcdef.part", "half");
    exportOnce("again");
    EXPECT_EQ(readTextFile(target / "a.txt"), "again");
    EXPECT_FALSE(fs::exists(draft));
}

TEST_F(OutputFolderTest, whatOthersPutIntoItMeanwhileStays) {
    const fs::path draft = target.string() + ".part";
    {
        OutputFolder out(target, 0);
        out.write("a.txt", "abc");
        writeFileAtomically(draft / "mine", "x");
    }
    EXPECT_EQ(readTextFile(draft / "mine"), "x");
    EXPECT_FALSE(fs::exists(draft / "a.txt"));
    fs::remove_all(draft);
    exportOnce("one");
    const fs::path replaced = draft.string() + ".replaced";
    fs::create_directories(replaced);
    writeFileAtomically(replaced / "mine", "x");
    EXPECT_EQ(refusal(), ErrorKind::kInvalidInput);
    EXPECT_EQ(readTextFile(replaced / "mine"), "x");
    fs::remove(replaced / "mine");
    writeFileAtomically(replaced / kChecksumsFile, std::string(64, '0') + "  a.txt\n"); // an export was killed there
    writeFileAtomically(replaced / "a.txt", "older");
    exportOnce("two");
    EXPECT_EQ(readTextFile(target / "a.txt"), "two");
    EXPECT_FALSE(fs::exists(replaced));
}

TEST_F(OutputFolderTest, looksAtTheDiskFirst) {
    EXPECT_EQ(refusal(std::numeric_limits<int64_t>::max() / 2), ErrorKind::kNoSpace);
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_F(OutputFolderTest, saysWhatStandsInTheWay) {
    writeFileAtomically(folder.path() / "file", "x");
    target = folder.path() / "file";
    EXPECT_EQ(refusal(), ErrorKind::kInvalidInput);
    target = folder.path() / "file/below"; // its parent is no folder
    EXPECT_EQ(refusal(), ErrorKind::kIo);
}

TEST_F(OutputFolderTest, piecesAreWrittenInTheirOrder) {
    OutputFolder out(target, 0);
    std::string wanted;
    out.write("big", [&](const PutBytes& put) {
        PutAside aside(put);
        for (int i = 0; i < 50; ++i) {
            const std::string piece(static_cast<std::size_t>(1 + i * 977), static_cast<char>('a' + i % 26));
            wanted += piece;
            std::ranges::copy(std::as_bytes(std::span(piece)), aside.next(piece.size()).begin());
            aside.put();
        }
        aside.finish();
    });
    out.commit();
    EXPECT_EQ(readTextFile(target / "big"), wanted);
}

} // namespace
} // namespace roundpipe::artifact
