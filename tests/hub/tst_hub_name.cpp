#include "hub/about/hub_name.h"
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
