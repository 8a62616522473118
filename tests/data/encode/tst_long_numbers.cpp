// SPDX-License-Identifier: GPL-3.0-or-later
// Whole numbers beyond 64 bits keep their digits from the row to the text that is trained, whichever way they come.
#include "byte_tokenizer.h"
#include "data/encode/row_draft.h"
#include "data/report/inspect.h"
#include "data/rows/columns/row_format.h"
#include "testing/fixtures.h"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

constexpr const char* kLong[] = {"18446744073709551616", "-9223372036854775809",
                                 "1234567890123456789012345678901234567890123456789012345678901234567890"};

// Prints tools, calls and contents; "as text" where it wants arguments as they are sent.
std::string printing(bool asText) {
    return std::string("{{ tools | tojson if tools else '' }}{% for m in messages %}<|im_start|>{{ m.role }}\n"
                       "{{ m.content }}{% for c in m.tool_calls or [] %}({{ c.function.name }} {{ ") +
           (asText ? "c.function.arguments + ''" : "c.function.arguments | tojson") +
           " }}){% endfor %}<|im_end|>\n{% endfor %}";
}

class LongNumbers : public ::testing::Test {
protected:
    EncodedRow encoded(const std::string& json, DataFormat format, bool asText = false) {
        const auto chatTemplate = text::ChatTemplate::fromSource(printing(asText));
        RowDraft draft;
        RowEncoder(m_options, m_tokenizer, chatTemplate).encode(json, format, draft);
        return draft.row;
    }
    // As the assistant's.
    void expectTrained(const EncodedRow& row, const std::string& words) {
        const std::size_t at = row.text.find(words);
        ASSERT_NE(at, std::string::npos) << words << "\nin " << row.text;
        for (std::size_t i = 0; i < row.ids.size(); ++i)
            if (row.offsets[i].begin >= at && row.offsets[i].end <= at + words.size()) {
                EXPECT_NE(row.trained[i], 0) << row.text;
            }
    }
    static std::string chat(const std::string& arguments) {
        return fmt::format(R"([{{"role":"user","content":"q"}},{{"role":"assistant","content":"","tool_calls":)"
                           R"([{{"type":"function","function":{{"name":"f","arguments":{}}}}}]}},)"
                           R"({{"role":"tool","content":"a"}},{{"role":"assistant","content":"b"}}])",
                           arguments);
    }
    static std::string quoted(const std::string& text) { return Json(text).dump(); }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path());
    DataOptions m_options;
};

TEST_F(LongNumbers, areTrainedDigitByDigitInCalls) {
    for (const std::string digits : kLong) {
        const std::string object = R"({"x": [)" + digits + R"(, {"y": )" + digits + "}]}";
        for (const std::string& arguments : {object, quoted(object)})
            for (const std::string& messages : {chat(arguments), quoted(chat(arguments))})
                expectTrained(encoded(R"({"messages":)" + messages + "}", DataFormat::kMessages), "(f " + object + ")");
        expectTrained(encoded(R"({"messages":)" + chat(quoted(object)) + "}", DataFormat::kMessages, true),
                      "(f " + object + ")");
        const std::string call = R"({"name": "f", "arguments": )" + object + "}";
        expectTrained(encoded(R"({"conversations":[{"from":"human","value":"q"},{"from":"function_call","value":)" +
                                  quoted(call) + R"(},{"from":"observation","value":"a"},{"from":"gpt","value":"b"}]})",
                              DataFormat::kShareGpt),
                      "(f " + object + ")");
    }
}

TEST_F(LongNumbers, standInTheSchemasOfTools) {
    for (const std::string digits : kLong) {
        const std::string tools = R"([{"type": "function", "function": {"name": "f", "maximum": )" + digits + "}}]";
        for (const std::string& given : {tools, quoted(tools)})
            EXPECT_TRUE(encoded(R"({"tools":)" + given + R"(,"messages":)" + chat("{}") + "}", DataFormat::kMessages)
                            .text.starts_with(tools));
    }
}

TEST_F(LongNumbers, areAnswersAndColumnsOfAPrompt) {
    for (const std::string digits : kLong) {
        const std::string row = R"({"instruction":"q","output":)" + digits + "}";
        expectTrained(encoded(row, DataFormat::kAlpaca), digits);
        RowFormat format = DataFormat::kAlpaca;
        format.prompt = {{"n = ", false}, {"n", true}};
        const std::string asked = R"({"n":)" + digits + R"(,"output":"a"})";
        EXPECT_EQ(mappedRow(parseRow(asked), format)["instruction"], "n = " + digits);
    }
}

// As Python's json writes them: the shortest digits that read back as the same.
TEST_F(LongNumbers, areNotFractions) {
    const std::string object = R"({"x": [0.1, 1e16, 1e-07, 123456789.12345679, 5e-324, -0.0, 2.5]})";
    expectTrained(encoded(R"({"messages":)" +
                              chat(R"({"x": [0.10, 1e16, 1e-7, 123456789.123456789, 5e-324, -0.0, 25e-1]})") + "}",
                          DataFormat::kMessages),
                  "(f " + std::string(object).replace(object.find("1e16"), 4, "1e+16") + ")");
}

TEST_F(LongNumbers, arePreservedWhereRowsAreShownAndConverted) {
    const auto path = m_folder.path() / "rows.jsonl";
    const std::string digits = kLong[0];
    std::ofstream(path) << R"({"messages":)" << chat(R"({"x":)" + digits + "}") << R"(,"id":)" << digits << "}\n";
    const FileReport report = inspectFile(path, {}, {10, 10, 10});
    EXPECT_NE(report.firstRows.at(0).find(R"("id":)" + digits), std::string::npos) << report.firstRows.at(0);
    EXPECT_EQ(report.columns.at(1).types, std::vector<std::string>{"whole number"});
    std::string written;
    convertToMessages(
        path, DataFormat::kMessages, [&](const std::string& line) { written += line; },
        [](const BadRow& bad) { FAIL() << bad.problem; });
    EXPECT_NE(written.find(R"({\"x\":)" + digits + "}"), std::string::npos) << written;
}

} // namespace
} // namespace roundpipe::data
