// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/call_form.h"
#include "data/rows/conversation.h"

#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

std::string messageWith(const std::string& call, const std::string& more = "") {
    return R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[)" + call + "]" + more +
           "}]}";
}

// What the row becomes: its only call, or why it is dropped.
std::string callOf(DataFormat format, const std::string& row, Arguments arguments = Arguments::kParsed) {
    try {
        return conversationOf(parseRow(row), format, arguments).messages[1]["tool_calls"][0].dump();
    } catch (const RowProblem& problem) {
        EXPECT_EQ(problem.reason(), DropReason::kBadRow);
        return problem.what();
    }
}

std::string callIn(const std::string& call) {
    return callOf(DataFormat::kMessages, messageWith(call));
}

TEST(CallForm, findsNameAndArgumentsWhereverTheyStand) {
    const char* whole = R"({"type":"function","function":{"name":"f","arguments":{"city":"Bonn"}}})";
    for (const char* name : {"arguments", "parameters", "args", "input"}) {
        const std::string given = "\"" + std::string(name) + R"(":{"city":"Bonn"})";
        EXPECT_EQ(callIn(R"({"type":"function","function":{"name":"f",)" + given + "}}"), whole) << name;
        EXPECT_EQ(callIn(R"({"type":"function",)" + given + R"(,"function":{"name":"f"}})"), whole) << name;
        EXPECT_EQ(callIn(R"({"type":"function","name":"f",)" + given + R"(,"function":{}})"), whole) << name;
        EXPECT_EQ(callIn(R"({"type":"function",)" + given + R"(,"function":"f"})"), whole) << name;
        EXPECT_EQ(callIn(R"({"name":"f",)" + given + "}"), R"({"name":"f","arguments":{"city":"Bonn"}})") << name;
        EXPECT_EQ(callIn(R"({"name":"f","function":null,)" + given + "}"),
                  R"({"name":"f","arguments":{"city":"Bonn"}})")
            << name;
        EXPECT_EQ(callIn(R"({"type":"function","function":{"name":"f",")" + std::string(name) +
                         R"(":"{\"city\":\"Bonn\"}"}})"),
                  whole)
            << name;
    }
    EXPECT_EQ(callIn(R"({"function":{"name":"f","arguments":null},"parameters":{"n":1}})"),
              R"({"function":{"name":"f","arguments":{"n":1}}})");
}

TEST(CallForm, isTheSameInEveryFormOfRows) {
    const char* whole = R"({"type":"function","function":{"name":"f","arguments":{"n":1}}})";
    for (const char* text : {R"({\"name\":\"f\",\"parameters\":{\"n\":1}})", R"({\"name\":\"f\",\"args\":{\"n\":1}})",
                             R"({\"type\":\"function\",\"function\":\"f\",\"input\":{\"n\":1}})",
                             R"([{\"type\":\"function\",\"function\":{\"name\":\"f\",\"input\":{\"n\":1}}}])"}) {
        const std::string quoted = "\"" + std::string(text) + "\"";
        const std::string shareGpt =
            R"({"conversations":[{"from":"human","value":"q"},{"from":"function_call","value":)" + quoted + "}]}";
        const std::string role =
            R"({"messages":[{"role":"user","content":"q"},{"role":"function_call","content":)" + quoted + "}]}";
        const std::string part = R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[)"
                                 R"({"type":"tool_call","value":)" +
                                 quoted + "}]}]}";
        for (const std::string& row : {shareGpt, role, part}) {
            const DataFormat format = row[2] == 'c' ? DataFormat::kShareGpt : DataFormat::kMessages;
            const Json call = Json::parse(callOf(format, row), nullptr, false);
            EXPECT_EQ(call, Json::parse(whole)) << row << call;
        }
    }
    // As `data convert` reads them, and templates that want arguments as texts.
    EXPECT_EQ(
        callOf(DataFormat::kMessages, messageWith(R"({"function":{"name":"f","args":{"n":1}}})"), Arguments::kAsGiven),
        R"({"function":{"name":"f","arguments":{"n":1}}})");
    EXPECT_EQ(callOf(DataFormat::kMessages, messageWith(R"({"function":"f","args":{"n":1}})"), Arguments::kAsTexts),
              R"({"function":{"name":"f","arguments":"{\"n\": 1}"}})");
}

TEST(CallForm, dropsARowWhoseCallIsNotUnderstoodAndNamesTheField) {
    const std::string behind = ", which is not understood; what the function is given stands in 'arguments', {} where "
                               "it is given nothing";
    const std::string before = "has a message 2 with a tool call without 'arguments', but with ";
    EXPECT_EQ(callIn(R"({"name":"f","city":"Bonn"})"), before + "'city'" + behind);
    EXPECT_EQ(callIn(R"({"function":{"name":"f","kwargs":{"n":1}}})"), before + "'function.kwargs'" + behind);
    EXPECT_EQ(callIn(R"({"function":{"name":"f"},"tool_args":{"n":1}})"), before + "'tool_args'" + behind);
    EXPECT_EQ(callOf(DataFormat::kShareGpt,
                     R"({"conversations":[{"from":"human","value":"q"},)"
                     R"({"from":"function_call","value":"{\"name\":\"f\",\"city\":\"Bonn\"}"}]})"),
              before + "'function.city'" + behind);
    // Nothing was to be given.
    EXPECT_EQ(callIn(R"({"id":"1","index":0,"type":"function","function":{"name":"f"}})"),
              R"({"id":"1","index":0,"type":"function","function":{"name":"f","arguments":{}}})");
    // A turn that is not trained may stand before its mending.
    EXPECT_EQ(callOf(DataFormat::kMessages, messageWith(R"({"name":"f","city":"Bonn"})", R"(,"train":false)")),
              R"({"name":"f","city":"Bonn","arguments":{}})");
}

TEST(CallForm, dropsARowWhoseCallSaysTwoThings) {
    const auto two = [](const char* one, const char* other) {
        return "has a message 2 with a tool call that says two things, in '" + std::string(one) + "' and in '" + other +
               "'; keep one of them";
    };
    EXPECT_EQ(callIn(R"({"name":"f","arguments":{"n":1},"parameters":{"n":2}})"), two("arguments", "parameters"));
    EXPECT_EQ(callIn(R"({"function":{"name":"f","arguments":{}},"input":{"n":2}})"),
              two("function.arguments", "input"));
    EXPECT_EQ(callIn(R"({"function":"f","name":"g","arguments":{}})"), two("function.name", "name"));
    // The same twice is one.
    EXPECT_EQ(callIn(R"({"function":{"name":"f","arguments":"{\"n\":1}"},"name":"f","args":{"n":1}})"),
              R"({"function":{"name":"f","arguments":{"n":1}}})");
}

TEST(CallForm, knowsWhatElseACallHolds) {
    EXPECT_EQ(otherFieldsOf(Json::parse(R"({"id":"1","type":"function","status":"ok","note":null,)"
                                        R"("function":{"name":"f","arguments":{"n":1},"strict":true}})")),
              (std::vector<std::string>{"status", "function.strict"}));
    EXPECT_EQ(otherFieldsOf(Json::parse(R"({"name":"f","arguments":{}})")), std::vector<std::string>{});
}

} // namespace
} // namespace roundpipe::data
