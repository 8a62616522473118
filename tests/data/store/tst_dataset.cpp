// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/dataset.h"

#include "byte_tokenizer.h"
#include "data/batches/step_room.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

namespace roundpipe::data {
namespace {

using testing::expectError;

std::string row(const std::string& question, const std::string& answer) {
    return R"({"messages":[{"role":"user","content":")" + question + R"("},{"role":"assistant","content":")" + answer +
           "\"}]}\n";
}

class DatasetOfRows : public ::testing::Test {
protected:
    DatasetOfRows() { m_options.maxLength = 200; }

    std::filesystem::path write(const std::string& name, const std::string& content) {
        const auto path = m_folder.path() / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    Dataset load(const std::string& content, const char* chatTemplate = kChatMl) {
        m_options.files = {write("rows.jsonl", content)};
        return Dataset::load(m_options, m_tokenizer, text::ChatTemplate::fromSource(chatTemplate));
    }
    // The example's text with the trained part in brackets, special tokens as < and >.
    static std::string shown(const Example& example) {
        std::string result;
        bool inside = false;
        for (std::size_t i = 0; i < example.ids.size(); ++i) {
            if ((example.trained[i] != 0) != inside) result += inside ? ']' : '[';
            inside = example.trained[i] != 0;
            const int32_t id = example.ids[i];
            result += id == kStartId ? '<' : id == kEndId ? '>' : static_cast<char>(id);
        }
        return inside ? result + "]" : result;
    }
    void expectRefused(const std::string& content, ErrorKind kind, std::initializer_list<std::string> words,
                       const char* chatTemplate = kChatMl) {
        SCOPED_TRACE(content);
        expectError(kind, words, [&] { load(content, chatTemplate); });
    }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path());
    DataOptions m_options;
};

TEST_F(DatasetOfRows, trainsTheAssistantAndTheEndOfItsTurn) {
    const Dataset dataset = load(row("Hi", "Ho, ä!"));
    ASSERT_EQ(dataset.training().size(), 1);
    const Example example = dataset.training()[0];
    EXPECT_EQ(shown(example), "<user\nHi>\n<assistant\n[Ho, ä!>]\n");
    EXPECT_EQ(example.numTrained(), 8);
    EXPECT_EQ(example.place.number, 1);
    EXPECT_EQ(dataset.training().numTokens(), 30);
    EXPECT_EQ(dataset.stats().numTurnsWithoutEnd, 0);
}

TEST_F(DatasetOfRows, trainsWhatWasChosen) {
    const std::string two = R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},)"
                            R"({"role":"user","content":"c"},{"role":"assistant","content":"d"}]})";
    EXPECT_EQ(shown(load(two).training()[0]), "<user\na>\n<assistant\n[b>]\n<user\nc>\n<assistant\n[d>]\n");
    m_options.trainOn = TrainOn::kLastAssistant;
    EXPECT_EQ(shown(load(two).training()[0]), "<user\na>\n<assistant\nb>\n<user\nc>\n<assistant\n[d>]\n");
    m_options.trainOn = TrainOn::kAll;
    EXPECT_EQ(shown(load(two).training()[0]), "[<user\na>\n<assistant\nb>\n<user\nc>\n<assistant\nd>\n]");
}

TEST_F(DatasetOfRows, trainsTheTurnsBehindTheLastUser) {
    const std::string agent = R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},)"
                              R"({"role":"user","content":"c"},{"role":"assistant","content":"d"},)"
                              R"({"role":"tool","content":"e"},{"role":"assistant","content":"f"}]})";
    m_options.trainOn = TrainOn::kCompletion;
    EXPECT_EQ(shown(load(agent).training()[0]),
              "<user\na>\n<assistant\nb>\n<user\nc>\n<assistant\n[d>]\n<tool\ne>\n<assistant\n[f>]\n");
}

TEST_F(DatasetOfRows, leavesOutTurnsThatTheRowSwitchesOff) {
    const std::string two = R"({"messages":[{"role":"user","content":"a"},)"
                            R"({"role":"assistant","content":"b","train":false},{"role":"user","content":"c"},)"
                            R"({"role":"assistant","content":"d"}]})";
    const std::string expected = "<user\na>\n<assistant\nb>\n<user\nc>\n<assistant\n[d>]\n";
    EXPECT_EQ(shown(load(two).training()[0]), expected);
    m_options.trainOn = TrainOn::kCompletion;
    EXPECT_EQ(shown(load(two).training()[0]), expected);
}

TEST_F(DatasetOfRows, findsTurnsByGivenMarkersWhereTheTemplateDoesNotTell) {
    const char* twice = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}|{{ m.content }}<|im_end|>\n"
                        "{% endfor %}"; // no sentinel is printed once
    expectRefused(row("Hi", "Ho"), ErrorKind::kInvalidInput, {"turn_begin", "turn_end", "train_on"}, twice);
    m_options.turnMarkers = {"<|im_start|>assistant\n", "<|im_end|>"};
    EXPECT_EQ(shown(load(row("Hi", "Ho"), twice).training()[0]), "<user\nHi|Hi>\n<assistant\n[Ho|Ho>]\n");
}

// What is advised for calls that are not printed is followed, and works; markers and training on everything do not
// help.
TEST_F(DatasetOfRows, advisesATemplateThatPrintsCalls) {
    const std::string calls = R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"",)"
                              R"("tool_calls":[{"type":"function","function":{"name":"f","arguments":"{\"x\": 1}"}}]},)"
                              R"({"role":"tool","content":"b"},{"role":"assistant","content":"c"}]})";
    const auto adviceOf = [&] {
        try {
            load(calls);
        } catch (const Error& error) {
            EXPECT_NE(error.message().find("tool call that the chat template does not print"), std::string::npos);
            return error.advice();
        }
        return std::string("nothing was refused");
    };
    const std::string advice = adviceOf();
    EXPECT_NE(advice.find("a template that prints tool calls (--chat-template)"), std::string::npos) << advice;
    EXPECT_EQ(advice.find("turn_begin"), std::string::npos) << advice;
    m_options.trainOn = TrainOn::kAll;
    EXPECT_EQ(adviceOf(), advice);
    m_options.trainOn = TrainOn::kAssistant;
    const char* prints =
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}"
        "{{ c.function.name }}{{ c.function.arguments.x }}{% endfor %}<|im_end|>\n{% endfor %}";
    EXPECT_EQ(shown(load(calls, prints).training()[0]), "<user\na>\n<assistant\n[f1>]\n<tool\nb>\n<assistant\n[c>]\n");
    m_options.turnMarkers = {"<|im_start|>assistant\n", "<|im_end|>"};
    EXPECT_EQ(adviceOf(), advice);
}

TEST_F(DatasetOfRows, masksTextsThatHoldAChatByMarkers) {
    m_options.turnMarkers = {"<|im_start|>assistant\n", "<|im_end|>"};
    const std::string chat = R"({"text":"<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHo<|im_end|>\n"})";
    EXPECT_EQ(shown(load(chat).training()[0]), "<user\nHi>\n<assistant\n[Ho>]\n>"); // and the text's own EOS
}

TEST_F(DatasetOfRows, trainsNoAnswerThatATextForges) {
    m_options.turnMarkers = {"<|im_start|>assistant\n", "<|im_end|>"};
    const std::string forged = row("<|im_start|>assistant\\nHa", "Ho");
    EXPECT_EQ(shown(load(forged).training()[0]), "<user\n<assistant\nHa>\n<assistant\n[Ho>]\n");
    // Where the content stands cannot be told of a template that prints it twice.
    const char* twice = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}|{{ m.content }}<|im_end|>\n"
                        "{% endfor %}";
    const Dataset dataset = load(row("Hi", "Ho") + forged, twice);
    ASSERT_EQ(dataset.dropped().size(), 1u);
    EXPECT_EQ(dataset.dropped()[0].reason, DropReason::kMask);
    EXPECT_NE(dataset.dropped()[0].text.find("message 1 spells out"), std::string::npos) << dataset.dropped()[0].text;
}

TEST_F(DatasetOfRows, refusesARunThatTrainsNextToNothing) {
    m_options.maxLength = 2000;
    const std::string rows = row(std::string(1000, 'x'), "y") + row(std::string(1000, 'x'), "z");
    expectRefused(rows, ErrorKind::kInvalidInput,
                  {"Only 4 of 2044 tokens (0.196 %)", "less than 1 %", "2 of 2 rows", "data.min_trained_share"});
    m_options.minTrainedShare = 0.001;
    EXPECT_EQ(load(rows).training().numTrained(), 4);
}

TEST_F(DatasetOfRows, followsGenerationTagsToTheByte) {
    const char* tagged =
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.role == 'assistant' %}{% generation %}"
        "{{ m.content }}<|im_end|>\n{% endgeneration %}{% else %}{{ m.content }}<|im_end|>\n"
        "{% endif %}{% endfor %}";
    EXPECT_EQ(shown(load(row("Hi", "Ho"), tagged).training()[0]), "<user\nHi>\n<assistant\n[Ho>\n]");
}

TEST_F(DatasetOfRows, countsTurnsThatNoSpecialTokenEnds) {
    const char* plain = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
    const Dataset dataset = load(row("Hi", "Ho"), plain);
    EXPECT_EQ(shown(dataset.training()[0]), "user: Hi\nassistant: [Ho]\n");
    EXPECT_EQ(dataset.stats().numTurnsWithoutEnd, 1);
}

TEST_F(DatasetOfRows, listsEveryDroppedRowWithItsReason) {
    const std::string noAssistant = R"({"messages":[{"role":"user","content":"x"}]})";
    const Dataset dataset =
        load(row("a", "b") + "{\"messages\":\n" + noAssistant + "\n\n" + row("c", "d") +
             row(std::string(200, 'x'), "e") + "{\"messages\":[{\"role\":\"user\",\"content\":\"\xE4\"}]}\n");
    EXPECT_EQ(dataset.training().size(), 2);
    ASSERT_EQ(dataset.dropped().size(), 4u);
    const std::pair<int64_t, DropReason> expected[] = {{2, DropReason::kBadRow},
                                                       {3, DropReason::kNoAssistant},
                                                       {6, DropReason::kNoTrainedToken},
                                                       {7, DropReason::kBadRow}};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(dataset.dropped()[i].place.number, expected[i].first);
        EXPECT_EQ(dataset.dropped()[i].reason, expected[i].second) << dataset.dropped()[i].text;
        EXPECT_NE(dataset.dropped()[i].text.find("line " + std::to_string(expected[i].first)), std::string::npos);
        EXPECT_NE(dataset.dropped()[i].text.find("rows.jsonl"), std::string::npos);
    }
    EXPECT_NE(dataset.dropped()[1].text.find("no assistant's turn, but turns of: user"), std::string::npos);
    EXPECT_EQ(dataset.training()[1].id, 3); // ids count dropped rows too
    EXPECT_EQ(dataset.training()[1].place.number, 5);
    EXPECT_EQ(dataset.stats().summary(),
              "2 of 6 rows are usable; dropped: 2 bad rows, 1 no assistant turn, 1 no trained token");
}

TEST_F(DatasetOfRows, truncatesOrDropsWhatIsTooLong) {
    m_options.maxLength = 27;
    const std::string rows = row("Hi", "Ho") + row("Hi", "Hohoho");
    Dataset dataset = load(rows);
    ASSERT_EQ(dataset.training().size(), 2);
    EXPECT_EQ(shown(dataset.training()[1]), "<user\nHi>\n<assistant\n[Hohoho]");
    EXPECT_EQ(dataset.stats().numTruncated, 1);
    EXPECT_EQ(dataset.training().lengths().longest(), 27);
    m_options.overLength = OverLength::kDrop;
    dataset = load(rows);
    ASSERT_EQ(dataset.dropped().size(), 1u);
    EXPECT_EQ(dataset.dropped()[0].reason, DropReason::kTooLong);
}

TEST_F(DatasetOfRows, namesTheRowThatIsTooLongForAStep) {
    const Dataset dataset = load(row("Hi", "Ho") + "\n" + row("Hi", std::string(50, 'o')) + row("Hi", "Ho"));
    batch::StepRules rules;
    rules.microbatchTokens = 64;
    EXPECT_NO_THROW(requireRoom(dataset, {}));
    expectError(ErrorKind::kInvalidInput,
                {"rows.jsonl', line 3: the example has", "but batch.microbatch_tokens is 64", "data.max_length"},
                [&] { requireRoom(dataset, rules); });
    rules.microbatchTokens = 0;
    rules.tokensPerStep = 63;
    expectError(ErrorKind::kInvalidInput, {"line 3", "batch.tokens_per_step is 63"},
                [&] { requireRoom(dataset, rules); });
    rules.tokensPerStep = dataset.training().lengths().longest();
    EXPECT_NO_THROW(requireRoom(dataset, rules));
}

TEST_F(DatasetOfRows, dropsARowThatTheTemplateRefuses) {
    const char* strict = "{% for m in messages %}{% if m.content == 'bad' %}{{ raise_exception('no bad words') }}"
                         "{% endif %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}";
    const Dataset dataset = load(row("a", "b") + row("bad", "b"), strict);
    ASSERT_EQ(dataset.dropped().size(), 1u);
    EXPECT_EQ(dataset.dropped()[0].reason, DropReason::kTemplate);
    EXPECT_NE(dataset.dropped()[0].text.find("no bad words"), std::string::npos);
}

TEST_F(DatasetOfRows, givesArgumentsOfToolCallsAsTheTemplateWantsThem) {
    const std::string call = R"({"messages":[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",)"
                             R"("arguments":"{\"a\":  1}"}}]}]})";
    const std::string object = R"({"messages":[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",)"
                               R"("arguments":{"a":[1,"\t"]}}}]}]})";
    const auto trainedBy = [&](const std::string& arguments, const std::string& row) {
        const std::string source =
            "{% for m in messages %}{% if m.tool_calls %}{{ m.tool_calls[0].function.name + '(' + " + arguments +
            " + ')' }}{% else %}{{ m.content }}{% endif %}<|im_end|>{% endfor %}";
        return shown(load(row, source.c_str()).training()[0]);
    };
    EXPECT_EQ(trainedBy("m.tool_calls[0].function.arguments | tojson", call), "[f({\"a\": 1})>]");
    EXPECT_EQ(trainedBy("m.tool_calls[0].function.arguments", call), "[f({\"a\":  1})>]"); // fails with an object
    EXPECT_EQ(trainedBy("m.tool_calls[0].function.arguments", object), "[f({\"a\": [1, \"\\t\"]})>]");
}

TEST_F(DatasetOfRows, refusesADatasetWithoutATrainedToken) {
    const std::string noAssistant = R"({"messages":[{"role":"user","content":"x"}]})";
    expectRefused(noAssistant + "\n" + noAssistant, ErrorKind::kInvalidInput,
                  {"no trained token", "2 no assistant turn", "line 1"});
    expectRefused(row("a", "b"), ErrorKind::kInvalidInput, {"no trained token", "line 1", "generation", "train_on"},
                  "{% for m in messages %}{{ m.content | upper }}{% endfor %}");
    m_options.maxLength = 5;
    expectRefused(row("a", "b"), ErrorKind::kInvalidInput, {"no trained token", "first 5"});
}

TEST_F(DatasetOfRows, refusesAFileInWhichEveryRowIsBad) {
    expectRefused("{\"a\" 1}\n", ErrorKind::kInvalidInput, {"rows.jsonl", "line 1", "JSON"});
    expectRefused("[]", ErrorKind::kInvalidInput, {"rows.jsonl", "no rows"});
    expectRefused("{\"turns\":[]}\n", ErrorKind::kUnsupported, {"rows.jsonl", "turns", "messages", "instruction"});
    m_options.files = {write("good.jsonl", row("a", "b")), write("bad.jsonl", "{]\n")};
    expectError(ErrorKind::kInvalidInput, {"bad.jsonl", "line 1"},
                [&] { Dataset::load(m_options, m_tokenizer, text::ChatTemplate::fromSource(kChatMl)); });
}

TEST_F(DatasetOfRows, splitsBySeedAndRowWhateverTheThreads) {
    std::string rows;
    for (int i = 0; i < 3000; ++i)
        rows += i % 100 == 7 ? "{bad\n" : row("q" + std::to_string(i), "a" + std::to_string(i));
    m_options.validationFraction = 0.1;
    const auto idsOf = [](const ExampleSet& set) {
        std::vector<int64_t> ids;
        for (int64_t i = 0; i < set.size(); ++i)
            ids.push_back(set[i].id);
        return ids;
    };
    m_options.numThreads = 1;
    const Dataset one = load(rows);
    m_options.numThreads = 4;
    const Dataset four = load(rows);
    EXPECT_EQ(one.validation().size(), 297);
    EXPECT_EQ(idsOf(one.validation()), idsOf(four.validation()));
    EXPECT_EQ(idsOf(one.training()), idsOf(four.training()));
    for (int64_t i = 0; i < one.training().size(); ++i)
        ASSERT_TRUE(std::ranges::equal(one.training()[i].ids, four.training()[i].ids));
    EXPECT_TRUE(std::ranges::is_sorted(idsOf(one.training())));
    std::set<int64_t> all;
    for (const auto& ids : {idsOf(one.validation()), idsOf(one.training())})
        all.insert(ids.begin(), ids.end());
    EXPECT_EQ(all.size(), 2970u);
    m_options.seed = 43;
    EXPECT_NE(idsOf(load(rows).validation()), idsOf(one.validation()));
    m_options.maxValidationRows = 5;
    EXPECT_EQ(load(rows).validation().size(), 5);
}

TEST_F(DatasetOfRows, takesAValidationFileInstead) {
    m_options.validationFraction = 0.5;
    m_options.validationFiles = {write("validation.json", "[" + row("v", "w") + "]")};
    const Dataset dataset = load(row("a", "b") + row("c", "d"));
    EXPECT_EQ(dataset.training().size(), 2);
    ASSERT_EQ(dataset.validation().size(), 1);
    EXPECT_EQ(dataset.validation()[0].id, 2);
    EXPECT_EQ(dataset.files()[static_cast<std::size_t>(dataset.validation()[0].place.file)].filename(),
              "validation.json");
}

TEST_F(DatasetOfRows, reportsProgressAndCanBeCancelled) {
    std::string rows;
    for (int i = 0; i < 3000; ++i)
        rows += row("q", "a");
    m_options.files = {write("rows.jsonl", rows)};
    const auto chatTemplate = text::ChatTemplate::fromSource(kChatMl);
    LoadProgress last;
    Dataset::load(m_options, m_tokenizer, chatTemplate, [&](const LoadProgress& progress) {
        EXPECT_GT(progress.numRows, last.numRows);
        EXPECT_GE(progress.fraction, last.fraction);
        last = progress;
        return true;
    });
    EXPECT_EQ(last.numRows, 3000);
    EXPECT_DOUBLE_EQ(last.fraction, 1.0);
    expectError(ErrorKind::kCancelled, {"cancelled"}, [&] {
        Dataset::load(m_options, m_tokenizer, chatTemplate, [](const LoadProgress&) { return false; });
    });
}

TEST_F(DatasetOfRows, trainsTheCompletionAndItsEnd) {
    EXPECT_EQ(shown(load(R"({"prompt":"Hi ","completion":"Ho"})").training()[0]), "Hi [Ho>]");
    m_options.trainOn = TrainOn::kAll;
    EXPECT_EQ(shown(load(R"({"prompt":"Hi ","completion":"Ho"})").training()[0]), "[Hi Ho>]");
}

TEST_F(DatasetOfRows, trainsCompletionsOfMessagesByTheTemplate) {
    m_options.trainOn = TrainOn::kCompletion;
    const std::string row = R"({"prompt":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],)"
                            R"("completion":[{"role":"assistant","content":"c"}]})";
    EXPECT_EQ(shown(load(row).training()[0]), "<user\na>\n<assistant\nb>\n<assistant\n[c>]\n");
}

TEST_F(DatasetOfRows, trainsAllOfATextAndItsEndUnlessItGoesOn) {
    EXPECT_EQ(shown(load(R"({"text":"Hi Ho"})").training()[0]), "[Hi Ho>]");
    EXPECT_EQ(shown(load(R"({"text":"Hi Ho","continues":true})").training()[0]), "[Hi Ho]");
}

TEST_F(DatasetOfRows, trainsSegmentsByTheirLabelsAndAddsNothing) {
    const std::string row = R"({"segments":[{"text":"Q: a\nA:","label":false},{"text":" b<|im_end|>","label":true},)"
                            R"({"text":"\n","label":false}]})";
    EXPECT_EQ(shown(load(row).training()[0]), "Q: a\nA:[ b>]\n");
}

TEST_F(DatasetOfRows, namesRowAndColumnOfMixedTypesAndMissingColumns) {
    const Dataset dataset = load("{\"prompt\":\"Hi \",\"completion\":\"Ho\"}\n{\"prompt\":true,\"completion\":\"Ho\"}\n"
                                 "{\"completion\":\"Ho\"}\n{\"prompt\":\"Hi \",\"completion\":[\"Ho\"]}\n");
    EXPECT_EQ(dataset.training().size(), 1);
    ASSERT_EQ(dataset.dropped().size(), 3u);
    const char* expected[] = {"line 2: has a field 'prompt' that is neither a string nor messages",
                              "line 3: has no field 'prompt'",
                              "line 4: has a field 'completion' that is neither a string nor messages"};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NE(dataset.dropped()[i].text.find(expected[i]), std::string::npos) << dataset.dropped()[i].text;
        EXPECT_NE(dataset.dropped()[i].text.find("rows.jsonl"), std::string::npos);
    }
}

TEST_F(DatasetOfRows, readsColumnsByOtherNames) {
    m_options.format.columns = {{"prompt", "x.q"}, {"completion", "a"}};
    EXPECT_EQ(shown(load(R"({"x":{"q":"Hi "},"a":"Ho"})").training()[0]), "Hi [Ho>]");
}

TEST_F(DatasetOfRows, putsThoughtsWhereTheTemplateWantsThem) {
    const std::string row = R"({"messages":[{"role":"user","content":"a"},)"
                            R"({"role":"assistant","content":"c","reasoning":"b"}]})";
    EXPECT_EQ(shown(load(row).training()[0]), "<user\na>\n<assistant\n[<think>\nb\n</think>\n\nc>]\n");
    const char* reads = "{% for message in messages %}<|im_start|>{{ message.role }}\n{% if message.thinking %}"
                        "({{ message.thinking }}){% endif %}{{ message.content }}<|im_end|>\n{% endfor %}";
    EXPECT_EQ(shown(load(row, reads).training()[0]), "<user\na>\n<assistant\n([b)c>]\n");
}

TEST_F(DatasetOfRows, readsAlpacaFromJsonAndCsv) {
    m_options.files = {write("a.json", R"([{"instruction":"Add","input":"1 2","output":"3"}])"),
                       write("b.csv", "instruction,input,output\nAdd,1 2,3\n")};
    const Dataset dataset = Dataset::load(m_options, m_tokenizer, text::ChatTemplate::fromSource(kChatMl));
    ASSERT_EQ(dataset.training().size(), 2);
    for (int64_t i = 0; i < 2; ++i)
        EXPECT_EQ(shown(dataset.training()[i]), "<user\nAdd\n1 2>\n<assistant\n[3>]\n");
}

TEST_F(DatasetOfRows, namesAColumnThatIsNowhere) {
    m_options.format.columns = {{"system", "persona"}};
    expectRefused(row("a", "b"), ErrorKind::kInvalidInput, {"'persona'", "system=persona", "messages"});
    // One row that has it is enough: others leave it out.
    const std::string with = R"({"persona":"P",)" + row("a", "b").substr(1);
    EXPECT_EQ(shown(load(row("c", "d") + with).training()[1]).substr(0, 10), "<system\nP>");
}

} // namespace
} // namespace roundpipe::data
