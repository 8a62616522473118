// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/columns/row_format.h"
#include "data/rows/conversation.h"

#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

Conversation read(DataFormat format, const char* json) {
    return conversationOf(parseRow(json), format);
}

RowFormat withChoices(std::vector<session::ColumnChoice> columns) {
    RowFormat format;
    format.columns = std::move(columns);
    return format;
}

void expectProblem(DataFormat format, const char* json, const std::string& words) {
    try {
        read(format, json);
        ADD_FAILURE() << "no problem with " << json;
    } catch (const RowProblem& problem) {
        EXPECT_EQ(problem.reason(), DropReason::kBadRow);
        EXPECT_NE(std::string(problem.what()).find(words), std::string::npos) << problem.what();
    }
}

TEST(Conversation, tellsAnEmptyListOfToolsFromNone) {
    const std::string messages = R"("messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]})";
    EXPECT_EQ(read(DataFormat::kMessages, ("{\"tools\":[]," + messages).c_str()).tools, Json::array());
    EXPECT_TRUE(read(DataFormat::kMessages, ("{\"tools\":\"[]\"," + messages).c_str()).tools.is_null());
    EXPECT_TRUE(read(DataFormat::kMessages, ("{\"tools\":null," + messages).c_str()).tools.is_null());
    EXPECT_TRUE(read(DataFormat::kMessages, ("{\"tools\":\"\"," + messages).c_str()).tools.is_null());
    EXPECT_TRUE(read(DataFormat::kMessages, ("{" + messages).c_str()).tools.is_null());
}

TEST(Conversation, takesAListOfTurnsForARow) {
    const Json row = parseRow(R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"}])");
    EXPECT_EQ(sniffFormat(row, {}).format.kind, DataFormat::kMessages);
    EXPECT_EQ(conversationOf(row, DataFormat::kMessages).assistants, std::vector<std::size_t>{1});
    EXPECT_EQ(sniffFormat(parseRow(R"([{"from":"human","value":"a"}])"), {}).format.kind, DataFormat::kShareGpt);
    EXPECT_THROW(parseRow(R"([1, 2])"), RowProblem);
    EXPECT_THROW(parseRow("[]"), RowProblem);
}

TEST(Alpaca, joinsInstructionAndInput) {
    EXPECT_EQ(read(DataFormat::kAlpaca, R"({"instruction":"Add.","input":"1 2","output":"3"})").messages.dump(),
              R"([{"role":"user","content":"Add.\n1 2"},{"role":"assistant","content":"3"}])");
    EXPECT_EQ(read(DataFormat::kAlpaca, R"({"instruction":"Hi","input":"","output":"Ho"})").messages[0]["content"],
              "Hi");
    EXPECT_EQ(read(DataFormat::kAlpaca, R"({"instruction":"Hi","output":"Ho"})").messages[0]["content"], "Hi");
    EXPECT_EQ(read(DataFormat::kAlpaca, R"({"instruction":"","input":"Hi","output":"Ho"})").messages[0]["content"],
              "Hi");
}

TEST(Alpaca, putsSystemAndHistoryBefore) {
    const Conversation conversation =
        read(DataFormat::kAlpaca,
             R"({"system":"S","history":[["a","b"],["c","d"]],"instruction":"e","input":null,"output":"f"})");
    EXPECT_EQ(conversation.messages.dump(),
              R"([{"role":"system","content":"S"},{"role":"user","content":"a"},{"role":"assistant","content":"b"},)"
              R"({"role":"user","content":"c"},{"role":"assistant","content":"d"},)"
              R"({"role":"user","content":"e"},{"role":"assistant","content":"f"}])");
    EXPECT_EQ(conversation.assistants, (std::vector<std::size_t>{2, 4, 6}));
}

TEST(Alpaca, namesTheFieldThatIsWrong) {
    expectProblem(DataFormat::kAlpaca, R"({"output":"x"})", "'instruction'");
    expectProblem(DataFormat::kAlpaca, R"({"instruction":"x"})", "'output'");
    expectProblem(DataFormat::kAlpaca, R"({"instruction":true,"output":"x"})", "'instruction' that is not a string");
    expectProblem(DataFormat::kAlpaca, R"({"instruction":"x","output":""})", "says nothing");
    expectProblem(DataFormat::kAlpaca, R"({"instruction":"x","output":"y","history":[["a"]]})", "pairs");
}

TEST(Messages, keepsWhatTheTemplateMayWantAndTheOrderOfKeys) {
    const char* row =
        R"({"tools":[{"type":"function","function":{"name":"f","parameters":{"z":1,"a":2}}}],"messages":[)"
        R"({"role":"user","content":"q","name":"Ann"},)"
        R"({"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function",)"
        R"("function":{"name":"f","arguments":"{\"z\": 1, \"a\": \"b\"}"}}]},)"
        R"({"role":"tool","tool_call_id":"1","content":"r"}]})";
    const Conversation conversation = read(DataFormat::kMessages, row);
    EXPECT_EQ(conversation.messages[0]["name"], "Ann");
    EXPECT_EQ(conversation.messages[1]["tool_calls"][0]["function"]["arguments"].dump(), R"({"z":1,"a":"b"})");
    EXPECT_EQ(conversation.tools[0]["function"]["parameters"].dump(), R"({"z":1,"a":2})");
    EXPECT_EQ(conversation.assistants, (std::vector<std::size_t>{1}));
}

TEST(Messages, joinsTextPartsAndReadsSwitches) {
    const Conversation conversation =
        read(DataFormat::kMessages,
             R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","value":"b"}]},)"
             R"({"role":"assistant","content":"1"},{"role":"assistant","content":"2","train":false},)"
             R"({"role":"assistant","content":"3","weight":0},{"role":"assistant","content":"4","loss_weight":1.0}]})");
    EXPECT_EQ(conversation.messages[0]["content"], "ab");
    EXPECT_EQ(conversation.wanted, (std::vector<bool>{true, false, false, true}));
    for (const char* key : {"train", "loss", "training", "trainable"})
        for (const bool isWanted : {true, false}) {
            const std::string row = R"({"messages":[{"role":"assistant","content":"a",")" + std::string(key) +
                                    (isWanted ? "\":true}]}" : "\":false}]}");
            EXPECT_EQ(read(DataFormat::kMessages, row.c_str()).wanted, std::vector<bool>{isWanted}) << row;
        }
    const auto isTrained = [](const std::string& switches) -> bool {
        const std::string row = R"({"messages":[{"role":"assistant","content":"a",)" + switches + "}]}";
        return read(DataFormat::kMessages, row.c_str()).wanted.at(0);
    };
    EXPECT_FALSE(isTrained(R"("loss":0)"));
    EXPECT_TRUE(isTrained(R"("loss":1)"));
    EXPECT_FALSE(isTrained(R"("loss":1,"weight":0)"));
    EXPECT_TRUE(isTrained(R"("loss":0.73)")); // what somebody measured
}

// A thought is neither trained twice nor lost: the same one is taken once, of two others nobody knows which is meant.
TEST(Messages, haveOneThought) {
    const auto read = [](Json answer) -> std::string {
        answer["role"] = "assistant";
        try {
            const Json row = {{"messages", {{{"role", "user"}, {"content", "a"}}, answer}}};
            const Json message = conversationOf(row, DataFormat::kMessages).messages[1];
            return message["reasoning_content"].get<std::string>() + "|" + message["content"].get<std::string>();
        } catch (const RowProblem& problem) {
            return problem.what();
        }
    };
    const auto part = [](const char* type, const char* text) { return Json{{"type", type}, {type, text}}; };
    EXPECT_EQ(read({{"content", "<think>\nR\n</think>\n\nb"}, {"reasoning_content", "R"}}), "R|b");
    EXPECT_EQ(read({{"content", "<think></think>b"}, {"reasoning", "R"}}), "R|b");
    EXPECT_EQ(read({{"content", "b"}, {"reasoning_content", "R"}, {"thinking", "R\n"}}), "R|b");
    EXPECT_EQ(read({{"content", "b <think>c</think>"}, {"reasoning_content", "R"}}), "R|b <think>c</think>");
    const Json texts = Json::array({"R", {{"type", "text"}, {"text", "S"}}}); // as Mistral writes thoughts
    EXPECT_EQ(read({{"content", {{{"type", "thinking"}, {"thinking", texts}}, {{"type", "text"}, {"text", "b"}}}}}),
              "RS|b");
    EXPECT_EQ(read({{"content", "<think>S</think>b"}, {"thinking", "R"}}),
              "has a message 2 with two different thoughts, one in 'thinking' and one in 'content'; keep one of them");
    EXPECT_EQ(read({{"content", "b"}, {"reasoning_content", "R"}, {"thinking", "S"}}),
              "has a message 2 with two different thoughts, one in 'reasoning_content' and one in 'thinking'; keep one "
              "of them");
    EXPECT_EQ(read({{"content", {part("thinking", "R"), part("text", "b")}}, {"reasoning_content", "S"}}),
              "has a message 2 with two different thoughts, one in 'reasoning_content' and one in 'content'; keep one "
              "of them");
    EXPECT_EQ(read({{"content", {part("reasoning", "R"), part("reasoning", "S"), part("text", "b")}}}), "RS|b");
    EXPECT_EQ(read({{"content", {part("text", "b"), part("reasoning", "R"), part("text", "c")}}}),
              "has a message 2 with a thought behind other parts of its content; a thought stands before them");
}

TEST(Messages, findThoughtsAndCallsAmongTheParts) { // as LLaMA-Factory writes them from version 1 on
    const Conversation conversation =
        read(DataFormat::kMessages,
             R"({"messages":[{"role":"user","content":[{"type":"text","value":"q"}],"loss_weight":0.0},)"
             R"({"role":"assistant","content":[{"type":"reasoning","value":"t"},{"type":"text","value":"I look."},)"
             R"({"type":"tool_call","value":"{\"name\":\"f\",\"arguments\":{\"a\":1}}"}],"loss_weight":1.0},)"
             R"({"role":"tool","content":[{"type":"text","value":"r"}]},)"
             R"({"role":"assistant","content":[{"type":"thinking","thinking":"u"},{"type":"text","text":"done"}]}]})");
    EXPECT_EQ(conversation.messages[1]["reasoning_content"], "t");
    EXPECT_EQ(conversation.messages[1]["content"], "I look.");
    EXPECT_EQ(conversation.messages[1]["tool_calls"].dump(),
              R"([{"type":"function","function":{"name":"f","arguments":{"a":1}}}])");
    EXPECT_EQ(conversation.messages[2]["content"], "r");
    EXPECT_EQ(conversation.messages[3]["reasoning_content"], "u");
    expectProblem(DataFormat::kMessages,
                  R"({"messages":[{"role":"assistant","content":[{"type":"tool_call","value":"f"}]}]})",
                  "function call that is not valid JSON from character 1 on");
    expectProblem(DataFormat::kMessages,
                  R"({"messages":[{"role":"assistant","content":[{"type":"reasoning","value":7}]}]})",
                  "a part that is not text");
    const std::string call = R"({"type":"tool_call","value":"{\"name\":\"f\",\"arguments\":{}}"})";
    const auto rowWith = [&](const char* text) {
        return R"({"messages":[{"role":"assistant","content":[)" + call + R"(,{"type":"text","text":")" + text +
               R"("}]}]})";
    };
    expectProblem(DataFormat::kMessages, rowWith("Done.").c_str(),
                  "has a message 1 with a text behind a call of a tool; give the text a message of its own");
    EXPECT_EQ(read(DataFormat::kMessages, rowWith("\\n").c_str()).messages[0]["tool_calls"].size(), 1u);
}

TEST(Messages, takeCallsAndAnswersThatAreMessagesOfTheirOwn) { // LLaMA-Factory's roles, in OpenAI's form
    const Conversation conversation =
        read(DataFormat::kMessages,
             R"({"messages":[{"role":"user","content":"q"},{"role":"function_call","content":"{\"name\":\"f\",)"
             R"(\"arguments\":{\"a\":1}}"},{"role":"observation","content":"r"},{"role":"assistant","content":"b"},)"
             R"({"role":"ipython","content":"s"},{"role":"assistant","content":"c"}]})");
    EXPECT_EQ(conversation.messages[1]["role"], "assistant");
    EXPECT_EQ(conversation.messages[1]["tool_calls"].dump(),
              R"([{"type":"function","function":{"name":"f","arguments":{"a":1}}}])");
    EXPECT_EQ(conversation.messages[2]["role"], "tool");
    EXPECT_EQ(conversation.messages[4]["role"], "ipython"); // Llama 3 has it itself
    EXPECT_EQ(conversation.assistants, (std::vector<std::size_t>{1, 3, 5}));
    expectProblem(DataFormat::kMessages, R"({"messages":[{"role":"function_call","content":"f"}]})",
                  "function call that is not valid JSON");
}

// No program could read such a call, so none is learnt; one that is not trained may stand before its mending.
TEST(Messages, callWithArgumentsThatCanBeRead) {
    const auto rowWith = [](const std::string& arguments, const std::string& more) {
        return R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"function":{"name":"f",)"
               R"("arguments":)" +
               arguments + "}}]" + more + "}]}";
    };
    const std::pair<const char*, const char*> kBad[] = {
        {R"("{\"n\":12")", "8"}, {R"("")", "1"}, {R"("{'n': 12}")", "2"}, {R"("print")", "1"}};
    for (const auto& [arguments, at] : kBad) {
        expectProblem(DataFormat::kMessages, rowWith(arguments, "").c_str(),
                      "message 2 with a tool call whose arguments are not valid JSON from character " +
                          std::string(at) + " on; where there are none, they are {}");
        EXPECT_NO_THROW(read(DataFormat::kMessages, rowWith(arguments, R"(,"weight":0)").c_str())) << arguments;
    }
    const auto argumentsOf = [&](const char* given) {
        const Conversation conversation = read(DataFormat::kMessages, rowWith(given, "").c_str());
        EXPECT_TRUE(conversation.hasObjectArguments) << given;
        return conversation.messages[1]["tool_calls"][0]["function"]["arguments"].dump();
    };
    EXPECT_EQ(argumentsOf(R"("{\"n\":12}")"), R"({"n":12})");
    for (const char* none : {R"("{}")", "null", R"("null")", "{}"}) // null is what nobody can call with
        EXPECT_EQ(argumentsOf(none), "{}") << none;
    for (const auto& [value, shown] :
         {std::pair(R"("\"n\"")", R"("\"n\"")"), std::pair("5", "5"), std::pair(R"("5")", R"("5")"),
          std::pair("[1]", "[1]"), std::pair(R"("[1]")", R"("[1]")"), std::pair("[]", "[]"), std::pair("true", "true")})
        expectProblem(DataFormat::kMessages, rowWith(value, "").c_str(),
                      "message 2 with a tool call whose arguments are " + std::string(shown) + ", not an object");
    const Conversation without =
        read(DataFormat::kMessages, R"({"messages":[{"role":"assistant","content":"a","tool_calls":[]},)"
                                    R"({"role":"assistant","tool_calls":[{"function":{"name":"f"}}]}]})");
    EXPECT_FALSE(
        without.messages[0].contains("tool_calls")); // an empty list is none to templates that ask for the field
    EXPECT_EQ(without.messages[1]["tool_calls"][0]["function"]["arguments"].dump(), "{}");
    const Json row = parseRow(rowWith(kBad[0].first, ""));
    EXPECT_THROW(conversationOf(row, DataFormat::kMessages, Arguments::kAsTexts), RowProblem);
    expectProblem(DataFormat::kShareGpt,
                  R"({"conversations":[{"from":"human","value":"q"},)"
                  R"({"from":"function_call","value":"{\"name\":\"f\",\"arguments\":\"{\"}"}]})",
                  "whose arguments are not valid JSON");
    expectProblem(DataFormat::kMessages,
                  R"({"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"","arguments":{}}}]}]})",
                  "message 1 with a function call without a name");
    for (const char* function : {R"({"arguments":{}})", R"({"name":5,"arguments":{}})"})
        expectProblem(
            DataFormat::kMessages,
            (R"({"messages":[{"role":"assistant","tool_calls":[{"function":)" + std::string(function) + "}]}]}")
                .c_str(),
            "message 1 with a function call without a name");
}

TEST(Messages, namesTheMessageThatIsWrong) {
    const auto expectBad = [](const char* messages, const std::string& words) {
        expectProblem(DataFormat::kMessages, (R"({"messages":)" + std::string(messages) + "}").c_str(), words);
    };
    expectBad("[]", "'messages' that is empty");
    expectBad("null", "no list 'messages'");
    expectBad("7", "'messages' that is not a list");
    expectBad(R"(["x"])", "message 1 that is not an object");
    expectBad(R"([{"content":"x"}])", "message 1 without a role");
    expectBad(R"([{"role":"user","content":"x"},{"role":"user"}])", "message 2 without content");
    expectBad(R"([{"role":"user","content":true}])", "message 1 whose content");
    expectBad(R"([{"role":"user","content":[{"type":"image","url":"x"}]}])", "part that is not text");
    expectBad(R"([{"role":"assistant","content":""}])", "says nothing");
    expectBad(R"([{"role":"assistant","content":"x","weight":0.5}])", "'weight'");
    expectBad(R"([{"role":"assistant","content":"x","tool_calls":{}}])", "tool_calls");
    expectBad(R"([{"role":"assistant","content":"x","function_call":{}}])", "function_call");
}

TEST(Messages, namesTheThoughtByOneName) {
    for (const char* key : {"reasoning_content", "reasoning", "thinking"}) {
        const std::string row =
            R"({"messages":[{"role":"assistant","content":"a",")" + std::string(key) + R"(":"t"}]})";
        EXPECT_EQ(read(DataFormat::kMessages, row.c_str()).messages.dump(),
                  R"([{"role":"assistant","content":"a","reasoning_content":"t"}])");
    }
    expectProblem(DataFormat::kMessages, R"({"messages":[{"role":"assistant","content":"a","thinking":7}]})",
                  "'thinking'");
}

TEST(Messages, leavesOutNullsAndTakesListsInStrings) { // as tables have them
    const Conversation conversation =
        read(DataFormat::kMessages, R"({"messages":"[{\"role\":\"user\",\"content\":\"a\",\"tool_calls\":null}]",)"
                                    R"("tools":"[{\"name\":\"f\",\"parameters\":{}}]","system":""})");
    EXPECT_EQ(conversation.messages.dump(), R"([{"role":"user","content":"a"}])");
    EXPECT_EQ(conversation.tools.dump(), R"([{"type":"function","function":{"name":"f","parameters":{}}}])");
}

TEST(Messages, refuseImages) {
    expectProblem(DataFormat::kMessages, R"({"messages":[{"role":"user","content":"<image>"}],"images":["a.jpg"]})",
                  "has 'images': only text");
    EXPECT_EQ(
        read(DataFormat::kMessages, R"({"messages":[{"role":"user","content":"a"}],"images":[]})").messages.size(), 1u);
}

TEST(ShareGpt, knowsTheRolesByTheirManyNames) {
    const Conversation conversation =
        read(DataFormat::kShareGpt, R"({"system":"S","conversations":[{"from":"human","value":"a"},)"
                                    R"({"from":"gpt","value":"b","weight":0},{"from":"user","value":"c"},)"
                                    R"({"from":"model","value":"d"}]})");
    EXPECT_EQ(conversation.messages.dump(),
              R"([{"role":"system","content":"S"},{"role":"user","content":"a"},)"
              R"({"weight":0,"role":"assistant","content":"b"},{"role":"user","content":"c"},)"
              R"({"role":"assistant","content":"d"}])");
    EXPECT_EQ(conversation.wanted, (std::vector<bool>{false, true}));
}

std::string turnsOf(DataFormat format, const char* json) {
    std::string turns;
    for (const Json& message : read(format, json).messages)
        turns += message["role"].get<std::string>() + ":" + message["content"].get<std::string>() + " ";
    return turns;
}

TEST(Messages, knowTheUsualRolesByOtherNamesAndKeepTheirOwn) {
    EXPECT_EQ(turnsOf(DataFormat::kMessages, R"({"messages":[{"role":"System","content":"s"},
                      {"role":"HUMAN","content":"a"},{"role":"gpt","content":"b"},{"role":"Human","content":"c"},
                      {"role":"model","content":"d"},{"role":"bot","content":"e"},{"role":"ipython","content":"f"},
                      {"role":"Critic","content":"g"},{"role":"Assistant","content":"h"}]})"),
              "system:s user:a assistant:b user:c assistant:d assistant:e ipython:f Critic:g assistant:h ");
    EXPECT_EQ(turnsOf(DataFormat::kShareGpt, R"({"conversations":[{"from":"Human","value":"a"},
                      {"from":"GPT","value":"b"}]})"),
              "user:a assistant:b ");
}

TEST(Messages, knowWhoSpeaksAndWhatByOtherNames) {
    const char* spoken = R"({"dialog":[{"speaker":"User","text":"a"},{"speaker":"Bot","text":"b"}]})";
    const SniffedFormat found = sniffFormat(parseRow(spoken), {});
    EXPECT_EQ(found.format.kind, DataFormat::kShareGpt);
    const Conversation read = conversationOf(withColumns(parseRow(spoken), found.format.columns), found.format.kind);
    EXPECT_EQ(read.messages.dump(), R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"}])");
    EXPECT_EQ(turnsOf(DataFormat::kMessages, R"({"messages":[{"role":"user","text":"a"},
                      {"role":"assistant","text":"b","content":"c"}]})"),
              "user:a assistant:c ");
    EXPECT_EQ(
        turnsOf(DataFormat::kMessages, R"({"messages":[{"role":"human","value":"a"},{"role":"ai","value":"b"}]})"),
        "user:a assistant:b ");
    EXPECT_EQ(turnsOf(DataFormat::kShareGpt, R"({"conversations":[{"from":"human","content":"a"},
                      {"from":"ai","content":"b"}]})"),
              "user:a assistant:b ");
}

// "role" and "content" win, whatever stands beside them.
TEST(Messages, areSpokenByTheirRoleAndSayTheirContent) {
    const Conversation both = read(
        DataFormat::kMessages,
        R"({"messages":[{"from":"gpt","role":"user","content":"a"},{"role":"assistant","value":"x","content":"b"},)"
        R"({"role":"user","speaker":"Human","content":"c","text":"c"},{"role":"user","speaker":"Ann","content":"c"},{"from":"human","role":"assistant","value":"d"}]})");
    std::string turns;
    for (const Json& message : both.messages)
        turns += message["role"].get<std::string>() + ":" + message["content"].get<std::string>() + " ";
    EXPECT_EQ(turns, "user:a assistant:b user:c user:c assistant:d ");
    EXPECT_EQ(both.assistants, (std::vector<std::size_t>{1, 4}));
    EXPECT_EQ(both.contradicted, (std::vector<std::size_t>{0, 1, 4})); // and not 2, where both say the same
    const Conversation shareGpt =
        read(DataFormat::kShareGpt, R"({"system":"S","conversations":[{"from":"human","role":"user","value":"a"},)"
                                    R"({"from":"human","role":"gpt","value":"","content":"b"}]})");
    EXPECT_EQ(shareGpt.assistants, std::vector<std::size_t>{2});
    EXPECT_EQ(shareGpt.contradicted, std::vector<std::size_t>{2});
    EXPECT_EQ(sniffFormat(parseRow(R"({"messages":[{"from":"gpt","role":"user","content":"a"}]})"), {}).format.kind,
              DataFormat::kMessages);
}

// Else a model would learn to think for ever, or to end a thought twice.
TEST(Messages, haveThoughtsThatEnd) {
    const auto problemOf = [](Json answer) -> std::string {
        answer["role"] = "assistant";
        try {
            const Conversation chat =
                conversationOf({{"messages", {{{"role", "user"}, {"content", "a"}}, answer}}}, DataFormat::kMessages);
            return chat.openThoughts.empty() ? "" : "open";
        } catch (const RowProblem& problem) {
            return problem.what();
        }
    };
    const std::string open = "has a message 2 with a thought that is never closed: a <think> and no </think> behind it";
    EXPECT_EQ(problemOf({{"content", "<think>I wonder"}}), open);
    EXPECT_EQ(problemOf({{"content", "\n <think>\nI wonder"}}), open);
    EXPECT_EQ(problemOf({{"content", "<think>a</think>b <think>c"}}), open);
    EXPECT_EQ(problemOf({{"content", "[THINK]I wonder"}}),
              "has a message 2 with a thought that is never closed: a [THINK] and no [/THINK] behind it");
    EXPECT_EQ(problemOf({{"content", "<think>I wonder"}, {"train", false}}), "");
    EXPECT_EQ(problemOf({{"content", "The tag <think> begins a thought."}}), "open"); // or speaks of one
    EXPECT_EQ(problemOf({{"content", "<think>a</think>b"}}), "");
    EXPECT_EQ(problemOf({{"content", "a</think>b"}}), ""); // which the template has opened
    EXPECT_EQ(
        problemOf({{"content", "b"}, {"reasoning_content", "a</think>c"}}),
        "has a message 2 with a '</think>' in its 'reasoning_content', where the thought would end; what is behind "
        "it is the content");
    EXPECT_EQ(problemOf({{"content", "b"}, {"thinking", "a[/THINK]c"}}),
              "has a message 2 with a '[/THINK]' in its 'thinking', where the thought would end; what is behind it is "
              "the content");
    for (const char* wrapped : {"<think>\nR\n</think>", "R</think>", "<think>R", "[THINK]R[/THINK]"}) {
        const Json answer = {{"role", "assistant"}, {"content", "b"}, {"reasoning_content", wrapped}};
        EXPECT_EQ(conversationOf({{"messages", {answer}}}, DataFormat::kMessages).messages[0]["reasoning_content"],
                  "R");
    }
}

TEST(Messages, mayBeEmptyWhereTheyAreNotTrained) {
    const Conversation chat = read(
        DataFormat::kMessages, R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,)"
                               R"("train":false},{"role":"user","content":"b"},{"role":"assistant","content":"c"}]})");
    EXPECT_EQ(chat.messages[1]["content"], "");
    EXPECT_EQ(chat.wanted, (std::vector<bool>{false, true}));
}

TEST(Rows, takeNumbersForTheirDigits) {
    EXPECT_EQ(turnsOf(DataFormat::kAlpaca, R"({"instruction":"6 times 7?","output":42})"),
              "user:6 times 7? assistant:42 ");
    EXPECT_EQ(turnsOf(DataFormat::kMessages, R"({"messages":[{"role":"user","content":0.5},
                      {"role":"assistant","content":-7}]})"),
              "user:0.5 assistant:-7 ");
    const auto plain = plainTextOf(parseRow(R"({"prompt":"half of 5:","completion":2.5})"), DataFormat::kCompletion);
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->pieces[1].text, "2.5");
    EXPECT_EQ(turnsOf(DataFormat::kAlpaca, R"({"instruction":"x","output":123456789012345678901234567890})"),
              "user:x assistant:123456789012345678901234567890 ");
    // Of a number that may have lost digits on its way nobody should learn.
    expectProblem(DataFormat::kAlpaca, R"({"instruction":"x","output":1234567890123456.7})", "'output'");
}

TEST(Rows, takeTrueAndFalseForAnswers) {
    EXPECT_EQ(turnsOf(DataFormat::kAlpaca, R"({"instruction":"Is it so?","output":true})"),
              "user:Is it so? assistant:true ");
    EXPECT_EQ(turnsOf(DataFormat::kMessages, R"({"messages":[{"role":"user","content":"x"},
                      {"role":"assistant","content":false}]})"),
              "user:x assistant:false ");
    const auto plain = plainTextOf(parseRow(R"({"prompt":"so?","completion":false})"), DataFormat::kCompletion);
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->pieces[1].text, "false");
    EXPECT_EQ(turnsOf(DataFormat::kCompletion, R"({"prompt":[{"role":"user","content":"so?"}],"completion":true})"),
              "user:so? assistant:true ");
    // As a question, or beside one, it says nothing.
    expectProblem(DataFormat::kAlpaca, R"({"instruction":true,"output":"a"})", "'instruction'");
    expectProblem(DataFormat::kAlpaca, R"({"instruction":"x","input":false,"output":"a"})", "'input'");
    expectProblem(DataFormat::kMessages, R"({"messages":[{"role":"user","content":true}]})", "message 1");
}

// Of two values one would be lost without a word; the same again says nothing else.
TEST(Rows, haveEachFieldOnce) {
    const std::string kTwice = "has two fields 'output' that say different things; keep one of them";
    expectProblem(DataFormat::kAlpaca, R"({"instruction":"a","output":"b","output":"c"})", kTwice);
    expectProblem(DataFormat::kMessages, R"({"messages":[{"role":"assistant","content":"b","content":"c"}]})",
                  "has two fields 'content'");
    expectProblem(DataFormat::kMessages,
                  R"({"messages":"[{\"role\":\"assistant\",\"content\":\"b\",)"
                  R"(\"content\":\"c\"}]"})",
                  "has two fields 'content'");
    expectProblem(DataFormat::kMessages,
                  R"({"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":)"
                  R"("{\"n\":1,\"n\":2}"}}]}]})",
                  "has two fields 'n'");
    EXPECT_EQ(turnsOf(DataFormat::kAlpaca, R"({"instruction":"a","output":"b","output":"b"})"), "user:a assistant:b ");
}

TEST(Rows, doNotTeachAnswersThatAreMarkedAsBad) {
    const char* rejected[] = {R"({"prompt":"a","completion":"b","label":false})",
                              R"({"prompt":"a","completion":"b","label":"False"})",
                              R"({"prompt":"a","completion":"b","label":0})",
                              R"({"prompt":"a","completion":"b","label":0.0})",
                              R"({"prompt":"a","completion":"b","label":"no"})",
                              R"({"prompt":"a","completion":"b","label":-1})",
                              R"({"prompt":"a","completion":"b","label":"Bad"})",
                              R"({"prompt":"a","completion":"b","label":" false\t"})",
                              R"({"prompt":"a","completion":"b","label":"-1.0"})",
                              R"({"prompt":"a","completion":"b","label":"rejected"})",
                              R"({"prompt":[{"role":"user","content":"a"}],"completion":"b","label":false})"};
    for (const char* json : rejected) {
        try {
            const Json row = parseRow(json);
            if (!plainTextOf(row, DataFormat::kCompletion)) conversationOf(row, DataFormat::kCompletion);
            ADD_FAILURE() << json;
        } catch (const RowProblem& problem) {
            EXPECT_EQ(problem.reason(), DropReason::kRejected) << json;
            EXPECT_NE(std::string(problem.what()).find("'label': "), std::string::npos);
        }
    }
    for (const char* text : {R"({"text":"a","label":false})", R"({"text":"a","label":"rejected"})"})
        EXPECT_THROW(plainTextOf(parseRow(text), DataFormat::kText), RowProblem) << text;
    // Numbers of classes and their names say nothing about the answer.
    for (const char* text : {R"({"text":"a","label":0})", R"({"text":"a","label":"0"})"})
        EXPECT_TRUE(plainTextOf(parseRow(text), DataFormat::kText)) << text;
    for (const char* row :
         {R"({"prompt":"a","completion":"b","label":2})", R"({"prompt":"a","completion":"b","label":"anger"})"})
        EXPECT_TRUE(plainTextOf(parseRow(row), DataFormat::kCompletion)) << row;
    // One that means something else is taken back.
    session::DatasetSection dataset;
    dataset.columns = {"label="};
    const Json zero = parseRow(R"({"prompt":"a","completion":"b","label":0})");
    EXPECT_TRUE(plainTextOf(mappedRow(zero, rowFormatOf(dataset)), DataFormat::kCompletion));
    EXPECT_TRUE(plainTextOf(parseRow(R"({"prompt":"a","completion":"b","label":true})"), DataFormat::kCompletion));
    EXPECT_TRUE(plainTextOf(parseRow(R"({"prompt":"a","completion":"b","label":1})"), DataFormat::kCompletion));
    const char* tagged =
        R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],"kto_tag":false})";
    EXPECT_THROW(read(DataFormat::kMessages, tagged), RowProblem);
}

TEST(Messages, knowRolesWithBlanksAround) {
    const Conversation conversation =
        read(DataFormat::kMessages, R"({"messages":[{"role":"user ","content":"a"},{"role":"Prompter","content":"b"},)"
                                    R"({"role":" Assistant\n","content":"c"},{"role":"critic ","content":"d"}]})");
    EXPECT_EQ(conversation.messages[0]["role"], "user");
    EXPECT_EQ(conversation.messages[1]["role"], "user");
    EXPECT_EQ(conversation.messages[2]["role"], "assistant");
    EXPECT_EQ(conversation.messages[3]["role"], "critic ");
}

TEST(ShareGpt, makesToolCallsOfFunctionCalls) {
    const Conversation conversation =
        read(DataFormat::kShareGpt, R"({"tools":"[{\"name\":\"f\"}]","conversations":[{"from":"human","value":"a"},)"
                                    R"({"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{\"x\":1}}"},)"
                                    R"({"from":"observation","value":"r"},{"from":"gpt","value":"b"}]})");
    EXPECT_EQ(conversation.messages[1].dump(),
              R"({"role":"assistant","content":"","tool_calls":[{"type":"function","function":)"
              R"({"name":"f","arguments":{"x":1}}}]})");
    EXPECT_EQ(conversation.messages[2].dump(), R"({"role":"tool","content":"r"})");
    EXPECT_EQ(conversation.tools[0]["function"]["name"], "f");
    EXPECT_EQ(conversation.assistants, (std::vector<std::size_t>{1, 3}));
}

TEST(ShareGpt, namesTheTurnThatIsWrong) {
    const auto expectBad = [](const char* turns, const std::string& words) {
        expectProblem(DataFormat::kShareGpt, (R"({"conversations":)" + std::string(turns) + "}").c_str(), words);
    };
    expectBad("[]", "'conversations' that is empty");
    expectBad("{}", "'conversations' that is not a list");
    expectBad("[7]", "message 1 that is not an object");
    expectBad(R"([{"value":"a"}])", "message 1 without a role"); // neither form
    expectBad(R"([{"from":"human"}])", "message 1 without 'value'");
    expectBad(R"([{"from":"elf","value":"a"}])", "message 1 from 'elf'");
    expectBad(R"([{"from":"human","value":true}])", "message 1 whose content");
    expectBad(R"([{"from":"function_call","value":"no"}])",
              "message 1 with a function call that is not valid JSON from character 1 on");
    expectBad(R"([{"from":"function_call","value":"{\"name\": \"f\", }"}])",
              "message 1 with a function call that is not valid JSON from character 15 on");
    expectBad(R"([{"from":"function_call","value":"{}"}])", "message 1 with a function call without a name");
}

TEST(Completion, isPlainTextWhereBothAreStrings) {
    const auto plain = plainTextOf(parseRow(R"({"prompt":"a","completion":"b"})"), DataFormat::kCompletion);
    ASSERT_TRUE(plain);
    ASSERT_EQ(plain->pieces.size(), 2u);
    EXPECT_EQ(plain->pieces[0].text, "a");
    EXPECT_FALSE(plain->pieces[0].isTrained);
    EXPECT_TRUE(plain->pieces[1].isTrained);
    EXPECT_TRUE(plain->isWhole);
}

TEST(Completion, isAChatWhereOneIsMessages) {
    const char* row = R"({"prompt":[{"role":"user","content":"a"}],"completion":[{"role":"assistant","content":"b"}]})";
    EXPECT_FALSE(plainTextOf(parseRow(row), DataFormat::kCompletion));
    const Conversation conversation = read(DataFormat::kCompletion, row);
    EXPECT_EQ(conversation.messages.size(), 2u);
    EXPECT_EQ(conversation.completion, 1u);
    const char* mixed = R"({"prompt":[{"from":"human","value":"a"}],"completion":"b"})";
    EXPECT_EQ(read(DataFormat::kCompletion, mixed).messages.dump(),
              R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"}])");
    expectProblem(DataFormat::kCompletion, R"({"prompt":true,"completion":"b"})", "'prompt' that is neither");
    expectProblem(DataFormat::kCompletion, R"({"prompt":"a"})", "no field 'completion'");
    expectProblem(DataFormat::kCompletion, R"({"prompt":[{"role":"user","content":"a"}],"completion":["b"]})",
                  "has a field 'completion' that is neither a string nor messages");
    expectProblem(DataFormat::kCompletion, R"({"prompt":[],"completion":"b"})", "has a field 'prompt' that is empty");
}

TEST(Segments, areTakenAsTheyAre) {
    const auto plain = plainTextOf(
        parseRow(R"({"segments":[{"text":"<s>a","label":false},{"text":"b</s>","label":1}]})"), DataFormat::kSegments);
    ASSERT_TRUE(plain);
    EXPECT_FALSE(plain->takesBos);
    EXPECT_FALSE(plain->isWhole);
    EXPECT_FALSE(plain->pieces[0].isTrained);
    EXPECT_TRUE(plain->pieces[1].isTrained);
    for (const char* bad : {R"({"segments":[]})", R"({"segments":[{"text":7,"label":true}]})",
                            R"({"segments":[{"text":"a","label":"yes"}]})", R"({"segments":["a"]})"})
        EXPECT_THROW(plainTextOf(parseRow(bad), DataFormat::kSegments), RowProblem) << bad;
}

TEST(Text, goesOnWhereItSaysSo) {
    EXPECT_TRUE(plainTextOf(parseRow(R"({"text":"a"})"), DataFormat::kText)->isWhole);
    EXPECT_FALSE(plainTextOf(parseRow(R"({"text":"a","continues":true})"), DataFormat::kText)->isWhole);
    for (const char* bad : {R"({"text":""})", R"({"text":true})", R"({"x":1})"})
        EXPECT_THROW(plainTextOf(parseRow(bad), DataFormat::kText), RowProblem) << bad;
}

TEST(Columns, areReadByNameAndByPath) {
    const Json row =
        parseRow(R"({"q":"a","extra":{"answer":"b","list":[{"x":1},{"x":2}]},"a.b":"c","completion":"old"})");
    const auto read = [&](const char* column) { return withColumns(row, {{"completion", column}}); };
    EXPECT_EQ(read("extra.answer")["completion"], "b");
    EXPECT_EQ(read("extra.list.1.x")["completion"], 2);
    EXPECT_EQ(read("a.b")["completion"], "c");
    EXPECT_FALSE(read("absent").contains("completion"));
    EXPECT_FALSE(read("extra.list.9.x").contains("completion"));
}

TEST(Columns, decideTheFormatBeforeWhatIsNotMapped) {
    const Json row = parseRow(R"({"instruction":"a","output":"b","answer":"c","question":"d"})");
    EXPECT_EQ(sniffFormat(row, {}).format.kind, DataFormat::kAlpaca);
    EXPECT_EQ(sniffFormat(row, withChoices({{"prompt", "question"}, {"completion", "answer"}})).format.kind,
              DataFormat::kCompletion);
    const Json preference = parseRow(
        R"({"conversations":[{"from":"human","value":"a"}],"chosen":{"from":"gpt","value":"b"},"rejected":{}})");
    EXPECT_NE(sniffFormat(preference, {}).advice.find("preferences"), std::string::npos);
    const RowFormat format =
        sniffFormat(preference, withChoices({{"prompt", "conversations"}, {"completion", "chosen"}})).format;
    EXPECT_EQ(conversationOf(withColumns(preference, format.columns), format.kind).messages.size(), 2u);
}

TEST(Columns, areGuessedAndTheInputIsNotReadTwice) {
    const Json row = parseRow(R"({"input":"a","output":"b"})");
    const RowFormat format = sniffFormat(row, {}).format;
    EXPECT_EQ(conversationOf(withColumns(row, format.columns), format.kind).messages.dump(),
              R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"}])");
}

TEST(Rows, namesWhatIsNoObject) {
    expectProblem(DataFormat::kMessages, "{\"a\":", "is not valid JSON: it ends before a bracket or a quote is closed");
    expectProblem(DataFormat::kMessages, R"({"größe": 1 "b": 2})",
                  "is not valid JSON: at character 13 stands '\"', where a ',' or a '}' should");
    expectProblem(DataFormat::kMessages, "{\"a\": \x01\x02\x03}",
                  "is not valid JSON: at character 7 stands 0x01, where a value should begin");
    expectProblem(DataFormat::kMessages, "{\"a\": [\n  1,\n  größe\n]}",
                  "is not valid JSON: in its line 3, at character 3, stands 'größe', where a value should begin");
    expectProblem(DataFormat::kMessages, "\n\n  {\"a\": 1,\n   \"b\" 2}\n",
                  "is not valid JSON: in its line 2, at character 8, stands '2', where a ':' should");
    expectProblem(DataFormat::kMessages, "\n  {\"b\" 2}\n", "is not valid JSON: at character 8 stands '2'");
    expectProblem(DataFormat::kMessages, "{\n\"a\": \"\\x\"}", "in its line 2, at character 7, begins an escape");
    expectProblem(DataFormat::kMessages, "{\n\"a\": 1e999}",
                  "has a number that is too large, '1e999' in its line 2, at character 6; in quotes it is a text");
    expectProblem(DataFormat::kAlpaca, R"({"instruction":"a","output":1e400})",
                  "has a number that is too large, '1e400' at character 29");
    expectProblem(DataFormat::kMessages, R"({"a": 1} // the first)",
                  "is not valid JSON: at character 10 begins a comment, which JSON does not have");
    expectProblem(DataFormat::kMessages, "{\n  // one\n  \"a\": 1}", "in its line 2, at character 3, begins a comment");
    expectProblem(DataFormat::kMessages, R"({"a": [1, /* two */ 2]})", "at character 11 begins a comment");
    expectProblem(DataFormat::kMessages, "[1]", "not a JSON object");
    expectProblem(DataFormat::kMessages, R"({"messages":[{"role":"user","content":"\ud800"}]})", "not valid JSON");
}

TEST(Rows, areNotReadIntoADepthThatWouldExhaustTheStack) {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    expectProblem(DataFormat::kText, ("{\"text\":" + nested(1'000'000) + "}").c_str(), "nested deeper than 100 levels");
    expectProblem(DataFormat::kMessages, ("{\"messages\":\"" + nested(1'000'000) + "\"}").c_str(), "not a list");
    EXPECT_EQ(parseRow("{\"text\":\"\\\"" + nested(200) + "\",\"more\":" + nested(99) + "}").size(), 2U);
}

TEST(Rows, areNotObjectsThatHoldAWholeDataset) {
    const auto object = [](int numFields) {
        std::string json = "{\"text\":\"a:b\"";
        for (int i = 1; i < numFields; ++i)
            json += ",\"row" + std::to_string(i) + "\":{\"text\":\"x\"}";
        return json + "}";
    };
    EXPECT_EQ(parseRow(object(10'000)).size(), 10'000U);
    expectProblem(DataFormat::kText, object(10'001).c_str(), "more than 10000 fields");
    expectProblem(DataFormat::kText, object(2'000'000).c_str(), "more than 10000 fields"); // and at once
}

TEST(Format, isSniffedFromTheFields) {
    const auto kind = [](const char* row) { return sniffFormat(parseRow(row), {}).format.kind; };
    EXPECT_EQ(kind(R"({"messages":[]})"), DataFormat::kMessages);
    EXPECT_EQ(kind(R"({"messages":[{"from":"human","value":"a"}]})"), DataFormat::kShareGpt);
    EXPECT_EQ(kind(R"({"conversations":[{"role":"user","content":"a"}]})"), DataFormat::kMessages);
    EXPECT_EQ(kind(R"({"conversations":[{"from":"human","value":"a"}]})"), DataFormat::kShareGpt);
    EXPECT_EQ(kind(R"({"instruction":"a","output":"b","text":"c"})"), DataFormat::kAlpaca);
    EXPECT_EQ(kind(R"({"question":"a","answer":"b"})"), DataFormat::kAlpaca);
    EXPECT_EQ(kind(R"({"prompt":"a","answer":"b"})"), DataFormat::kCompletion);
    EXPECT_EQ(kind(R"({"text":"a","id":1})"), DataFormat::kText);
    EXPECT_EQ(kind(R"({"segments":[],"text":"a"})"), DataFormat::kSegments);
    EXPECT_EQ(kind(R"({"id":1,"name":"x"})"), DataFormat::kAuto);
    EXPECT_EQ(kind(R"({"conversations":[{"from":"human","value":"a"}],"chosen":{},"rejected":{}})"), DataFormat::kAuto);
    EXPECT_NE(sniffFormat(parseRow(R"({"id":1,"name":"x"})"), {}).advice.find("id, name"), std::string::npos);
}

} // namespace
} // namespace roundpipe::data
