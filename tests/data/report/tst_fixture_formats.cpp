// SPDX-License-Identifier: GPL-3.0-or-later
// Every real data set of the fixtures: how many rows it has, what it is taken for, and how many rows are no use.
#include "data/report/inspect.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

struct Expected {
    const char* file;
    FileKind kind;
    DataFormat format;
    int64_t numRows;
    int64_t numBad;
    std::vector<session::ColumnChoice> columns = {};
};

TEST(FixtureFormats, areRecognised) {
    RP_REQUIRE_FIXTURES();
    const Expected all[] = {
        {"alpaca_subset.csv", FileKind::kCsv, DataFormat::kAlpaca, 500, 0},
        {"dolly_subset_prompt_answer.jsonl", FileKind::kJsonLines, DataFormat::kCompletion, 151, 0},
        {"fastchat_dummy_conversation_sharegpt.json", FileKind::kJsonArray, DataFormat::kShareGpt, 500, 0},
        {"gsm8k_test_verl.parquet",
         FileKind::kParquet,
         DataFormat::kCompletion,
         1319,
         0,
         {{"completion", "extra_info.answer"}}},
        {"gsm8k_test_verl.parquet", FileKind::kParquet, DataFormat::kAuto, 1319, 0},
        {"gsm8k_train.jsonl", FileKind::kJsonLines, DataFormat::kAlpaca, 7473, 0},
        {"mlx_prompt_completion_train.jsonl", FileKind::kJsonLines, DataFormat::kCompletion, 1800, 0},
        {"mlx_prompt_completion_valid.jsonl", FileKind::kJsonLines, DataFormat::kCompletion, 144, 0},
        {"mt_bench_question.jsonl", FileKind::kJsonLines, DataFormat::kAuto, 80, 0}, // questions without an answer
        {"openai_toy_chat_fine_tuning.jsonl", FileKind::kJsonLines, DataFormat::kMessages, 10, 0},
        {"self_instruct_seed_tasks.jsonl",
         FileKind::kJsonLines,
         DataFormat::kAlpaca,
         175,
         0,
         {{"input", "instances.0.input"}, {"output", "instances.0.output"}}},
        {"llama_factory/alpaca_en_demo.json", FileKind::kJsonArray, DataFormat::kAlpaca, 999, 0},
        {"llama_factory/alpaca_zh_demo.json", FileKind::kJsonArray, DataFormat::kAlpaca, 1000, 0},
        {"llama_factory/c4_demo.jsonl", FileKind::kJsonLines, DataFormat::kText, 300, 0},
        {"llama_factory/dpo_en_demo.json", FileKind::kJsonArray, DataFormat::kAuto, 300, 0}, // preferences
        {"llama_factory/dpo_en_demo.json",
         FileKind::kJsonArray,
         DataFormat::kCompletion,
         300,
         0,
         {{"prompt", "conversations"}, {"completion", "chosen"}}},
        {"llama_factory/glaive_toolcall_en_demo.json", FileKind::kJsonArray, DataFormat::kShareGpt, 300, 0},
        {"llama_factory/identity.json", FileKind::kJsonArray, DataFormat::kAlpaca, 91, 0},
        {"llama_factory/mllm_demo.json", FileKind::kJsonArray, DataFormat::kMessages, 6, 6}, // images
        {"llama_factory/v1_sft_demo.jsonl", FileKind::kJsonLines, DataFormat::kMessages, 500, 0},
    };
    for (const Expected& expected : all) {
        SCOPED_TRACE(expected.file);
        RowFormat format;
        format.columns = expected.columns;
        const FileReport report = inspectFile(testing::fixtures() / "datasets" / expected.file, format);
        EXPECT_EQ(toString(report.file.kind), std::string(toString(expected.kind)));
        EXPECT_EQ(spellingOf(report.format.kind), std::string(spellingOf(expected.format)));
        EXPECT_EQ(report.numRows, expected.numRows);
        EXPECT_EQ(report.numBad, expected.numBad) << (report.badRows.empty() ? "" : report.badRows[0].problem);
        EXPECT_EQ(report.formatProblem.empty(), expected.format != DataFormat::kAuto) << report.formatProblem;
        EXPECT_EQ(report.formatReason.empty(), expected.format == DataFormat::kAuto);
    }
}

TEST(FixtureFormats, areRefusedWithWordsWhereTheyAreNoRows) {
    RP_REQUIRE_FIXTURES();
    testing::expectError(ErrorKind::kInvalidInput, {"dataset_info.json", "one JSON object"}, [] {
        inspectFile(testing::fixtures() / "datasets" / "llama_factory" / "dataset_info.json", {});
    });
}

} // namespace
} // namespace roundpipe::data
