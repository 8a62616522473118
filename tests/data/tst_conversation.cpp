#include "data/conversation.h"

#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

Conversation read(Format format, const char* json) {
    return conversationOf(parseRow(json), format);
}

void expectProblem(Format format, const char* json, const std::string& words) {
    try {
        read(format, json);
        ADD_FAILURE() << "no problem with " << json;
    } catch (const RowProblem& problem) {
        EXPECT_EQ(toString(problem.reason()), std::string("bad row"));
        EXPECT_NE(std::string(problem.what()).find(words), std::string::npos) << problem.what();
    }
}

TEST(Alpaca, joinsInstructionAndInput) {
    EXPECT_EQ(read(Format::kAlpaca, R"({"instruction":"Add.","input":"1 2","output":"3"})").messages.dump(),
              R"([{"role":"user","content":"Add.\n1 2"},{"role":"assistant","content":"3"}])");
    EXPECT_EQ(read(Format::kAlpaca, R"({"instruction":"Hi","input":"","output":"Ho"})").messages[0]["content"], "Hi");
    EXPECT_EQ(read(Format::kAlpaca, R"({"instruction":"Hi","output":"Ho"})").messages[0]["content"], "Hi");
}

TEST(Alpaca, putsSystemAndHistoryBefore) {
    const Conversation conversation =
        read(Format::kAlpaca,
             R"({"system":"S","history":[["a","b"],["c","d"]],"instruction":"e","input":null,"output":"f"})");
    EXPECT_EQ(conversation.messages.dump(),
              R"([{"role":"system","content":"S"},{"role":"user","content":"a"},{"role":"assistant","content":"b"},)"
              R"({"role":"user","content":"c"},{"role":"assistant","content":"d"},)"
              R"({"role":"user","content":"e"},{"role":"assistant","content":"f"}])");
    EXPECT_EQ(conversation.assistants, (std::vector<std::size_t>{2, 4, 6}));
}

TEST(Alpaca, namesTheFieldThatIsWrong) {
    expectProblem(Format::kAlpaca, R"({"output":"x"})", "'instruction'");
    expectProblem(Format::kAlpaca, R"({"instruction":"x"})", "'output'");
    expectProblem(Format::kAlpaca, R"({"instruction":7,"output":"x"})", "'instruction' that is not a string");
    expectProblem(Format::kAlpaca, R"({"instruction":"x","output":""})", "says nothing");
    expectProblem(Format::kAlpaca, R"({"instruction":"x","output":"y","history":[["a"]]})", "pairs");
}

TEST(Messages, keepsWhatTheTemplateMayWantAndTheOrderOfKeys) {
    const char* row =
        R"({"tools":[{"type":"function","function":{"name":"f","parameters":{"z":1,"a":2}}}],"messages":[)"
        R"({"role":"user","content":"q","name":"Ann"},)"
        R"({"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function",)"
        R"("function":{"name":"f","arguments":"{\"z\": 1, \"a\": \"b\"}"}}]},)"
        R"({"role":"tool","tool_call_id":"1","content":"r"}]})";
    const Conversation conversation = read(Format::kMessages, row);
    EXPECT_EQ(conversation.messages[0]["name"], "Ann");
    EXPECT_EQ(conversation.messages[1]["tool_calls"][0]["function"]["arguments"].dump(), R"({"z":1,"a":"b"})");
    EXPECT_EQ(conversation.tools[0]["function"]["parameters"].dump(), R"({"z":1,"a":2})");
    EXPECT_EQ(conversation.assistants, (std::vector<std::size_t>{1}));
}

TEST(Messages, joinsTextPartsAndReadsSwitches) {
    const Conversation conversation =
        read(Format::kMessages,
             R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","value":"b"}]},)"
             R"({"role":"assistant","content":"1"},{"role":"assistant","content":"2","train":false},)"
             R"({"role":"assistant","content":"3","weight":0},{"role":"assistant","content":"4","loss_weight":1.0}]})");
    EXPECT_EQ(conversation.messages[0]["content"], "ab");
    EXPECT_EQ(conversation.wanted, (std::vector<bool>{true, false, false, true}));
}

TEST(Messages, namesTheMessageThatIsWrong) {
    const auto expectBad = [](const char* messages, const std::string& words) {
        expectProblem(Format::kMessages, (R"({"messages":)" + std::string(messages) + "}").c_str(), words);
    };
    expectBad("[]", "no list 'messages'");
    expectBad("7", "no list 'messages'");
    expectBad(R"(["x"])", "message 1 that is not an object");
    expectBad(R"([{"content":"x"}])", "message 1 without a role");
    expectBad(R"([{"role":"user","content":"x"},{"role":"user"}])", "message 2 without content");
    expectBad(R"([{"role":"user","content":7}])", "message 1 whose content");
    expectBad(R"([{"role":"user","content":[{"type":"image","url":"x"}]}])", "part that is not text");
    expectBad(R"([{"role":"assistant","content":""}])", "says nothing");
    expectBad(R"([{"role":"assistant","content":"x","weight":0.5}])", "'weight'");
    expectBad(R"([{"role":"assistant","content":"x","tool_calls":{}}])", "tool_calls");
    expectBad(R"([{"role":"assistant","content":"x","function_call":{}}])", "function_call");
}

TEST(Rows, namesWhatIsNoObject) {
    expectProblem(Format::kMessages, "{\"a\":", "not valid JSON");
    expectProblem(Format::kMessages, "[1]", "not a JSON object");
    expectProblem(Format::kMessages, R"({"messages":[{"role":"user","content":"\ud800"}]})", "not valid JSON");
}

TEST(Format, isSniffedFromTheFields) {
    std::string advice;
    EXPECT_EQ(sniffFormat(parseRow(R"({"messages":[]})"), advice), Format::kMessages);
    EXPECT_EQ(sniffFormat(parseRow(R"({"instruction":"a","output":"b"})"), advice), Format::kAlpaca);
    EXPECT_EQ(sniffFormat(parseRow(R"({"conversations":[],"id":1})"), advice), Format::kAuto);
    EXPECT_NE(advice.find("conversations, id"), std::string::npos);
}

} // namespace
} // namespace roundpipe::data
