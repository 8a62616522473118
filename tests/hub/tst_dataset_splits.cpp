// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/choose/dataset_splits.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

#include <chrono>

namespace roundpipe::hub {
namespace {

using testing::expectError;
using Names = std::vector<std::string>;

DatasetChoice choose(const Names& paths, const std::string& name = "org/rows",
                     const std::vector<CardSubset>& card = {}) {
    Listing listing;
    for (const std::string& path : paths)
        listing.files.push_back({.path = path, .sizeBytes = 1});
    return chooseSplit(listing, card, parseHubName(name, HubKind::kDataset));
}

Names pathsOf(const DatasetChoice& choice) {
    Names names;
    for (const HubFile& file : choice.files)
        names.push_back(file.path);
    return names;
}

TEST(HubDatasetSplits, areToldByNumberedParts) {
    const Names paths = {"README.md", "data/train-00001-of-00002.parquet", "data/train-00000-of-00002.parquet",
                         "data/odd_ones-00000-of-00001-0a1b.parquet", "dataset_infos.json"};
    const DatasetChoice train = choose(paths);
    EXPECT_EQ(train.split, "train");
    EXPECT_EQ(pathsOf(train), (Names{"data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet"}));
    EXPECT_EQ(train.otherSplits, (Names{"odd_ones"}));
    EXPECT_EQ(pathsOf(choose(paths, "org/rows:odd_ones")), (Names{"data/odd_ones-00000-of-00001-0a1b.parquet"}));
}

TEST(HubDatasetSplits, areToldByWordsOfNamesAndFolders) {
    EXPECT_EQ(pathsOf(choose({"my_train_file.csv", "test1.csv", "dev.csv"})), (Names{"my_train_file.csv"}));
    EXPECT_EQ(choose({"my_train_file.csv", "test1.csv", "dev.csv"}).otherSplits, (Names{"test", "validation"}));
    EXPECT_EQ(pathsOf(choose({"Training/a.jsonl.gz", "eval/a.jsonl.gz"})), (Names{"Training/a.jsonl.gz"}));
    EXPECT_EQ(pathsOf(choose({"retrained.csv", "b.csv"})), (Names{"b.csv", "retrained.csv"})) << "no word of these";
    EXPECT_EQ(choose({"only/test.csv"}).split, "test") << "the only one there is";
}

TEST(HubDatasetSplits, areOfOneFormat) {
    EXPECT_EQ(pathsOf(choose({"train.csv", "train.parquet", ".hidden/train.csv", "train.py"})),
              (Names{"train.parquet"}));
    EXPECT_EQ(pathsOf(choose({"train-a.csv", "train-b.csv", "train.parquet"})), (Names{"train-a.csv", "train-b.csv"}));
}

TEST(HubDatasetSplits, areThoseOfTheCardWhereItNamesSome) {
    const Names paths = {"a/one.jsonl", "a/two.jsonl", "b/one.jsonl", "b/train.jsonl"};
    const std::vector<CardSubset> card = {{.name = "first",
                                           .isDefault = false,
                                           .folder = {},
                                           .splits = {{"train", {"a/*.jsonl"}}, {"test", {"b/one.jsonl"}}}},
                                          {.name = "second", .isDefault = false, .folder = "b", .splits = {}}};
    EXPECT_EQ(pathsOf(choose(paths, "org/rows/first", card)), (Names{"a/one.jsonl", "a/two.jsonl"}));
    EXPECT_EQ(pathsOf(choose(paths, "org/rows/first:test", card)), (Names{"b/one.jsonl"}));
    EXPECT_EQ(pathsOf(choose(paths, "org/rows/second", card)), (Names{"b/train.jsonl"}));
    expectError(ErrorKind::kInvalidInput, {"several subsets", "first, second"},
                [&] { choose(paths, "org/rows", card); });
    expectError(ErrorKind::kInvalidInput, {"no subset 'x'", "first, second"},
                [&] { choose(paths, "org/rows/x", card); });
    expectError(ErrorKind::kInvalidInput, {"no split 'dev'", "test, train"},
                [&] { choose(paths, "org/rows/first:dev", card); });
}

TEST(HubDatasetSplits, ofASubsetWithoutACardAreInItsFolder) {
    const Names paths = {"en/train/0000.parquet", "en/test/0000.parquet", "de/train/0000.parquet"};
    EXPECT_EQ(pathsOf(choose(paths, "org/rows/en:test")), (Names{"en/test/0000.parquet"}));
    expectError(ErrorKind::kInvalidInput, {"no subset 'fr'"}, [&] { choose(paths, "org/rows/fr"); });
}

TEST(HubDatasetSplits, areMissedInWords) {
    expectError(ErrorKind::kUnsupported, {"no data files", "not run", "refs/convert/parquet"}, [] {
        choose({"rows.py", "README.md"});
    });
    expectError(ErrorKind::kInvalidInput, {"no split 'train'", "test, validation"}, [] {
        choose({"test.csv", "valid.csv"});
    });
}

TEST(HubDatasetSplits, patternsStandForNames) {
    EXPECT_TRUE(fitsPattern("data/train-0.parquet", "data/train-*"));
    EXPECT_FALSE(fitsPattern("data/x/train-0.parquet", "data/*"));
    EXPECT_TRUE(fitsPattern("data/x/train-0.parquet", "data/**"));
    EXPECT_TRUE(fitsPattern("train.csv", "**/train.csv"));
    EXPECT_TRUE(fitsPattern("a/b/train.csv", "**/train.csv"));
    EXPECT_FALSE(fitsPattern("a/b/xtrain.csv", "**/train.csv"));
    EXPECT_TRUE(fitsPattern("ab.csv", "a?.csv"));
    EXPECT_FALSE(fitsPattern("a/.csv", "a?.csv"));
    EXPECT_FALSE(fitsPattern("a", ""));
    const auto begin = std::chrono::steady_clock::now();
    std::string hostile;
    for (int i = 0; i < 200; ++i)
        hostile += "*a";
    EXPECT_FALSE(fitsPattern(std::string(500, 'a') + "b", hostile));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

} // namespace
} // namespace roundpipe::hub
