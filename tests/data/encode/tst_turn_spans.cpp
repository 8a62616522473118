// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/turn_spans.h"

#include "testing/fixtures.h"
#include "text/chat_template.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace roundpipe::data {
namespace {

std::string fixtureTemplate(const std::string& name) {
    std::ifstream file(testing::fixtures() / "chat_templates" / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The texts of the assistant's turns that are found in what `source` renders, or "!" and why they are not.
std::vector<std::string> turnsOf(const std::string& source, const std::string& messages,
                                 const std::string& tools = {}) {
    const text::ChatTemplate chatTemplate =
        text::ChatTemplate::fromSource(source, R"({"bos_token":"<s>","eos_token":"</s>"})");
    const auto render = [&](const Json& rendered) {
        const std::string json = rendered.dump();
        return chatTemplate.render({json, tools, {}, {}}, {}).text;
    };
    const Conversation conversation =
        conversationOf(parseRow("{\"messages\":" + messages + "}"), DataFormat::kMessages);
    const std::string rendered = render(conversation.messages);
    std::vector<std::string> turns;
    try {
        for (const Span& span : assistantSpans(conversation, rendered, render))
            turns.push_back(rendered.substr(span.begin, span.end - span.begin));
    } catch (const RowProblem& problem) {
        EXPECT_NE(problem.reason(), DropReason::kTemplate);
        turns.push_back(std::string("!") + problem.what());
    }
    return turns;
}

using Turns = std::vector<std::string>;

constexpr const char* kTwoTurns = R"([{"role":"system","content":"S"},{"role":"user","content":"one"},)"
                                  R"({"role":"assistant","content":"uno"},{"role":"user","content":"two"},)"
                                  R"({"role":"assistant","content":" dos \n"}])";

TEST(TurnSpans, takesAnswersThatEndInBlanksOfAnyScript) {
    const char* trims = "{% for m in messages %}<{{ m.role }}>{{ m.content | trim }}</s>{% endfor %}";
    const auto answer = [&](const std::string& text) {
        return turnsOf(trims, R"([{"role":"user","content":"q"},{"role":"assistant","content":")" + text + "\"}]");
    };
    EXPECT_EQ(answer("\u3000\u7b54\u3048\u00a0\\n\u2003"), Turns{"\u7b54\u3048"}); // CJK, no-break, em space
    EXPECT_EQ(answer("\u200bx\u200b"), Turns{"\u200bx\u200b"});                    // no space to Python
    const char* cuts = "{% for m in messages %}<{{ m.role }}>{{ m.content | replace('x', '') }}</s>{% endfor %}";
    EXPECT_NE(turnsOf(cuts, R"([{"role":"user","content":"q"},{"role":"assistant","content":"\u3000xy"}])")
                  .at(0)
                  .find("rewrites the assistant's turn"),
              std::string::npos);
}

TEST(TurnSpans, findsTurnsInStockTemplates) {
    RP_REQUIRE_FIXTURES();
    const Turns asTheyAre = {"uno", " dos \n"};
    EXPECT_EQ(turnsOf(fixtureTemplate("Qwen-Qwen2.5-7B-Instruct.jinja"), kTwoTurns), asTheyAre);
    EXPECT_EQ(turnsOf(fixtureTemplate("trl/qwen3.jinja"), kTwoTurns), asTheyAre);
    EXPECT_EQ(turnsOf(fixtureTemplate("axolotl/chatml.jinja"), kTwoTurns), asTheyAre);
    EXPECT_EQ(turnsOf(fixtureTemplate("trl/phi3.jinja"), kTwoTurns), asTheyAre);
    const Turns trimmed = {"uno", "dos"};
    EXPECT_EQ(turnsOf(fixtureTemplate("trl/llama3.jinja"), kTwoTurns), trimmed);
    EXPECT_EQ(turnsOf(fixtureTemplate("meta-llama-Llama-3.1-8B-Instruct.jinja"), kTwoTurns), trimmed);
}

TEST(TurnSpans, findsTurnsThatAreAlike) {
    RP_REQUIRE_FIXTURES();
    const char* alike = R"([{"role":"user","content":"go on"},{"role":"assistant","content":"go on"},)"
                        R"({"role":"user","content":"go on"},{"role":"assistant","content":"go on"},)"
                        R"({"role":"user","content":"go on"},{"role":"assistant","content":"go on"}])";
    EXPECT_EQ(turnsOf(fixtureTemplate("Qwen-Qwen2.5-7B-Instruct.jinja"), alike), (Turns{"go on", "go on", "go on"}));
}

TEST(TurnSpans, takesThoughtsWhereTheTemplatePrintsThem) {
    RP_REQUIRE_FIXTURES();
    const char* thinking =
        R"([{"role":"user","content":"a"},{"role":"assistant","content":"<think>\nearly\n</think>\n\nA"},)"
        R"({"role":"user","content":"b"},{"role":"assistant","content":"<think>\nlate\n</think>\n\nB"}])";
    // Qwen3 removes the thoughts of earlier turns; Qwen2.5 knows nothing of thoughts.
    EXPECT_EQ(turnsOf(fixtureTemplate("trl/qwen3.jinja"), thinking), (Turns{"A", "<think>\nlate\n</think>\n\nB"}));
    EXPECT_EQ(turnsOf(fixtureTemplate("Qwen-Qwen2.5-7B-Instruct.jinja"), thinking),
              (Turns{"<think>\nearly\n</think>\n\nA", "<think>\nlate\n</think>\n\nB"}));
    // Words before a thought are the answer's too, where the template prints them.
    const char* lead =
        R"([{"role":"user","content":"a"},{"role":"assistant","content":"Wrap it: <think>hm</think> and A"}])";
    EXPECT_EQ(turnsOf(fixtureTemplate("Qwen-Qwen2.5-7B-Instruct.jinja"), lead),
              (Turns{"Wrap it: <think>hm</think> and A"}));
    EXPECT_EQ(turnsOf(fixtureTemplate("trl/qwen3.jinja"), lead), (Turns{"<think>\nhm\n</think>\n\n and A"}));
    const char* field = R"([{"role":"user","content":"a"},)"
                        R"({"role":"assistant","reasoning_content":"because","content":"A"}])";
    EXPECT_EQ(turnsOf(fixtureTemplate("trl/qwen3.jinja"), field), (Turns{"<think>\nbecause\n</think>\n\nA"}));
}

TEST(TurnSpans, leavesTheEmptyThoughtThatTheTemplateAdds) {
    RP_REQUIRE_FIXTURES();
    const char* plain = R"([{"role":"user","content":"a"},{"role":"assistant","content":"A"}])";
    EXPECT_EQ(turnsOf(fixtureTemplate("trl/qwen3.jinja"), plain), (Turns{"A"}));
}

TEST(TurnSpans, takesToolCallsAsPartOfTheTurn) {
    RP_REQUIRE_FIXTURES();
    const char* calls = R"([{"role":"user","content":"weather?"},{"role":"assistant","content":"",)"
                        R"("tool_calls":[{"function":{"name":"f","arguments":{"city":"Bonn"}}}]},)"
                        R"({"role":"tool","content":"rain"},{"role":"assistant","content":"Rain."}])";
    const char* tools = R"([{"type":"function","function":{"name":"f","parameters":{}}}])";
    const std::string call = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"city\": \"Bonn\"}}\n</tool_call>";
    EXPECT_EQ(turnsOf(fixtureTemplate("Qwen-Qwen2.5-7B-Instruct.jinja"), calls, tools), (Turns{call, "Rain."}));
    EXPECT_EQ(turnsOf(fixtureTemplate("trl/qwen3.jinja"), calls, tools), (Turns{call, "Rain."}));
}

TEST(TurnSpans, refusesATemplateThatPrintsNoToolCalls) {
    RP_REQUIRE_FIXTURES();
    const char* calls = R"([{"role":"user","content":"weather?"},{"role":"assistant","content":"",)"
                        R"("tool_calls":[{"function":{"name":"f","arguments":{}}}]}])";
    EXPECT_NE(turnsOf(fixtureTemplate("axolotl/chatml.jinja"), calls).at(0).find("tool call"), std::string::npos);
}

constexpr const char* kOneTurn = R"([{"role":"user","content":"q"},{"role":"assistant","content":"Answer"}])";

TEST(TurnSpans, refusesATemplateThatRewritesWhatTheAssistantWrote) {
    const std::string loud = "{% for m in messages %}<{{ m.role }}>{{ m.content | upper }}{% endfor %}";
    EXPECT_EQ(turnsOf(loud, kOneTurn).at(0).substr(0, 19), "!cannot be masked: ");
    const std::string spaced = "{% for m in messages %}<{{ m.role }}>{{ m.content | replace('A', 'Ah') }}{% endfor %}";
    EXPECT_NE(turnsOf(spaced, kOneTurn).at(0).find("rewrites the assistant's turn (message 2)"), std::string::npos);
}

TEST(TurnSpans, refusesATemplateThatRepeatsOrDropsATurn) {
    const std::string twice = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ m.content }}{% endfor %}";
    EXPECT_NE(turnsOf(twice, kOneTurn).at(0).find("once"), std::string::npos);
    const std::string never = "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}";
    EXPECT_NE(turnsOf(never, kOneTurn).at(0).find("once"), std::string::npos);
}

TEST(TurnSpans, refusesATemplateWhoseSurroundingsDependOnTheTurn) {
    const std::string counting =
        "{% for m in messages %}<{{ m.role }} {{ m.content | length }}>{{ m.content }}{% endfor %}";
    EXPECT_NE(turnsOf(counting, kOneTurn).at(0).find("changes what stands around"), std::string::npos);
}

TEST(TurnSpans, refusesATurnThatCanBeReadInTwoWays) {
    const std::string bare = "{% for m in messages %}{{ m.content }}|{% endfor %}";
    const char* forged = R"([{"role":"assistant","content":"a|b"},{"role":"assistant","content":"c"}])";
    EXPECT_NE(turnsOf(bare, forged).at(0).find("two ways"), std::string::npos);
}

TEST(TurnSpans, choosesMarkersThatTheTextDoesNotHave) {
    const std::string plain = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</>{% endfor %}";
    const char* forged =
        R"([{"role":"user","content":"roundpipe000000turn1answer"},{"role":"assistant","content":"A"}])";
    EXPECT_EQ(turnsOf(plain, forged), (Turns{"A"}));
}

} // namespace
} // namespace roundpipe::data
