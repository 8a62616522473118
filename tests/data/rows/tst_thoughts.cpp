// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/thoughts.h"

#include "testing/fixtures.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace roundpipe::data {
namespace {

std::string placed(const char* messages, ThoughtPlace place) {
    Json json = Json::parse(messages);
    placeThoughts(json, place);
    return json.dump();
}

constexpr const char* kThought = R"([{"role":"assistant","content":"a","reasoning_content":" t "}])";
constexpr const char* kInContent = R"([{"role":"assistant","content":"<think>\nt\n</think>\n\na"}])";

TEST(Thoughts, goWhereTheTemplateLooksForThem) {
    EXPECT_EQ(placed(kThought, ThoughtPlace::kReasoningContent), kThought);
    EXPECT_EQ(placed(kThought, ThoughtPlace::kThinking), R"([{"role":"assistant","content":"a","thinking":" t "}])");
    EXPECT_EQ(placed(kThought, ThoughtPlace::kContent), kInContent);
    EXPECT_EQ(placed(kThought, ThoughtPlace::kBracketed), R"([{"role":"assistant","content":"[THINK] t [/THINK]a"}])");
    EXPECT_EQ(withoutBrackets("[THINK] t [/THINK]a"), " t a");
    EXPECT_FALSE(withoutBrackets("a [THINK]t[/THINK]")); // somebody's own words
}

TEST(Thoughts, inTheContentStayThereUnlessTheTemplateWouldPrintThemAsAnswer) {
    EXPECT_EQ(placed(kInContent, ThoughtPlace::kReasoningContent), kInContent);
    EXPECT_EQ(placed(kInContent, ThoughtPlace::kContent), kInContent);
    EXPECT_EQ(placed(kInContent, ThoughtPlace::kThinking), R"([{"role":"assistant","content":"a","thinking":"t"}])");
    EXPECT_EQ(placed(kInContent, ThoughtPlace::kBracketed), R"([{"role":"assistant","content":"[THINK]t[/THINK]a"}])");
    const char* user = R"([{"role":"user","content":"<think>x</think>"}])";
    EXPECT_EQ(placed(user, ThoughtPlace::kThinking), user);
}

TEST(Thoughts, arePlacedByWhatRealTemplatesRead) {
    RP_REQUIRE_FIXTURES();
    const auto placeOf = [](const char* name) {
        std::ostringstream source;
        source << std::ifstream(testing::fixtures() / "chat_templates" / name).rdbuf();
        EXPECT_FALSE(source.str().empty()) << name;
        return thoughtPlaceOf(source.str());
    };
    for (const char* name : {"Qwen-Qwen3-0.6B.jinja", "trl/qwen3_training.jinja"})
        EXPECT_EQ(placeOf(name), ThoughtPlace::kReasoningContent) << name;
    for (const char* name : {"openai-gpt-oss-120b.jinja", "trl/gptoss_training.jinja"})
        EXPECT_EQ(placeOf(name), ThoughtPlace::kThinking) << name;
    EXPECT_EQ(placeOf("mistralai-Ministral-3-14B-Reasoning-2512.jinja"), ThoughtPlace::kBracketed);
    for (const char* name : {"deepseek-ai-DeepSeek-R1-Distill-Llama-8B.jinja", "deepseek-ai-DeepSeek-V3.1.jinja",
                             "HuggingFaceTB-SmolLM3-3B.jinja", "meta-llama-Llama-3.1-8B-Instruct.jinja"})
        EXPECT_EQ(placeOf(name), ThoughtPlace::kContent) << name;
}

} // namespace
} // namespace roundpipe::data
