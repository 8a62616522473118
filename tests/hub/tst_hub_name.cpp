// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/about/hub_name.h"
#include "session/spec/hub_prefix.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

namespace roundpipe::hub {
namespace {

using testing::expectError;

TEST(HubName, hasARepositoryASubsetARevisionAndASplit) {
    const HubName model = parseHubName("hf:Qwen/Qwen3-8B", HubKind::kModel);
    EXPECT_EQ(model.repository, "Qwen/Qwen3-8B");
    EXPECT_EQ(model.revision, "main");
    EXPECT_EQ(parseHubName("Qwen/Qwen3-8B@v1.0", HubKind::kModel).revision, "v1.0");
    EXPECT_EQ(parseHubName("gpt2", HubKind::kModel).repository, "gpt2");

    const HubName rows = parseHubName("hf:openai/gsm8k/main@refs/convert/parquet:test", HubKind::kDataset);
    EXPECT_EQ(rows.repository, "openai/gsm8k");
    EXPECT_EQ(rows.subset, "main");
    EXPECT_EQ(rows.revision, "refs/convert/parquet");
    EXPECT_EQ(rows.split, "test");
    EXPECT_EQ(rows.text(), "hf:openai/gsm8k/main@refs/convert/parquet:test");
}

TEST(HubName, isRefusedWhereItCouldLeadElsewhere) {
    for (const char* const bad :
         {"", "hf:", "hf:/etc", "hf:../x", "hf:a/..", "hf:a/b--c", "hf:a/.b", "hf:-a/b", "hf:a/b.git", "hf:a b/c",
          "hf:a/b?x=1", "hf:a/b#c", "hf:a/b%2e", "hf:a\\b", "hf:https://x.org/a"})
        expectError(ErrorKind::kInvalidInput, {"is no name of the Hub", "hf:OWNER/NAME"},
                    [&] { parseHubName(bad, HubKind::kModel); });
    for (const char* const bad : {"a/b@", "a/b@../..", "a/b@/etc", "a/b@x y", "a/b@x//y"})
        expectError(ErrorKind::kInvalidInput, {"is no revision"}, [&] { parseHubName(bad, HubKind::kModel); });
    expectError(ErrorKind::kInvalidInput, {"a model has no split"}, [] { parseHubName("a/b:train", HubKind::kModel); });
    expectError(ErrorKind::kInvalidInput, {"a model has no subset"}, [] { parseHubName("a/b/c", HubKind::kModel); });
    expectError(ErrorKind::kInvalidInput, {"is no split"}, [] { parseHubName("a/b:", HubKind::kDataset); });
    expectError(ErrorKind::kInvalidInput, {"is no subset"}, [] { parseHubName("a/b/c/d", HubKind::kDataset); });
    expectError(ErrorKind::kInvalidInput, {"is no owner"}, [] { parseHubName(std::string(97, 'a'), HubKind::kModel); });
}

TEST(HubName, isReadOffTheAddressOfAPage) {
    const auto model = [](const char* address) { return parseHubName(address, HubKind::kModel).text(); };
    const auto rows = [](const char* address) { return parseHubName(address, HubKind::kDataset).text(); };
    for (const char* const page :
         {"https://huggingface.co/Qwen/Qwen3-8B", "https://huggingface.co/Qwen/Qwen3-8B/",
          "http://hf.co/Qwen/Qwen3-8B?library=transformers#usage", "https://huggingface.co/Qwen/Qwen3-8B/tree/main",
          "https://huggingface.co/Qwen/Qwen3-8B/blob/main/model-00001-of-00005.safetensors",
          "https://huggingface.co/Qwen/Qwen3-8B/discussions/12", "https://www.huggingface.co/Qwen/Qwen3-8B/commits"})
        EXPECT_EQ(model(page), "hf:Qwen/Qwen3-8B@main") << page;
    EXPECT_EQ(model("https://huggingface.co/gpt2/tree/v1.0"), "hf:gpt2@v1.0");
    EXPECT_EQ(model("https://huggingface.co/a/b/tree/refs%2Fpr%2F1"), "hf:a/b@refs/pr/1");
    EXPECT_EQ(rows("https://huggingface.co/datasets/openai/gsm8k"), "hf:openai/gsm8k@main");
    EXPECT_EQ(rows("https://huggingface.co/datasets/squad"), "hf:squad@main");
    EXPECT_EQ(rows("https://huggingface.co/datasets/openai/gsm8k/tree/refs%2Fconvert%2Fparquet/main"),
              "hf:openai/gsm8k@refs/convert/parquet");
    EXPECT_EQ(rows("https://huggingface.co/datasets/openai/gsm8k/viewer/main/test?p=1"),
              "hf:openai/gsm8k/main@main:test");
    EXPECT_EQ(rows("https://huggingface.co/datasets/a/b/viewer/default/train"), "hf:a/b@main:train");
    EXPECT_EQ(rows("https://huggingface.co/datasets/a/b/blob/main/data/one%20file.parquet"),
              "hf:a/b@main#data/one file.parquet");
    const HubName file = parseHubName("hf:a/b@v1#data/x:y@z.jsonl", HubKind::kDataset);
    EXPECT_EQ(file.file, "data/x:y@z.jsonl");
    EXPECT_EQ(file.revision, "v1");
    EXPECT_FALSE(session::isHubName("https://example.org/a/b"));
    EXPECT_FALSE(session::isHubName("https://huggingface.co.example.org/a/b"));
    EXPECT_FALSE(session::isHubName("huggingface.co/a/b")) << "a path";
}

TEST(HubName, isNotReadOffOtherPages) {
    for (const char* const other : {"https://huggingface.co/spaces/a/b", "https://huggingface.co/docs/hub/index",
                                    "https://huggingface.co/datasets", "https://huggingface.co/?q=1"})
        expectError(ErrorKind::kInvalidInput, {"the page of no model and no dataset", "copy its address"},
                    [&] { parseHubName(other, HubKind::kModel); });
    expectError(ErrorKind::kInvalidInput, {"the page of a dataset, and a model is wanted"},
                [] { parseHubName("https://huggingface.co/datasets/a/b", HubKind::kModel); });
    expectError(ErrorKind::kInvalidInput, {"the page of a model, and a dataset is wanted"},
                [] { parseHubName("https://huggingface.co/a/b", HubKind::kDataset); });
    for (const char* const bad : {"https://huggingface.co/a%2F../b", "https://huggingface.co/a/b/tree/..%2F..%2Fx",
                                  "https://huggingface.co/a/..", "https://huggingface.co/a/b%",
                                  "https://huggingface.co/a/b%zz", "https://huggingface.co/a/b%00"})
        EXPECT_THROW(parseHubName(bad, HubKind::kModel), Error) << bad;
    for (const char* const bad :
         {"https://huggingface.co/datasets/a/b/blob/main/..%2Fx", "https://huggingface.co/datasets/a/b/blob/main/../x",
          "hf:a/b#", "hf:a/b#/etc/passwd", "hf:a/b:train#x", "hf:a/b/c#x"})
        EXPECT_THROW(parseHubName(bad, HubKind::kDataset), Error) << bad;
}

TEST(HubName, knowsPathsThatStayWhereTheyAre) {
    for (const char* const good : {"a", "a/b.json", "data/train-*.parquet", "a b/ü.txt", "..a", "a..", "-x"})
        EXPECT_TRUE(isSafePath(good)) << good;
    for (const std::string& bad :
         {std::string(), std::string("/a"), std::string("../a"), std::string("a/../b"), std::string("a//b"),
          std::string("a/"), std::string("./a"), std::string("a/."), std::string("a\nb"), std::string("a\0b", 3),
          std::string(256, 'a'), std::string(600, 'a') + "/" + std::string(600, 'a')})
        EXPECT_FALSE(isSafePath(bad)) << bad;
    EXPECT_TRUE(isCommit("0123456789abcdef0123456789abcdef01234567"));
    EXPECT_FALSE(isCommit("0123456789abcdef0123456789abcdef0123456"));
    EXPECT_FALSE(isCommit("main"));
}

} // namespace
} // namespace roundpipe::hub
