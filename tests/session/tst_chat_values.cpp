// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations as values: what is asked of base and tuned, what becomes a row, and the file both ways.
#include "session/chat_memory.h"
#include "session/conversation.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace roundpipe::session {
namespace {

using testing::expectError;

ChatConversation someConversation() {
    ChatConversation conversation;
    conversation.model = "models/Qwen3-8B";
    conversation.system = "Be brief.";
    conversation.adapters = {{"polly", 1}, {"sums", 0.5}};
    conversation.strength = 0.8;
    conversation.sampling.temperature = 0.7;
    conversation.sampling.topK = 40;
    conversation.sampling.stops = {"\nUser:"};
    conversation.messages = {{"user", "Who are you?"}, {"assistant", "Polly\n\"äö\""}, {"user", "Again?"}};
    return conversation;
}

TEST(Conversation, baseAndTunedAreAskedTheSameByTheSameAdapters) {
    const ChatConversation conversation = someConversation();
    const ChatQuestion tuned = questionOf(conversation, conversation.messages, false);
    const ChatQuestion base = questionOf(conversation, conversation.messages, true);
    ASSERT_EQ(tuned.messages.size(), 4U);
    EXPECT_EQ(tuned.messages.front().role, "system");
    EXPECT_EQ(base.messages.size(), tuned.messages.size());
    ASSERT_EQ(tuned.adapters.size(), 2U);
    EXPECT_DOUBLE_EQ(tuned.adapters[0].weight, 0.8);
    EXPECT_DOUBLE_EQ(tuned.adapters[1].weight, 0.4);
    EXPECT_EQ(base.adapters[0].name, "polly"); // whose template the prompt is written by
    EXPECT_EQ(base.adapters[0].weight, 0);
    EXPECT_EQ(base.adapters[1].weight, 0);
    EXPECT_EQ(tuned.sampling.topK, 40);
}

TEST(Conversation, anAnswerBecomesARowWithItsQuestionAndTheSystemMessage) {
    ChatConversation conversation = someConversation();
    const std::vector<ChatMessage> row = exchangeOf(conversation, conversation.messages, 1);
    ASSERT_EQ(row.size(), 3U);
    EXPECT_EQ(row[0].content, "Be brief.");
    EXPECT_EQ(row[1].content, "Who are you?");
    EXPECT_EQ(row[2].role, "assistant");
    conversation.system.clear();
    EXPECT_EQ(exchangeOf(conversation, conversation.messages, 1).size(), 2U);
    for (const std::size_t noAnswer : {std::size_t{0}, std::size_t{2}, std::size_t{3}, std::size_t(-1)})
        EXPECT_TRUE(exchangeOf(conversation, conversation.messages, noAnswer).empty()) << noAnswer;
}

TEST(Conversation, comesBackFromItsFile) {
    ChatConversation conversation = someConversation();
    conversation.baseMessages = {{"user", "Who are you?"}, {"assistant", "A model."}};
    const std::string json = conversationJson(conversation);
    EXPECT_TRUE(isConversation(json));
    const ChatConversation read = conversationIn(json);
    EXPECT_EQ(conversationJson(read), json);
    EXPECT_EQ(read.strength, 1); // it is in the weights
    EXPECT_DOUBLE_EQ(read.adapters[1].weight, 0.4);
    EXPECT_EQ(read.messages[1].content, "Polly\n\"äö\"");
    EXPECT_EQ(read.baseMessages->back().content, "A model.");
    EXPECT_EQ(read.sampling.stops, conversation.sampling.stops);
}

TEST(Conversation, whatAFileDoesNotSayStays) {
    ChatConversation before = someConversation();
    before.baseMessages = before.messages;
    const ChatConversation read = conversationIn(
        R"({"model": "m", "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]})",
        before);
    EXPECT_EQ(read.system, "Be kind."); // as in a row
    ASSERT_EQ(read.messages.size(), 1U);
    EXPECT_EQ(read.adapters.size(), 2U);
    EXPECT_EQ(read.strength, 0.8);
    EXPECT_EQ(read.sampling.topK, 40);
    EXPECT_FALSE(read.baseMessages);
}

TEST(Conversation, whatIsNoneIsRefusedInWords) {
    EXPECT_FALSE(isConversation("{"));
    EXPECT_FALSE(isConversation(R"({"messages": []})"));
    expectError(ErrorKind::kInvalidInput, {"holds no conversation"}, [] { conversationIn("{\"messages\": 3"); });
    expectError(ErrorKind::kInvalidInput, {"holds no conversation"}, [] { conversationIn(R"({"model": "m"})"); });
    expectError(ErrorKind::kInvalidInput, {"'top_p' is 2"},
                [] { conversationIn(R"({"model": "m", "messages": [], "sampling": {"top_p": 2}})"); });
}

TEST(Conversation, foldersOfRunsAreNamedAfterTheRun) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path run = folder.path() / "polly";
    std::filesystem::create_directories(run / "checkpoints" / "best");
    std::filesystem::create_directories(run / "adapter");
    EXPECT_EQ(nameOfFolder((run / "adapter").string()), "polly");
    EXPECT_EQ(nameOfFolder((run / "adapter" / "").string()), "polly");
    EXPECT_EQ(nameOfFolder((run / "checkpoints" / "best").string()), "polly-best");
    EXPECT_EQ(nameOfFolder((folder.path() / "other").string()), "other");
}

// Bracket by bracket such a file would take the stack, and much memory before.
TEST(Conversation, thatIsNestedWithoutAnEndIsRefused) {
    const std::string deep = R"({"model": "m", "messages": [], "sampling": )" + std::string(8'000'000, '[') +
                             std::string(8'000'000, ']') + "}";
    EXPECT_FALSE(isConversation(deep));
    testing::expectError(ErrorKind::kInvalidInput, {"no conversation", "nested"}, [&] { conversationIn(deep); });
}

TEST(ChatMemory, isWeightsAndCacheInTheTypeOfTheDevice) {
    const arch::ModelSpec model =
        arch::makeModelSpec(arch::readModelConfig(testing::sourceFolder() / "resources" / "demo" / "model"));
    const arch::ModelConfig& config = model.config;
    const int64_t perToken = 2 * config.numLayers * config.numKvHeads * config.headDim;
    const ChatMemory onGpu = chatMemoryOf(model, Precision::kAuto, true, 100);
    EXPECT_EQ(onGpu.hostBytes, 2 * model.numParameters()); // bf16
    EXPECT_EQ(onGpu.cacheBytes, 100 * perToken * 2);
    EXPECT_EQ(onGpu.deviceBytes, onGpu.hostBytes + onGpu.cacheBytes);
    const ChatMemory onCpu = chatMemoryOf(model, Precision::kAuto, false, 100);
    EXPECT_EQ(onCpu.deviceBytes, 0);
    EXPECT_EQ(onCpu.hostBytes, 2 * 4 * model.numParameters() + onCpu.cacheBytes); // fp32, and a worker's copy
    const ChatMemory most = chatMemoryOf(model, Precision::kAuto, true, 1 << 24);
    EXPECT_EQ(most.cacheBytes, config.maxPositions * perToken * 2); // never more than the model has
}

TEST(ChatMemory, longropeHasRoomForItsOriginalLengthWhereNobodySaysOtherwise) {
    arch::ModelConfig config = arch::readModelConfig(testing::sourceFolder() / "resources" / "demo" / "model");
    EXPECT_EQ(usualChatTokens(config), kUsualChatTokens);
    config.rope.type = arch::RopeConfig::Type::kLongRope;
    config.rope.originalMaxPositions = 4096;
    EXPECT_EQ(usualChatTokens(config), 4096);
    EXPECT_EQ(usualChatTokens(config, 1000), 1000);
}

} // namespace
} // namespace roundpipe::session
