// SPDX-License-Identifier: GPL-3.0-or-later
// What a dataset's settings say of its rows: columns, a prompt made of columns, a system's words.
#include "data/rows/columns/named_columns.h"
#include "data/rows/columns/row_format.h"
#include "data/rows/conversation.h"
#include "session/spec/prompt_template.h"
#include "session/spec/run_spec.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

using testing::expectError;

// As every reader goes about it: the format found where it is not given, columns mapped, a conversation or a text.
std::string readAs(const Json& row, const session::DatasetSection& dataset) {
    RowFormat format = rowFormatOf(dataset);
    if (format.kind == DataFormat::kAuto) format = sniffFormat(row, format).format;
    if (format.kind == DataFormat::kAuto) return "unknown";
    const Json mapped = mappedRow(row, format);
    if (const auto plain = plainTextOf(mapped, format)) {
        std::string text = spellingOf(format.kind);
        for (const PlainText::PlainPiece& piece : plain->pieces)
            text += " | " + piece.text;
        return text;
    }
    std::string text = spellingOf(format.kind);
    for (const Json& message : conversationOf(mapped, format).messages)
        text += " | " + message["role"].get<std::string>() + ": " + message["content"].get<std::string>();
    return text;
}

std::string problemOf(const Json& row, const session::DatasetSection& dataset) {
    try {
        return readAs(row, dataset);
    } catch (const RowProblem& problem) {
        return std::string("!") + problem.what();
    }
}

session::DatasetSection withPrompt(const std::string& prompt) {
    session::DatasetSection dataset;
    dataset.promptTemplate = prompt;
    return dataset;
}

TEST(PromptTemplate, isFilledFromColumnsAndPathsAndLists) {
    const Json row = {{"question", "How many?"}, {"schema", {{"t", {"a", "b"}}}}, {"n", 7}, {"answer", "3"}};
    EXPECT_EQ(readAs(row, withPrompt("{question}\\n{schema}")),
              "alpaca | user: How many?\n{\"t\":[\"a\",\"b\"]} | assistant: 3");
    EXPECT_EQ(readAs(row, withPrompt("{{{n}}} {schema.t.1}")), "alpaca | user: {7} b | assistant: 3");
    EXPECT_EQ(readAs({{"question", "q"}, {"schema", nullptr}, {"answer", "3"}}, withPrompt("{question}[{schema}]")),
              "alpaca | user: q[] | assistant: 3");
}

TEST(PromptTemplate, standsForThePromptOfEachFormatAndForNoneOfAChat) {
    const Json row = {{"input", "in"}, {"q", "Q"}, {"sql", "S"}};
    session::DatasetSection dataset = withPrompt("<{q}>{input}");
    dataset.columns = {"output=sql"};
    EXPECT_EQ(readAs(row, dataset), "alpaca | user: <Q>in | assistant: S"); // the input is not said twice
    dataset.columns = {"completion=sql"};
    EXPECT_EQ(readAs(row, dataset), "alpaca | user: <Q>in | assistant: S");
    dataset.format = DataFormat::kCompletion;
    EXPECT_EQ(readAs(row, dataset), "completion | <Q>in | S");
    dataset.columns.clear();
    dataset.format = DataFormat::kText;
    EXPECT_EQ(readAs(row, dataset), "text | <Q>in");
    const Json chat = {{"messages", {{{"role", "user"}, {"content", "a"}}}}, {"q", "Q"}};
    EXPECT_NE(problemOf(chat, withPrompt("{q}")).find("data.prompt_template"), std::string::npos);
}

TEST(PromptTemplate, isRefusedWhereItSaysNoColumn) {
    for (const char* bad : {"no column", "{open", "close}", "{}", "{a{b}}"})
        expectError(ErrorKind::kInvalidInput, {"data.prompt_template", "{question}"},
                    [&] { rowFormatOf(withPrompt(bad)); });
}

TEST(SystemPrompt, isADefaultOrTakesTheRowsPlace) {
    const Json without = {{"instruction", "i"}, {"output", "o"}};
    const Json with = {{"instruction", "i"}, {"output", "o"}, {"system", "own"}};
    session::DatasetSection dataset;
    dataset.systemPrompt = "Be\\nbrief.";
    EXPECT_EQ(readAs(without, dataset), "alpaca | system: Be\nbrief. | user: i | assistant: o");
    EXPECT_EQ(readAs(with, dataset), "alpaca | system: own | user: i | assistant: o");
    dataset.systemPromptUse = SystemPromptUse::kOverride;
    EXPECT_EQ(readAs(without, dataset), "alpaca | system: Be\nbrief. | user: i | assistant: o");
    EXPECT_EQ(readAs(with, dataset), "alpaca | system: Be\nbrief. | user: i | assistant: o");
    const Json developer = {
        {"messages", {{{"role", "developer"}, {"content", "own"}}, {{"role", "user"}, {"content", "a"}}}}};
    EXPECT_EQ(readAs(developer, dataset), "messages | developer: Be\nbrief. | user: a");
}

// By the settings where they override, the messages, the column, the settings: the first of them that says something.
TEST(SystemPrompt, isSaidOnce) {
    const Json turn = {{"role", "user"}, {"content", "a"}};
    const Json own = {{"messages", {{{"role", "system"}, {"content", "own"}}, turn}}, {"system", "column"}};
    const Json column = {{"messages", Json::array({turn})}, {"system", "column"}},
               neither = {{"messages", Json::array({turn})}};
    session::DatasetSection dataset;
    EXPECT_EQ(readAs(own, dataset), "messages | system: own | user: a");
    EXPECT_EQ(readAs(column, dataset), "messages | system: column | user: a");
    EXPECT_EQ(readAs(neither, dataset), "messages | user: a");
    dataset.systemPrompt = "ours";
    EXPECT_EQ(readAs(own, dataset), "messages | system: own | user: a");
    EXPECT_EQ(readAs(column, dataset), "messages | system: column | user: a");
    EXPECT_EQ(readAs(neither, dataset), "messages | system: ours | user: a");
    dataset.systemPromptUse = SystemPromptUse::kOverride;
    for (const Json& row : {own, column, neither})
        EXPECT_EQ(readAs(row, dataset), "messages | system: ours | user: a");
}

// So that the report can say it; what was asked for is no news.
TEST(SystemPrompt, tellsWhereAColumnsIsNotSaid) {
    const Json turn = {{"role", "user"}, {"content", "a"}};
    const Json own = {{"messages", {{{"role", "system"}, {"content", "own"}}, turn}}, {"system", "column"}};
    RowFormat format = DataFormat::kMessages;
    EXPECT_TRUE(conversationOf(own, format).leavesOutSystem);
    EXPECT_FALSE(conversationOf({{"messages", own["messages"]}, {"system", "own"}}, format).leavesOutSystem);
    EXPECT_FALSE(conversationOf({{"messages", Json::array({turn})}, {"system", "column"}}, format).leavesOutSystem);
    format.system = {"ours", SystemPromptUse::kOverride};
    EXPECT_FALSE(conversationOf(own, format).leavesOutSystem);
}

TEST(SystemPrompt, movesWhatCountsMessages) {
    RowFormat format = DataFormat::kCompletion;
    format.system.text = "S";
    const Json row = {{"prompt", {{{"role", "user"}, {"content", "a"}}, {{"role", "assistant"}, {"content", "b"}}}},
                      {"completion", "c"}};
    const Conversation conversation = conversationOf(row, format);
    EXPECT_EQ(conversation.assistants, (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(conversation.completion, std::optional<std::size_t>(3));
}

TEST(SystemPrompt, hasNoPlaceInPlainText) {
    session::DatasetSection dataset;
    dataset.systemPrompt = "S";
    for (const Json& row : {Json{{"text", "t"}}, Json{{"prompt", "p"}, {"completion", "c"}}})
        EXPECT_NE(problemOf(row, dataset).find("no place for a system prompt"), std::string::npos) << row;
}

TEST(SystemPrompt, isReadFromTheColumnsThatPeopleHaveItIn) {
    EXPECT_EQ(readAs({{"instruction", "i"}, {"output", "o"}, {"system_prompt", "s"}}, {}),
              "alpaca | system: s | user: i | assistant: o");
    EXPECT_EQ(readAs({{"system_prompt", "s"}, {"question", "q"}, {"response", "r"}}, {}),
              "alpaca | system: s | user: q | assistant: r");
    EXPECT_EQ(readAs({{"system", "s"},
                      {"prompt", {{{"role", "user"}, {"content", "a"}}}},
                      {"completion", {{{"role", "assistant"}, {"content", "b"}}}}},
                     {}),
              "completion | system: s | user: a | assistant: b");
    session::DatasetSection dataset;
    dataset.columns = {"system=rules"};
    EXPECT_EQ(readAs({{"instruction", "i"}, {"output", "o"}, {"rules", "r"}}, dataset),
              "alpaca | system: r | user: i | assistant: o");
}

TEST(Format, takesTheSolutionRatherThanItsResult) {
    const std::string worked = "Two and two make four, so it is 4.";
    EXPECT_EQ(readAs({{"problem", "2+2"}, {"answer", "4"}, {"solution", worked}}, {}),
              "alpaca | user: 2+2 | assistant: " + worked);
    EXPECT_EQ(readAs({{"problem", "2+2"}, {"answer", worked}, {"solution", "4"}}, {}),
              "alpaca | user: 2+2 | assistant: " + worked);
    EXPECT_EQ(readAs({{"prompt", "2+2"}, {"answer", "4"}, {"solution", worked}}, {}), "completion | 2+2 | " + worked);
}

// "output" is our word for it; the row's people know their column.
TEST(Format, namesTheColumnThatARowLacks) {
    const auto problemOf = [](const char* first, const char* row) -> std::string {
        const RowFormat format = sniffFormat(parseRow(first), {}).format;
        try {
            const Json mapped = mappedRow(parseRow(row), format);
            if (!plainTextOf(mapped, format)) conversationOf(mapped, format);
        } catch (const RowProblem& problem) {
            return problem.what();
        }
        return {};
    };
    constexpr const char* kSolved = R"({"problem":"a","solution":"b"})";
    EXPECT_EQ(problemOf(kSolved, R"({"problem":"a","answer":"b"})"), "has no field 'solution'");
    EXPECT_EQ(problemOf(kSolved, R"({"problem":["a"],"solution":"b"})"), "has a field 'problem' that is not a string");
    EXPECT_EQ(problemOf(R"({"prompt":"a","answer":"b"})", R"({"prompt":"a"})"), "has no field 'answer'");
    EXPECT_EQ(problemOf(R"({"dialog":[{"role":"user","content":"a"}]})", R"({"text":"a"})"), "has no list 'dialog'");
    EXPECT_EQ(problemOf(R"({"instruction":"a","output":"b"})", R"({"instruction":"a"})"), "has no field 'output'");
}

// The advice names columns; with them the rows are read, and the answer is the chosen one.
TEST(Format, givesAdviceForPreferencesThatCanBeFollowed) {
    const Json user = {{"role", "user"}, {"content", "a"}}, good = {{"role", "assistant"}, {"content", "b"}};
    const Json rejected = {{"role", "assistant"}, {"content", "x"}};
    const std::vector<std::pair<Json, std::string>> cases = {
        {{{"chosen", {user, good}}, {"rejected", {user, rejected}}}, "messages=chosen"},
        {{{"prompt", {user}}, {"chosen", {good}}, {"rejected", {rejected}}}, "prompt=prompt,completion=chosen"},
        {{{"conversations", {{{"from", "human"}, {"value", "a"}}}},
          {"chosen", {{"from", "gpt"}, {"value", "b"}}},
          {"rejected", {{"from", "gpt"}, {"value", "x"}}}},
         "prompt=conversations,completion=chosen"},
        {{{"question", "a"}, {"chosen", "b"}, {"rejected", "x"}}, "instruction=question,output=chosen"},
        {{{"instruction", "a"}, {"chosen", "b"}, {"rejected", "x"}}, "instruction=instruction,output=chosen"},
        {{{"prompt", "a"}, {"chosen", "b"}, {"rejected", "x"}}, "instruction=prompt,output=chosen"},
        {{{"question", "a"}, {"response_rejected", "x"}, {"response_chosen", "b"}},
         "instruction=question,output=response_chosen"},
        {{{"prompt", "a"}, {"chosen_response", "b"}, {"rejected_response", "x"}},
         "instruction=prompt,output=chosen_response"},
        {{{"chosen_messages", {user, good}}, {"rejected_messages", {user, rejected}}}, "messages=chosen_messages"},
    };
    for (const auto& [row, columns] : cases) {
        const SniffedFormat found = sniffFormat(row, {});
        EXPECT_EQ(found.format.kind, DataFormat::kAuto);
        EXPECT_NE(found.advice.find("(--columns) " + columns + "."), std::string::npos) << found.advice;
        session::DatasetSection dataset;
        const std::size_t comma = columns.find(',');
        dataset.columns = {columns.substr(0, comma)};
        if (comma != std::string::npos) dataset.columns.push_back(columns.substr(comma + 1));
        const std::string read = readAs(row, dataset);
        EXPECT_TRUE(read.ends_with(" | user: a | assistant: b")) << read;
    }
    const Json talk = {{"chosen", "Human: a Assistant: b"}, {"rejected", "Human: a Assistant: x"}};
    EXPECT_NE(sniffFormat(talk, {}).advice.find("text=chosen"), std::string::npos);
    session::DatasetSection dataset;
    dataset.columns = {"text=chosen"};
    EXPECT_EQ(readAs(talk, dataset), "text | Human: a Assistant: b");
}

// Of messages whose fields have other names no choice of columns makes a chat.
TEST(Format, saysHowMessagesOfOtherFieldsAreWritten) {
    for (const char* text : {R"({"messages":[{"author":"a","body":"b"},{"author":"c","body":"d"}],"id":"x"})",
                             R"({"dialogue":[{"author":"a","body":"b"}]})",
                             R"({"Messages":[{"Role":"user","Content":"a"},{"Role":"assistant","Content":"b"}]})",
                             R"({"conversation":[{"question":"a","answer":"b"},{"question":"c","answer":"d"}]})"}) {
        const SniffedFormat found = sniffFormat(parseRow(text), {});
        EXPECT_EQ(found.format.kind, DataFormat::kAuto) << text;
        EXPECT_NE(found.advice.find("Call them 'role' and 'content'"), std::string::npos) << found.advice;
        EXPECT_EQ(found.advice.find("--columns"), std::string::npos) << found.advice;
        EXPECT_TRUE(found.suggested.empty());
    }
    EXPECT_NE(
        sniffFormat(parseRow(R"({"messages":[{"author":"a","body":"b"}]})"), {}).advice.find("fields author, body,"),
        std::string::npos);
}

TEST(Format, givesAdviceForOtherColumnsThatCanBeFollowed) {
    const Json row = {{"frage", "a"}, {"antwort", "b"}};
    EXPECT_NE(sniffFormat(row, {}).advice.find("instruction=frage,output=antwort"), std::string::npos);
    session::DatasetSection dataset;
    dataset.columns = {"instruction=frage", "output=antwort"};
    EXPECT_EQ(readAs(row, dataset), "alpaca | user: a | assistant: b");
}

// As people call their columns in other languages, and in capitals; other columns beside them.
TEST(Format, knowsColumnsOfOtherLanguages) {
    const std::tuple<const char*, const char*, const char*> kRows[] = {
        {R"({"id":"1","frage":"a","antwort":"b"})", "instruction=frage", "output=antwort"},
        {R"({"Nr":"1","Thema":"t","Frage":"a","Antwort":"b"})", "instruction=Frage", "output=Antwort"},
        {R"({"编号":"1","问题":"a","回答":"b"})", "instruction=问题", "output=回答"},
        {R"({"来源":"1","指令":"a","输出":"b"})", "instruction=指令", "output=输出"},
        {R"({"id":"1","question":"a","réponse":"b"})", "instruction=question", "output=réponse"},
        {R"({"id":"1","Pregunta":"a","Respuesta":"b"})", "instruction=Pregunta", "output=Respuesta"},
        {R"({"ID":"1","Question":"a","Answer":"b"})", "instruction=Question", "output=Answer"}};
    for (const auto& [text, instruction, output] : kRows) {
        const Json row = parseRow(text);
        const SniffedFormat found = sniffFormat(row, {});
        ASSERT_EQ(found.suggested.size(), 2u) << text;
        session::DatasetSection dataset;
        dataset.columns = {instruction, output};
        EXPECT_EQ(found.suggested[0].field + "=" + found.suggested[0].column, instruction) << text;
        EXPECT_EQ(found.suggested[1].field + "=" + found.suggested[1].column, output) << text;
        EXPECT_EQ(readAs(row, dataset), "alpaca | user: a | assistant: b") << text;
    }
    const Json row = parseRow(R"({"指令":"a","输入":"c","输出":"b","id":"1"})");
    EXPECT_NE(sniffFormat(row, {}).advice.find("instruction=指令,input=输入,output=输出"), std::string::npos);
    session::DatasetSection dataset;
    dataset.columns = {"instruction=指令", "input=输入", "output=输出"};
    EXPECT_EQ(readAs(row, dataset), "alpaca | user: a\nc | assistant: b");
}

// The prompt is filled in, so only an answer is still to be named.
TEST(Format, givesAdviceBesideAPromptThatCanBeFollowed) {
    RowFormat wanted;
    wanted.prompt = session::parsePromptTemplate("{frage}?");
    const Json row = {{"frage", "a"}, {"sql", "b"}};
    const SniffedFormat found = sniffFormat(row, wanted);
    EXPECT_NE(found.advice.find("for example output=sql."), std::string::npos) << found.advice;
    ASSERT_EQ(found.suggested.size(), 1u);
    wanted.columns = {{"output", "sql"}};
    EXPECT_EQ(sniffFormat(row, wanted).format.kind, DataFormat::kAlpaca);
    wanted.columns.clear();
    const Json two = {{"frage", "a"}, {"sql", "b"}, {"id", "c"}};
    EXPECT_NE(sniffFormat(two, wanted).advice.find("for example output=ANSWER"), std::string::npos);
}

TEST(Format, givesNoExampleThatCannotBeFollowed) {
    const auto adviceFor = [](const char* row) { return sniffFormat(parseRow(row), {}).advice; };
    const auto exampleIn = [](const std::string& advice) {
        constexpr std::string_view kBefore = "for example ";
        const std::size_t at = advice.find(kBefore);
        return at == std::string::npos ? ""
                                       : advice.substr(at + kBefore.size(), advice.size() - at - kBefore.size() - 1);
    };
    EXPECT_EQ(exampleIn(adviceFor(R"({"note":"a"})")), "text=note");
    EXPECT_EQ(exampleIn(adviceFor(R"({"system":"s","talk":"USER: a ASSISTANT: b"})")), "text=talk");
    EXPECT_EQ(exampleIn(adviceFor(R"({"ID":"7","content":"a","url":"b"})")), "text=content");
    EXPECT_EQ(exampleIn(adviceFor(R"({"id":1,"q":"a","a, b":"c","r":"d"})")), "instruction=q,output=r");
    EXPECT_EQ(exampleIn(adviceFor("{}")), "");
    // As it can be typed.
    EXPECT_EQ(exampleIn(adviceFor(R"({"Customer question":"a","Our reply":"b"})")),
              R"("instruction=Customer question,output=Our reply")");
    EXPECT_EQ(exampleIn(adviceFor(R"({"cost in $":"a","our reply":"b"})")), "'instruction=cost in $,output=our reply'");
    const std::string byIndex =
        adviceFor(R"({"0":{"prompt":"a","completion":"b"},"1":{"prompt":"c","completion":"d"}})");
    EXPECT_EQ(exampleIn(byIndex), "") << byIndex;
    EXPECT_NE(byIndex.find("orient=\"records\""), std::string::npos) << byIndex;
    EXPECT_EQ(
        exampleIn(adviceFor(R"({"talk":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],"id":"x"})")),
        "messages=talk");
    // Known names go before others, where they stand within a column, too; where none tells, none is made up.
    EXPECT_EQ(exampleIn(adviceFor(R"({"data_source":"x","prompt":[{"role":"user","content":"a"}],
                                      "extra_info":{"answer":"b","question":"a"}})")),
              "instruction=extra_info.question,output=extra_info.answer");
    EXPECT_EQ(
        exampleIn(adviceFor(R"({"id":"s","name":"n","instruction":"a","instances":[{"input":"","output":"b"}]})")),
        "instruction=instruction,input=instances.0.input,output=instances.0.output");
    EXPECT_EQ(exampleIn(adviceFor(R"({"question_id":81,"category":"writing","turns":["a","b"]})")),
              "instruction=QUESTION,output=ANSWER with the names of yours");
    EXPECT_NE(adviceFor(R"({"result":[{"instruction":"a","output":"b"}]})").find("'result' is a list of rows"),
              std::string::npos);
    session::DatasetSection dataset;
    dataset.columns = {"text=note"};
    EXPECT_EQ(readAs(parseRow(R"({"note":"a"})"), dataset), "text | a");
    dataset.columns = {"messages=talk"};
    EXPECT_EQ(
        readAs(parseRow(R"({"talk":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]})"), dataset),
        "messages | user: a | assistant: b");
}

TEST(Format, namesTheColumnThatWouldHaveToldIt) {
    session::DatasetSection dataset;
    dataset.columns = {"instruction=question", "output=squl"};
    const SniffedFormat found =
        sniffFormat(parseRow(R"({"question":"Q","schema":"S","sql":"x"})"), rowFormatOf(dataset));
    EXPECT_EQ(found.format.kind, DataFormat::kAuto);
    EXPECT_EQ(found.advice,
              "No column is called 'squl' (data.columns: output=squl). It has the columns question, schema, sql.");
}

TEST(Format, saysWhatStandsInThePlaceOfRows) {
    const auto adviceFor = [](const char* row) {
        const SniffedFormat found = sniffFormat(parseRow(row), {});
        return found.format.kind == DataFormat::kAuto ? found.advice : "a format";
    };
    for (const char* message : {R"({"role":"user","content":"Hi"})", R"({"from":"human","value":"Hi"})"})
        EXPECT_TRUE(adviceFor(message).starts_with("It is a message of a chat.")) << message;
    const Json ofTree = {{"message_id", "1"}, {"role", "prompter"}, {"text", "Hi"}};
    const std::string advice = sniffFormat(ofTree, {}).advice;
    EXPECT_TRUE(advice.starts_with("It is a message of a chat.") && advice.ends_with("set data.format to 'text'."))
        << advice;
    session::DatasetSection asText;
    asText.format = DataFormat::kText;
    EXPECT_EQ(readAs(ofTree, asText), "text | Hi");
    EXPECT_EQ(sniffFormat({{"role", "nurse"}, {"text", "Hi"}}, {}).format.kind, DataFormat::kText); // a column of data
    for (const char* columns : {R"({"prompt":{"0":"a","1":"b"},"completion":{"0":"c","1":"d"}})",
                                R"({"prompt":["a","b"],"completion":["c","d"]})"})
        EXPECT_NE(adviceFor(columns).find("orient=\"records\""), std::string::npos) << columns;
    EXPECT_TRUE(adviceFor(R"({"input_ids":[1,2],"labels":[1,2]})").starts_with("It holds tokens already"));
    for (const char* chat : {R"({"messages":[{"user":"Hi"},{"assistant":"Hello."}]})",
                             R"({"messages":["Hi","Hello."]})", R"({"messages":null})"})
        EXPECT_TRUE(adviceFor(chat).starts_with("Its 'messages' is no list of messages")) << chat;
    for (const char* turns : {R"({"conversation":["Hi","Hello"]})", R"({"turns":["Hi"]})"}) {
        EXPECT_NE(adviceFor(turns).find("none says who speaks"), std::string::npos) << turns;
        EXPECT_EQ(adviceFor(turns).find("pandas"), std::string::npos) << turns;
    }
    const std::string python = adviceFor(R"({"messages":"[{'role': 'user', 'content': 'Hi'}]"})");
    EXPECT_TRUE(python.starts_with("Its 'messages' is a list as Python prints it, not JSON.")) << python;
}

TEST(NamedColumns, areMissedWhereNoRowHasThem) {
    session::DatasetSection dataset = withPrompt("{q} {schema.tables}");
    dataset.columns = {"output=answr"};
    NamedColumns columns(rowFormatOf(dataset));
    const RawRow rows[] = {{1, R"({"q":"a","answer":"b"})", {}}, {2, R"({"schema":{"tables":1}})", {}}};
    columns.look(rows);
    ASSERT_EQ(columns.missing().size(), 1u);
    expectError(ErrorKind::kInvalidInput, {"'answr'", "data.columns: output=answr", "q, answer"},
                [&] { columns.require("rows.jsonl"); });
    dataset.columns = {"output=answer"};
    NamedColumns all(rowFormatOf(dataset));
    all.look(rows);
    EXPECT_NO_THROW(all.require("rows.jsonl"));
}

} // namespace
} // namespace roundpipe::data
