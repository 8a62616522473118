// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/file_list.h"

#include "row_files.h"
#include "testing/expect_error.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

using testing::expectError;

class Files : public ::testing::Test {
protected:
    std::vector<std::string> names(const std::vector<std::filesystem::path>& paths) const {
        std::vector<std::string> result;
        for (const auto& path : paths)
            result.push_back(path.lexically_relative(m_files.folder()).string());
        return result;
    }
    using Names = std::vector<std::string>;

    RowFiles m_files;
};

TEST_F(Files, stayInTheOrderInWhichTheyAreNamedAndFoldersAreSorted) {
    const auto last = m_files.write("z.jsonl", "{}");
    for (const char* name : {"in/b.jsonl", "in/a.csv.gz", "in/sub/c.parquet", "in/B.json"})
        m_files.write(name, "{}");
    EXPECT_EQ(names(listFiles({last, m_files.folder() / "in"}).files),
              (Names{"z.jsonl", "in/B.json", "in/a.csv.gz", "in/b.jsonl", "in/sub/c.parquet"}));
}

TEST_F(Files, listsWhatItSkipsAndWhy) {
    for (const char* name : {"a.jsonl", "README.md", ".hidden.jsonl", ".git/x.jsonl", "dataset_info.json", "run.py"})
        m_files.write(name, "{}");
    m_files.write("part-1.jsonl", ""); // as programs leave it that write in parts
    const FileList list = listFiles({m_files.folder()});
    EXPECT_EQ(names(list.files), Names{"a.jsonl"});
    std::vector<std::string> skipped;
    for (const SkippedFile& file : list.skipped)
        skipped.push_back(file.path.filename().string() + " " + file.reason.text());
    std::ranges::sort(skipped);
    EXPECT_EQ(skipped, (Names{".git is hidden", ".hidden.jsonl is hidden", "README.md is a text beside files with rows",
                              "dataset_info.json describes a data set", "part-1.jsonl is empty",
                              "run.py has an ending that we do not know"}));
}

// As save_to_disk leaves a folder, with what map() has kept there.
TEST_F(Files, takesOfASavedDatasetWhatItsStateLists) {
    m_files.write("set/dataset_dict.json", R"({"splits":["train"]})");
    m_files.write("set/train/dataset_info.json", "{}");
    m_files.write("set/train/state.json", R"({"_data_files":[{"filename":"data-00000-of-00001.arrow"}]})");
    m_files.write("set/train/data-00000-of-00001.arrow", "x");
    m_files.write("set/train/cache-0123.arrow", "x");
    m_files.write("other/state.json", "no JSON");
    m_files.write("other/a.arrow", "x");
    const FileList list = listFiles({m_files.folder()});
    EXPECT_EQ(names(list.files), (Names{"other/a.arrow", "set/train/data-00000-of-00001.arrow"}));
    const auto cached = std::ranges::find_if(
        list.skipped, [](const SkippedFile& file) { return file.path.filename() == "cache-0123.arrow"; });
    ASSERT_NE(cached, list.skipped.end());
    EXPECT_EQ(cached->reason.text(), "is not among the data files that its folder's state.json lists");
}

TEST_F(Files, takesTextsOfAFolderWithoutRows) {
    m_files.write("a.txt", "x");
    m_files.write("b.md", "x");
    EXPECT_EQ(names(listFiles({m_files.folder()}).files), (Names{"a.txt", "b.md"}));
}

TEST_F(Files, refusesAFolderWithoutDataAndAFileNamedTwice) {
    m_files.write("in/run.py", "x");
    expectError(ErrorKind::kInvalidInput, {"in", "no data file", ".jsonl"},
                [&] { listFiles({m_files.folder() / "in"}); });
    const auto file = m_files.write("a.jsonl", "{}");
    expectError(ErrorKind::kInvalidInput, {"a.jsonl", "twice"}, [&] {
        listFiles({file, m_files.folder() / "in" / ".." / "a.jsonl"});
    });
}

TEST_F(Files, ofAFolderAreForWhatTheirNamesSay) {
    for (const char* name :
         {"in/train-00000-of-00002.parquet", "in/train-00001-of-00002.parquet", "in/sub/more.jsonl", "in/Dev.jsonl",
          "in/gsm8k_test.jsonl", "in/val/part-0.jsonl", "in/test/part-0.jsonl", "in/latest.jsonl",
          "in/a-dev-note.jsonl", "in/evaluation.csv.gz", "in/validation_matched.json"})
        m_files.write(name, "{}");
    const FileList list = listFiles({m_files.folder() / "in"});
    EXPECT_EQ(names(list.files), (Names{"in/a-dev-note.jsonl", "in/latest.jsonl", "in/sub/more.jsonl",
                                        "in/train-00000-of-00002.parquet", "in/train-00001-of-00002.parquet"}));
    EXPECT_EQ(names(list.validation),
              (Names{"in/Dev.jsonl", "in/evaluation.csv.gz", "in/val/part-0.jsonl", "in/validation_matched.json"}));
    ASSERT_EQ(list.skipped.size(), 2u);
    for (const SkippedFile& file : list.skipped)
        EXPECT_EQ(file.reason.text(), "is for testing, by its name");
    // Files that are named themselves, and a folder's own name, say nothing.
    EXPECT_EQ(listFiles({m_files.folder() / "in/gsm8k_test.jsonl"}).files.size(), 1u);
    EXPECT_EQ(names(listFiles({m_files.folder() / "in/test"}).files), Names{"in/test/part-0.jsonl"});
}

TEST_F(Files, areNotTrainedOnWhereTheirNamesLeaveNone) {
    m_files.write("in/test-00000-of-00001.parquet", "x");
    m_files.write("in/VALID.jsonl", "x");
    expectError(ErrorKind::kInvalidInput,
                {"no file to train on", "(VALID.jsonl, test-00000-of-00001.parquet)", "name the files themselves"},
                [&] { listFiles({m_files.folder() / "in"}); });
    const FileList named = listFiles({m_files.folder() / "in/VALID.jsonl"}); // as the error says
    EXPECT_EQ(names(named.files), Names{"in/VALID.jsonl"});
    EXPECT_TRUE(named.validation.empty());
}

// As where the disk has room; nothing is read twice, and a link around is no way without an end.
TEST_F(Files, ofAFolderAreFollowedByLinks) {
    namespace fs = std::filesystem;
    m_files.write("in/a.jsonl", "x");
    m_files.write("far/b.jsonl", "x");
    m_files.write("far/deep/c.jsonl", "x");
    fs::create_directory_symlink(m_files.folder() / "far", m_files.folder() / "in/more");
    fs::create_directory_symlink(m_files.folder() / "far/deep", m_files.folder() / "in/again");
    fs::create_directory_symlink(m_files.folder() / "in", m_files.folder() / "far/back");
    fs::create_directory_symlink(m_files.folder(), m_files.folder() / "in/up");
    EXPECT_EQ(names(listFiles({m_files.folder() / "in"}).files),
              (Names{"in/a.jsonl", "in/again/c.jsonl", "in/more/b.jsonl"}));
}

// The Studio writes them beside the rows.
TEST_F(Files, promptsOfAProjectAreNoRows) {
    m_files.write("in/rows.jsonl", "{}\n");
    m_files.write("in/prompts.json", "\n[ \"Who are you?\"]");
    const FileList list = listFiles({m_files.folder() / "in"});
    EXPECT_EQ(names(list.files), Names{"in/rows.jsonl"});
    ASSERT_EQ(list.skipped.size(), 1U);
    EXPECT_EQ(list.skipped[0].reason.text(), "is a text beside files with rows");
    for (const char* rows : {R"([{"prompt": "a", "completion": "b"}])", "{\"prompt\": \"a\"}\n"}) {
        m_files.write("in/prompts.json", rows);
        EXPECT_EQ(listFiles({m_files.folder() / "in"}).files.size(), 2U) << rows;
    }
    m_files.write("in/prompts.json", "");
    EXPECT_EQ(listFiles({m_files.folder() / "in"}).skipped.front().reason.text(), "is empty");
}

} // namespace
} // namespace roundpipe::data
