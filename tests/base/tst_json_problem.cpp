// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a text that is no JSON, and that nothing is said of what is.
#include "base/json_problem.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace roundpipe::testing {
namespace {

std::string said(std::string_view text) {
    const std::optional<JsonProblem> problem = findJsonProblem(text);
    return problem ? problem->text() : "";
}

TEST(JsonProblem, saysWhereAndWhatShouldStandThere) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"", "line 1, column 1: there is nothing"},
        {" \n", "line 2, column 1: there is nothing"},
        {R"({"a": )", "line 1, column 7: the text ends before a bracket or a quote is closed"},
        {R"({"a": "b)", "line 1, column 9: the text ends before a bracket or a quote is closed"},
        {R"({"a": })", "line 1, column 7: '}' stands where a value should begin"},
        {"{\"a\": 1,\n \"b\": undefined}", "line 2, column 7: 'undefined' stands where a value should begin"},
        {R"({"a": averylongwordindeed})", "line 1, column 7: 'averylongwor…' stands where a value should begin"},
        {R"({'a': 1})", "line 1, column 2: ''' stands where a field's name in double quotes should"},
        {R"({"a": 1, })", "line 1, column 10: '}' stands where a field's name in double quotes should"},
        {R"({"a" 1})", "line 1, column 6: '1' stands where a ':' should follow the field's name"},
        {R"({"a": 1 "b": 2})", R"(line 1, column 9: '"' stands where a ',' or a '}' should)"},
        {R"([1 2])", "line 1, column 4: '2' stands where a ',' or a ']' should"},
        {R"([01])", "line 1, column 3: '1' stands where a ',' or a ']' should"},
        {R"([1.])", "line 1, column 3: '.' stands where a ',' or a ']' should"},
        {R"({"a": 1} x)", "line 1, column 10: 'x' stands behind the end"},
        {"{\"a\": \"b\tc\"}",
         "line 1, column 9: 0x09 stands within quotes, where it has to be written with a backslash (\\n, \\t)"},
        {R"({"a": "\x"})", R"(line 1, column 8: '\' begins an escape that JSON does not have)"},
        {R"({"a": "\ud800b"})", R"(line 1, column 8: '\' begins an escape that JSON does not have)"},
        {"{\"a\": 1, // one\n \"b\": 2}", "line 1, column 10: '//' begins a comment, which JSON does not have"},
        {R"([1 /* one */])", "line 1, column 4: '/*' begins a comment, which JSON does not have"},
        {R"({"a": 1} /)", "line 1, column 10: '/' stands behind the end"},
        {R"({"größe": 1e999})", "line 1, column 11: '1e999' begins a number that is too large"},
    };
    for (const auto& [text, expected] : cases)
        EXPECT_EQ(said(text), expected) << text;
}

TEST(JsonProblem, countsCharactersNotBytes) {
    const auto problem = findJsonProblem("[\"ä\",\n\"日本\" x]");
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->line, 2);
    EXPECT_EQ(problem->column, 6);
    EXPECT_EQ(problem->character, 12);
    EXPECT_EQ(problem->found, "'x'");
}

TEST(JsonProblem, takesCommentsWhereTheyAreAllowed) {
    const std::string text = "{ // of two\n \"a\": /* and one */ 1}";
    EXPECT_FALSE(findJsonProblem(text, true));
    EXPECT_TRUE(findJsonProblem(text));
    const auto open = findJsonProblem("{} /* open", true);
    ASSERT_TRUE(open);
    EXPECT_EQ(open->fault, JsonFault::kMore); // as comments are taken here
}

// Of texts that one change makes of a valid one: the same are taken and refused as by the parser.
TEST(JsonProblem, agreesWithTheParser) {
    const std::string valid = R"({"a":[1,-0.5e+3,true,null,"x\né😀"],"b":{"c":[],"d":{}}, "e":0})";
    ASSERT_TRUE(nlohmann::json::accept(valid));
    constexpr std::string_view kPieces = "{}[],:\"\\ute+-.019 \n\ta";
    int refused = 0;
    const auto check = [&](const std::string& text) {
        EXPECT_EQ(!findJsonProblem(text), nlohmann::json::accept(text)) << text;
        refused += findJsonProblem(text) ? 1 : 0;
    };
    check(valid);
    for (std::size_t i = 0; i < valid.size(); ++i) {
        if (static_cast<unsigned char>(valid[i]) >= 0x80) continue; // stays UTF-8
        check(std::string(valid).erase(i, 1));
        check(valid.substr(0, i));
        for (const char piece : kPieces) {
            check(std::string(valid).insert(i, 1, piece));
            check(std::string(valid).replace(i, 1, 1, piece));
        }
    }
    EXPECT_GT(refused, 1000);
}

TEST(JsonProblem, tellsHowDeepATextIsWithoutReadingIt) {
    EXPECT_FALSE(isNestedDeeper(R"({"a": [1, {"b": []}], "c": [[]]})", 4));
    EXPECT_TRUE(isNestedDeeper(R"({"a": [1, {"b": []}], "c": [[]]})", 3));
    EXPECT_FALSE(isNestedDeeper(R"(["[[[[", "\"[[[", "\\"])", 1));
    EXPECT_TRUE(isNestedDeeper(R"(["\\", [[)", 2));
    EXPECT_TRUE(isNestedDeeper(std::string(100'000'000, '['), 100));
    EXPECT_FALSE(isNestedDeeper("]]]]", 0));
}

TEST(JsonProblem, wordsWhatAnExceptionSays) {
    const auto said = [](const std::string& text) -> std::string {
        try {
            nlohmann::json::parse(text).at("step").get<int64_t>();
        } catch (const nlohmann::json::exception& error) {
            return wordsForJsonError(error.id, error.what(), text);
        }
        return "";
    };
    EXPECT_EQ(said("{"), "line 1, column 2: the text ends before a bracket or a quote is closed");
    EXPECT_EQ(said("{}"), "it has no field 'step'");
    EXPECT_EQ(said(R"({"step": "three"})"), "a field must be number, but is string");
    EXPECT_EQ(said("[]"), "it is not as it should be");
}

} // namespace
} // namespace roundpipe::testing
