// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that are made, or just large enough, to keep a reader busy: what took minutes or hours takes a moment, or is
// refused in words.
#include "base/error.h"
#include "byte_tokenizer.h"
#include "data/encode/row_draft.h"
#include "data/encode/spans/find_text.h"
#include "data/encode/spans/turn_spans.h"
#include "data/rows/json/json_text.h"
#include "data/store/dataset.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

std::string repeated(std::string_view text, std::size_t count) {
    std::string result;
    for (; count > 0; --count)
        result += text;
    return result;
}

TEST(FindText, findsWhatStringViewFinds) {
    const std::string text = repeated("aab", 5) + "aaac";
    for (const char* what : {"", "a", "aaa", "baab", "aaac", "c", "x", "aabaabaabaabaabaaac"})
        for (std::size_t from = 0; from <= text.size() + 1; ++from)
            EXPECT_EQ(findText(text, what, from), std::string_view(text).find(what, from)) << what << " from " << from;
}

TEST(FindText, countsUpToWhatTheTextDoesNotHave) {
    EXPECT_EQ(absentFrom("x0 x1 x3", "x", 1), "x2");
    EXPECT_EQ(absentFrom("nothing", "x", 3), "x000");
    std::string all;
    for (int i = 0; i < 100'000; ++i)
        all += fmt::format("x{:05}", i);
    EXPECT_EQ(absentFrom(all, "x", 5), "x100000");
}

TEST(JsonText, saysWhatDumpSays) {
    std::string all = "é你 \x7f";
    for (char c = 1; c < 0x40; ++c)
        all += c;
    const Json value = {{"text", all},
                        {"key \"q\"\n", {1, -2, 1.5, 1e300, true, nullptr, "", Json::array(), Json::object()}}};
    EXPECT_EQ(Json::parse(jsonText(value)), value);
    EXPECT_EQ(jsonText(Json::parse(value.dump())), jsonText(value));
    EXPECT_EQ(jsonText({{"a", {"b", 12345678901234567890u}}, {"c", "\\\n"}}),
              R"({"a":["b",12345678901234567890],"c":"\\\n"})");
}

// One reading of the text for each turn of twenty thousand would be 100 GB.
TEST(HostileRows, haveTurnsByTheThousand) {
    constexpr int kTurns = 20'000;
    Conversation conversation;
    for (int i = 0; i < kTurns; ++i) {
        conversation.messages.push_back(
            {{"role", "user"}, {"content", fmt::format("question {} {}", i, repeated("q", 100))}});
        conversation.assistants.push_back(conversation.messages.size());
        conversation.messages.push_back({{"role", "assistant"}, {"content", fmt::format("answer {}", i)}});
    }
    const RenderMessages render = [](const Json& messages) {
        std::string text;
        for (const Json& message : messages)
            text += "<" + message["role"].get<std::string>() + ">" + message["content"].get<std::string>() + "</>";
        return text;
    };
    const std::string rendered = render(conversation.messages);
    const std::vector<Span> spans = assistantSpans(conversation, rendered, render);
    ASSERT_EQ(spans.size(), static_cast<std::size_t>(kTurns));
    for (const int i : {0, 1, kTurns - 1}) {
        const Span span = spans[static_cast<std::size_t>(i)];
        EXPECT_EQ(rendered.substr(span.begin, span.end - span.begin), fmt::format("answer {}", i));
    }
}

// What stands around the turns repeats its own beginning: comparing anew at each byte would be 10^12 bytes.
TEST(HostileRows, repeatOneLetter) {
    const std::string as(1 << 20, 'a'), more(3 << 20, 'a');
    const std::vector<std::string> pieces = {"x", as + "b", "y"};
    const std::string text = "x" + more + as + "b" + more + "y";
    const auto fitted = fitPieces(text, pieces);
    ASSERT_TRUE(std::holds_alternative<std::vector<Span>>(fitted));
    const std::vector<Span> expected = {{1, 1 + more.size()}, {2 + more.size() + as.size(), text.size() - 1}};
    EXPECT_EQ(std::get<std::vector<Span>>(fitted), expected);

    const auto unclear = fitPieces("x" + more + "y", {"x", as, "y"});
    ASSERT_TRUE(std::holds_alternative<Mismatch>(unclear));
    EXPECT_TRUE(std::get<Mismatch>(unclear).isAmbiguous);
    EXPECT_EQ(std::get<Mismatch>(unclear).piece, 1u);
    const auto absent = fitPieces("x" + more + "y", {"x", as, as + "b", "y"});
    ASSERT_TRUE(std::holds_alternative<Mismatch>(absent));
    EXPECT_FALSE(std::get<Mismatch>(absent).isAmbiguous);
    EXPECT_EQ(std::get<Mismatch>(absent).piece, 2u);
}

class HostileRowsOfTemplates : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& rows) const {
        const std::filesystem::path file = m_folder.path() / "rows.jsonl";
        std::ofstream(file) << rows;
        return file;
    }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path(), {"<end>"});
    DataOptions m_options;
};

TEST_F(HostileRowsOfTemplates, callToolsByTheThousand) {
    constexpr int kCalls = 3'000;
    Json messages = {{{"role", "user"}, {"content", "go"}}};
    for (int i = 0; i < kCalls; ++i) {
        const std::string id = fmt::format("call{:05}", i);
        messages.push_back({{"role", "assistant"},
                            {"content", ""},
                            {"tool_calls",
                             {{{"id", id},
                               {"type", "function"},
                               {"function", {{"name", "look"}, {"arguments", fmt::format("{{\"at\": {}}}", i)}}}}}}});
        messages.push_back({{"role", "tool"}, {"tool_call_id", id}, {"content", fmt::format("seen {}", i)}});
    }
    messages.push_back({{"role", "assistant"}, {"content", "done"}});
    const auto chatTemplate = text::ChatTemplate::fromSource(
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls %}{{ c | tojson }}{% endfor %}"
        "<end>{% endfor %}");
    const RowEncoder encoder(m_options, m_tokenizer, chatTemplate);
    RowDraft draft;
    encoder.encode(Json{{"messages", messages}}.dump(), DataFormat::kMessages, draft);
    std::string trained;
    for (std::size_t i = 0; i < draft.row.ids.size(); ++i)
        if (draft.row.trained[i] != 0)
            trained += draft.row.text.substr(draft.row.offsets[i].begin,
                                             draft.row.offsets[i].end - draft.row.offsets[i].begin);
    EXPECT_EQ(trained.find("seen"), std::string::npos);
    EXPECT_NE(trained.find("{\"at\": 2999}"), std::string::npos);
    EXPECT_TRUE(trained.ends_with("<end>done<end>"));
}

constexpr const char* kRow = R"({"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"a"}]})"
                             "\n";
constexpr const char* kSpender = "{% for i in range(100) %}{% set x = 'x' * 20000000 %}{% endfor %}";

TEST_F(HostileRowsOfTemplates, spendTheStepsOfARendering) {
    const auto chatTemplate = text::ChatTemplate::fromSource(kSpender);
    const RowEncoder encoder(m_options, m_tokenizer, chatTemplate);
    try {
        RowDraft draft;
        encoder.encode(kRow, DataFormat::kMessages, draft);
        FAIL();
    } catch (const RowProblem& problem) {
        EXPECT_EQ(problem.remark().code, RowRemark::kTemplateSpent);
        EXPECT_NE(std::string(problem.what()).find("takes too long"), std::string::npos) << problem.what();
    }
}

TEST_F(HostileRowsOfTemplates, stopTheReadingWhereManyTakeTooLong) {
    m_options.files = {write(repeated(kRow, 500))};
    testing::expectError(ErrorKind::kInvalidInput, {"10 rows take too long", "rows.jsonl", "line ", "--chat-template"},
                         [&] { Dataset::load(m_options, m_tokenizer, text::ChatTemplate::fromSource(kSpender)); });
}

TEST_F(HostileRowsOfTemplates, areDroppedWhereFewTakeTooLong) {
    const std::string slow = R"({"messages":[{"role":"user","content":"slow"},{"role":"assistant","content":"a"}]})";
    m_options.files = {write(repeated(kRow, 5) + slow + "\n" + repeated(kRow, 5))};
    const auto chatTemplate = text::ChatTemplate::fromSource(
        std::string("{% if messages[0].content == 'slow' %}") + kSpender +
        "{% endif %}{% for m in messages %}<{{ m.role }}>{{ m.content }}<end>{% endfor %}");
    const Dataset dataset = Dataset::load(m_options, m_tokenizer, chatTemplate);
    EXPECT_EQ(dataset.training().size(), 10);
    ASSERT_EQ(dataset.dropped().size(), 1u);
    EXPECT_EQ(dataset.dropped()[0].place.number, 6);
}

} // namespace
} // namespace roundpipe::data
