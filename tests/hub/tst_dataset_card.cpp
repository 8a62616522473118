// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/choose/dataset_card.h"

#include <gtest/gtest.h>

namespace roundpipe::hub {
namespace {

using Patterns = std::vector<std::string>;

TEST(HubDatasetCard, namesSubsetsSplitsAndTheirFiles) {
    const auto subsets = subsetsOfCard("---\n"
                                       "license: mit\n"
                                       "dataset_info:\n"
                                       "- config_name: not this one\n"
                                       "configs:\n"
                                       "- config_name: main\n"
                                       "  data_files:\n"
                                       "  - split: train\n"
                                       "    path: data/train-*   # all of them\n"
                                       "  - split: test\n"
                                       "    path:\n"
                                       "    - \"a.jsonl\"\n"
                                       "    - 'b: c.jsonl'\n"
                                       "- config_name: other\n"
                                       "  default: true\n"
                                       "  data_files: [x.csv, \"y.csv\"]\n"
                                       "- config_name: third\n"
                                       "  data_dir: third\n"
                                       "size_categories:\n"
                                       "- n<1K\n"
                                       "---\n"
                                       "configs:\n"
                                       "- config_name: of the text\n");
    ASSERT_EQ(subsets.size(), 3u);
    EXPECT_EQ(subsets[0].name, "main");
    ASSERT_EQ(subsets[0].splits.size(), 2u);
    EXPECT_EQ(subsets[0].splits[0].split, "train");
    EXPECT_EQ(subsets[0].splits[0].patterns, (Patterns{"data/train-*"}));
    EXPECT_EQ(subsets[0].splits[1].split, "test");
    EXPECT_EQ(subsets[0].splits[1].patterns, (Patterns{"a.jsonl", "b: c.jsonl"}));
    EXPECT_TRUE(subsets[1].isDefault);
    ASSERT_EQ(subsets[1].splits.size(), 1u);
    EXPECT_EQ(subsets[1].splits[0].split, "train");
    EXPECT_EQ(subsets[1].splits[0].patterns, (Patterns{"x.csv", "y.csv"}));
    EXPECT_EQ(subsets[2].folder, "third");
    EXPECT_TRUE(subsets[2].splits.empty());
}

TEST(HubDatasetCard, isReadIndentedInAnyWay) {
    const auto subsets = subsetsOfCard("---\r\n"
                                       "configs:\r\n"
                                       "    -   config_name: a\r\n"
                                       "        data_files:\r\n"
                                       "        -   path: 'x/*.parquet'\r\n"
                                       "            split: validation\r\n"
                                       "---\r\n");
    ASSERT_EQ(subsets.size(), 1u);
    EXPECT_EQ(subsets[0].name, "a");
    ASSERT_EQ(subsets[0].splits.size(), 1u);
    EXPECT_EQ(subsets[0].splits[0].split, "validation");
    EXPECT_EQ(subsets[0].splits[0].patterns, (Patterns{"x/*.parquet"}));
}

TEST(HubDatasetCard, doesNotMindWhatIsNone) {
    for (const char* const text :
         {"", "---", "---\n", "# Rows\n", "---\nconfigs:\n", "---\nconfigs:\n-", "---\nconfigs:\n- \n",
          "---\nconfigs:\n  path: x\n", "---\nconfigs:\n- path:\n- [\n", "---\nconfigs:\n- split: \"\n"})
        for (const CardSubset& subset : subsetsOfCard(text)) {
            EXPECT_TRUE(subset.splits.empty()) << text;
        }
}

} // namespace
} // namespace roundpipe::hub
