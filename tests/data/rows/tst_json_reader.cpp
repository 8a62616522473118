// SPDX-License-Identifier: GPL-3.0-or-later
// Our reader of JSON beside the library's: the same value or none, and one for all that is written as usual.
#include "data/rows/json/json_reader.h"

#include "data/rows/json/json_text.h"
#include "data/rows/json/long_number.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

namespace roundpipe::data {
namespace {

constexpr std::size_t kNesting = 8;
constexpr int64_t kFields = 20;

std::optional<Json> read(std::string_view text) {
    const auto found = readJson(text, kNesting, kFields);
    return found ? std::optional(found->value) : std::nullopt;
}

// The order of an object's keys counts too.
void expectSameOrNone(const std::string& text) {
    const auto value = read(text);
    if (!value) return;
    const Json expected = Json::parse(text, nullptr, false);
    ASSERT_FALSE(expected.is_discarded()) << text;
    EXPECT_EQ(value->dump(), expected.dump()) << text;
}

TEST(JsonReader, readsWhatTheLibraryReads) {
    for (const char* text :
         {"{}", "[]", " { } ", "[ ]", R"({"a": [1, -2, 0, -0, 1.5, 1e300, 12345678901234567890, 1e-7]})",
          R"({"b": "", "a": "x", "c": {"d": [[], {}, null, true, false]}})",
          R"("\"\\\/\b\f\n\r\t\u00e9\u4f60\ud83d\ude00\u0001")", "\"é 你好 👋\"", "{\"a\":1,\n\t\"b\":\r[\"\"]}",
          R"({"a": 1, "b": 2, "a": {"c": 3}})", "7", "null"}) {
        ASSERT_TRUE(read(text)) << text;
        expectSameOrNone(text);
    }
}

TEST(JsonReader, keepsAllDigitsOfWholeNumbers) {
    for (const std::string& digits :
         {std::string("18446744073709551615"), std::string("18446744073709551616"), std::string("-9223372036854775808"),
          std::string("-9223372036854775809"), std::string("123456789012345678901"), "-9" + std::string(400, '0')}) {
        const auto value = read("{\"a\": [" + digits + ", 1.5]}");
        ASSERT_TRUE(value) << digits;
        EXPECT_EQ(jsonText(*value), "{\"a\":[" + digits + ",1.5]}");
        EXPECT_TRUE(isNumber((*value)["a"][0]));
        EXPECT_EQ(isLongNumber((*value)["a"][0]), digits.size() > 20 || digits.ends_with("6") || digits.ends_with("9"));
    }
    for (const char* none : {"[012345678901234567890]", "[-]", "[+123456789012345678901]", "[123456789012345678901-]"})
        EXPECT_FALSE(read(none)) << none;
    EXPECT_EQ(jsonText(*read("123456789012345678901.0")), "1.2345678901234568e+20"); // a fraction is a float
}

TEST(JsonReader, leavesTheRestToTheLibrary) {
    for (const std::string text : {"",
                                   " ",
                                   "{",
                                   "[1,]",
                                   "{\"a\":1,}",
                                   "{\"a\" 1}",
                                   "{a: 1}",
                                   "\"\n\"",
                                   "\"a",
                                   R"("\x")",
                                   R"("\ud800")",
                                   R"("\udc00")",
                                   R"("\ud800\u0041")",
                                   R"("\u12")",
                                   "nul",
                                   "01",
                                   "-",
                                   "1.",
                                   "1e999",
                                   "NaN",
                                   "[1] 2",
                                   "\xEF\xBB\xBF{}",
                                   "\"\xFF\"",
                                   "\"\xC3\""})
        EXPECT_FALSE(read(text)) << text;
}

TEST(JsonReader, namesAFieldThatSaysTwoThings) {
    const auto doubled = [](std::string_view text) { return readJson(text, kNesting, kFields)->doubled; };
    EXPECT_EQ(doubled(R"({"a": 1, "b": [{"c": 1, "c": "1"}], "a": 2})"), "c");
    EXPECT_EQ(doubled(R"({"a": 1, "b": [{"c": 1}, {"c": 2}], "a": 1})"), "");
    EXPECT_EQ(doubled(R"({"a": {"b": 1, "a": 2}, "é": [1, 2], "\u00e9": [2, 1]})"), "é");
}

TEST(JsonReader, keepsToTheLimits) {
    const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
    EXPECT_TRUE(read(nested(kNesting)));
    EXPECT_FALSE(read(nested(kNesting + 1)));
    const auto withFields = [](int64_t count) {
        std::string text = "{\"0\":0";
        for (int64_t i = 1; i < count; ++i)
            text += ",\"" + std::to_string(i) + "\":0";
        return text + "}";
    };
    EXPECT_TRUE(read(withFields(kFields)));
    EXPECT_FALSE(read(withFields(kFields + 1)));
}

TEST(JsonReader, neverReadsAnotherValue) {
    constexpr std::string_view kParts[] = {"{",     "}",     "[",      "]",  ",",    ":",        "\"",    "\"a\"",
                                           "\"b\"", "1",     "-2.5e3", "\\", "\\",   "n",        "\\u00", "\\ud83",
                                           "null",  "false", " ",      "é",  "\x01", "012345678"};
    std::mt19937 draw(1);
    const std::string whole =
        R"({"messages": [{"role": "user", "content": "é\n\u00e9 \"x\""}, {"n": [1, 2.5, null]}]})";
    for (int i = 0; i < 200'000; ++i) {
        std::string text = whole;
        for (int edits = static_cast<int>(draw() % 3); edits >= 0; --edits)
            text.replace(draw() % text.size(), draw() % 3, kParts[draw() % std::size(kParts)]);
        expectSameOrNone(text);
    }
}

TEST(JsonReader, findsWhatIsEscapedWhereverItStands) {
    for (const char stop : {'"', '\\', '\n', '\0', '\x1f'})
        for (std::size_t before = 0; before < 20; ++before)
            for (const char plain : {'a', '\x20', '\x7f', '\x80', '\xff', '!', '#', '['})
                EXPECT_EQ(bytesBeforeEscape(std::string(before, plain) + stop + "\"x"), before);
    EXPECT_EQ(bytesBeforeEscape("nothing here"), 12u);
}

} // namespace
} // namespace roundpipe::data
