// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/survey.h"

#include "byte_tokenizer.h"
#include "session/serialise.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <span>
#include <tuple>

namespace roundpipe::data {
namespace {

std::string row(const std::string& question, const std::string& answer) {
    return R"({"messages":[{"role":"user","content":")" + question + R"("},{"role":"assistant","content":")" + answer +
           "\"}]}\n";
}

std::string written(const session::DatasetReport& report) {
    session::WorkbenchStatus status;
    status.report = std::make_shared<const session::DatasetReport>(report);
    return session::toJson(status);
}

class SurveyOfRows : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& content) {
        const auto path = m_folder.path() / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    session::DatasetReport survey(const std::string& rows, const char* chatTemplate = kChatMl) {
        m_options.files = {write("rows.jsonl", rows)};
        return surveyOf(m_options, m_tokenizer, text::ChatTemplate::fromSource(chatTemplate));
    }
    Dataset load() const { return Dataset::load(m_options, m_tokenizer, text::ChatTemplate::fromSource(kChatMl)); }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path());
    DataOptions m_options;
};

constexpr int64_t kFrame = 21; // tokens of row("", ""), the trained end among them

TEST_F(SurveyOfRows, countsWhatLoadingThemGives) {
    m_options.maxLength = 60;
    m_options.validationFraction = 0.3;
    std::string rows = "{bad\n" + row("x", "") + R"({"messages":[{"role":"user","content":"x"}]})" + "\n";
    for (int i = 0; i < 40; ++i)
        rows += row("question " + std::to_string(i * i), std::string(static_cast<std::size_t>(i), 'a'));
    rows += row(std::string(100, 'x'), "y");
    for (const OverLength choice : {OverLength::kTruncate, OverLength::kDrop, OverLength::kSplit}) {
        m_options.overLength = choice;
        const session::DatasetReport report = survey(rows);
        const Dataset dataset = load();
        EXPECT_EQ(report.numRows, dataset.stats().numRows);
        EXPECT_TRUE(report.training == dataset.training().lengths());
        EXPECT_TRUE(report.validation == dataset.validation().lengths());
        EXPECT_GT(report.validation.numTokens(), 0);
        EXPECT_EQ(report.numTruncated, dataset.stats().numTruncated);
        ASSERT_EQ(report.dropped.size(), dataset.dropped().size());
        for (std::size_t i = 0; i < report.dropped.size(); ++i)
            EXPECT_EQ(report.dropped[i].text, dataset.dropped()[i].text);
        EXPECT_TRUE(report.isComplete);
        EXPECT_EQ(report.refusal.text(), "");
    }
}

// Of rows that are loaded already, and with a template that would refuse them: nothing is rendered again. A cut length,
// dropped rows, a choice of rows and several datasets are as in a report that reads the files.
TEST_F(SurveyOfRows, isTheSameOfADatasetThatIsLoaded) {
    std::vector<DataOptions> datasets(2);
    std::string rows = "{bad\n" + row("x", "");
    for (int i = 0; i < 30; ++i)
        rows += row("question " + std::to_string(i % 20), std::string(static_cast<std::size_t>(i % 20), 'a'));
    datasets[0].files = {write("a.jsonl", rows)};
    datasets[1].files = {write("b.jsonl", row("other", "words") + row("other", "words") + row("more", "words"))};
    for (DataOptions& options : datasets) {
        options.maxLength = 40;
        options.validationFraction = 0.2;
        options.leaveOut = {LeaveOut::kDuplicates};
    }
    const auto chatTemplate = text::ChatTemplate::fromSource(kChatMl);
    const session::DatasetReport expected = surveyOf(datasets, m_tokenizer, chatTemplate);
    const Dataset loaded = Dataset::load(datasets, m_tokenizer, chatTemplate);
    const auto refuses = text::ChatTemplate::fromSource("{{ raise_exception('no') }}");
    EXPECT_EQ(written(surveyOf(datasets, m_tokenizer, refuses, loaded)), written(expected));
    EXPECT_GT(expected.numTruncated, 0);
    EXPECT_EQ(expected.datasets.size(), 2u);
}

TEST_F(SurveyOfRows, namesTheColumnsThatNothingReads) {
    const auto namesOf = [&](const std::string& rows) {
        const session::DatasetReport report = survey(rows);
        return report.notRead.empty() ? std::vector<std::string>() : report.notRead.front().columns;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(namesOf(R"({"instruction":"a","input":"","output":"b","system":"s","id":1,"empty":null})"
                      "\n"
                      R"({"instruction":"a","output":"b","system_prompt":"s"})"
                      "\n"),
              (Names{"id", "system_prompt"}));
    EXPECT_EQ(namesOf(R"({"prompt":"a","completion":"b","system":"s","tools":[1],"label":true})"),
              (Names{"system", "tools"}));
    EXPECT_EQ(namesOf(R"({"prompt":"a","completion":"b","system_prompt":"s"})"), Names{"system_prompt"});
    EXPECT_EQ(namesOf(R"({"prompt":[{"role":"user","content":"a"}],"completion":"b","system_prompt":"s"})"), Names());
    EXPECT_EQ(namesOf(row("a", "b")), Names());
    EXPECT_EQ(namesOf(R"({"text":"a","continues":true})"), Names());
    std::string many; // a column that the first rows lack
    for (int i = 0; i < 500; ++i)
        many += row("a", "b");
    EXPECT_EQ(namesOf(many + R"({"messages":[{"role":"assistant","content":"a"}],"late":1})"), Names{"late"});
    // Of messages, too; but not what the template reads, in whatever way.
    const auto chat = [](const char* field) {
        return R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b",)" + std::string(field) +
               R"(,"weight":1,"none":null}]})" + "\n";
    };
    EXPECT_EQ(namesOf(chat(R"("mask":true,"train_detail":[])")), (Names{"messages.mask", "messages.train_detail"}));
    EXPECT_EQ(namesOf(R"({"dialog":[{"from":"human","value":"a","id":1},{"from":"gpt","value":"b"}]})"),
              Names{"dialog.id"});
    EXPECT_EQ(namesOf(R"({"messages":"[{\"role\":\"user\",\"content\":\"a\",\"id\":1}]"})"), Names{"messages.id"});
    const char* readsMask =
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{{ m['mask'] }}<|im_end|>\n{% endfor %}";
    EXPECT_EQ(survey(chat(R"("mask":true,"as":1)"), readsMask).notRead.front().columns, Names{"messages.as"});
    // What is mapped is read, also by a path; the column that it stands for is not.
    m_options.format = DataFormat::kCompletion;
    m_options.format.columns = {{"prompt", "question"}, {"completion", "info.answer"}};
    EXPECT_EQ(namesOf(R"({"question":"a","info":{"answer":"b"},"prompt":"c"})"), Names{"prompt"});
}

// Counted, with the first row, and said of the row itself in its lens.
TEST_F(SurveyOfRows, countsWhatTheTemplateLeavesOut) {
    const char* forgetful =
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.reasoning_content and loop.last %}"
        "<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}<|im_end|>\n{% endfor %}";
    const std::string thinks = R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b",)"
                               R"("reasoning_content":"early"},{"role":"user","content":"c"},{"role":"assistant",)"
                               R"("content":"d","reasoning_content":"late"}],"tools":[{"type":"function"}]})"
                               "\n";
    const session::DatasetReport report = survey(row("a", "b") + thinks + thinks, forgetful);
    ASSERT_EQ(report.notUsed.size(), 2u);
    EXPECT_EQ(report.notUsed[0].what, Remark(RowRemark::kThoughtsLeftOut));
    EXPECT_EQ(report.notUsed[0].rows.numRows, 2);
    EXPECT_EQ(report.notUsed[0].rows.examples.front().number, 2);
    EXPECT_EQ(report.notUsed[1].what, Remark(RowRemark::kToolsLeftOut));
    EXPECT_TRUE(survey(row("a", "b"), forgetful).notUsed.empty());
}

TEST_F(SurveyOfRows, saysWhereAColumnOfTheSystemIsNotUsed) {
    const std::string both = R"({"messages":[{"role":"system","content":"own"},{"role":"user","content":"a"},)"
                             R"({"role":"assistant","content":"b"}],"system":"column"})"
                             "\n";
    const session::DatasetReport report = survey(row("a", "b") + both);
    ASSERT_EQ(report.notUsed.size(), 1u);
    EXPECT_EQ(report.notUsed[0].what, Remark(RowRemark::kSystemsLeftOut));
    EXPECT_EQ(report.notUsed[0].rows.examples.front().number, 2);
}

// Beside labels that are read; a column of which none is stands among those that nothing reads.
TEST_F(SurveyOfRows, saysWhichLabelsTellNothing) {
    const auto rowsOf = [](std::initializer_list<const char*> labels) {
        std::string rows;
        for (const char* label : labels)
            rows += R"({"instruction":"a","output":"b","label":)" + std::string(label) + "}\n";
        return rows;
    };
    for (const char* read : {"true", "false"}) {
        const session::DatasetReport report = survey(rowsOf({read, "[false]", R"("Reject")", "null"}));
        ASSERT_EQ(report.notUsed.size(), 1u) << read;
        EXPECT_EQ(report.notUsed[0].what, Remark(RowRemark::kTagsLeftOut));
        EXPECT_EQ(report.notUsed[0].rows.numRows, 2);
        EXPECT_EQ(report.notUsed[0].rows.examples.front().number, 2);
    }
    const session::DatasetReport classes = survey(rowsOf({"[false]", R"("Reject")", "2"}));
    EXPECT_TRUE(classes.notUsed.empty());
    ASSERT_EQ(classes.notRead.size(), 1u);
    EXPECT_EQ(classes.notRead.front().columns, std::vector<std::string>{"label"});
}

// What the report advises is followed, and works.
TEST_F(SurveyOfRows, saysWhereTheTemplateIsNotUsedAndHowItWouldBe) {
    session::DatasetReport report = survey("{\"prompt\":\"a\",\"response\":\"b\"}\n");
    ASSERT_EQ(report.notUsed.size(), 1u);
    EXPECT_EQ(report.notUsed[0].what, Remark(RowRemark::kPromptsWithoutTemplate, "instruction=prompt,output=response"));
    EXPECT_EQ(report.notUsed[0].rows.numRows, 1);
    m_options.format = DataFormat::kAlpaca;
    m_options.format.columns = {{"instruction", "prompt"}, {"output", "response"}};
    report = survey("{\"prompt\":\"a\",\"response\":\"b\"}\n");
    EXPECT_TRUE(report.notUsed.empty());
    EXPECT_EQ(report.maskSources.at(0).source, session::MaskSource::kSentinels);

    // The system's column is named with the others, and what somebody said of a label stays said.
    m_options.format = {};
    m_options.format.columns = {{"label", ""}};
    const std::string withSystem = "{\"prompt\":\"a\",\"completion\":\"b\",\"system_prompt\":\"c\",\"label\":0}\n";
    report = survey(withSystem);
    ASSERT_EQ(report.notUsed.size(), 1u);
    EXPECT_EQ(report.notUsed[0].what, Remark(RowRemark::kPromptsWithoutTemplate,
                                             "instruction=prompt,output=completion,label=,system=system_prompt"));
    m_options.format = DataFormat::kAlpaca;
    m_options.format.columns = {
        {"instruction", "prompt"}, {"output", "completion"}, {"label", ""}, {"system", "system_prompt"}};
    report = survey(withSystem);
    EXPECT_EQ(report.numUsed, 1);
    EXPECT_TRUE(report.notUsed.empty());
    EXPECT_EQ(report.notRead.at(0).columns, std::vector<std::string>{"label"});

    m_options.format = {};
    report = survey("{\"text\":\"words\"}\n");
    ASSERT_EQ(report.notUsed.size(), 1u);
    EXPECT_EQ(report.notUsed[0].what, Remark(RowRemark::kTextsWithoutTemplate));
    // A base model has none; segments say themselves whose words they are.
    EXPECT_TRUE(survey("{\"text\":\"words\"}\n", "").notUsed.empty());
    EXPECT_TRUE(survey(R"({"segments":[{"text":"a","label":false},{"text":"b","label":true}]})").notUsed.empty());
}

constexpr const char* kChatMlWithPrompt =
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

TEST_F(SurveyOfRows, saysThatATextIsAChatAlreadyAndHowToTrainItsAnswersAlone) {
    const std::string text = "<|im_start|>user\\na<|im_end|>\\n<|im_start|>assistant\\nbcd<|im_end|>\\n";
    const std::string rows = "{\"text\":\"" + text + "\"}\n{\"text\":\"just words about an assistant\"}\n";
    session::DatasetReport report = survey(rows, kChatMlWithPrompt);
    ASSERT_EQ(report.notUsed.size(), 2u);
    const Remark& chat = report.notUsed[1].what;
    EXPECT_EQ(chat, Remark(RowRemark::kRenderedChats, "<|im_start|>assistant\\n", "<|im_end|>"));
    EXPECT_EQ(report.notUsed[1].rows.numRows, 1);
    EXPECT_EQ(report.notUsed[1].rows.examples.front().number, 1);
    session::RunSpec spec;
    spec.data.datasets.front().files = {m_options.files.front().string()};
    spec.data.datasets.front().turnBegin = chat.arguments[0];
    spec.data.datasets.front().turnEnd = chat.arguments[1];
    m_options.turnMarkers = dataOptionsOf(spec).turnMarkers;
    report = survey("{\"text\":\"" + text + "\"}\n", kChatMlWithPrompt);
    EXPECT_TRUE(report.notUsed.empty());
    EXPECT_EQ(report.numTrained, 4); // "bcd" and its end
    m_options.turnMarkers = {};
    m_options.trainOn = TrainOn::kAll; // as somebody wants it
    EXPECT_TRUE(survey(rows, kChatMlWithPrompt).notUsed.empty());
}

// By form, each with what to set; a lens says it of its row.
TEST_F(SurveyOfRows, saysThatTextsAndPromptsAreChatsOfAnotherModel) {
    const std::string dialogue = R"({"text":"[INST] a [/INST] b"})";
    const std::string alpaca = R"({"text":"### Instruction:\na\n\n### Response:\nb"})";
    session::DatasetReport report = survey(alpaca + "\n" + dialogue + "\n{\"text\":\"words\"}\n" + alpaca + "\n");
    ASSERT_EQ(report.notUsed.size(), 3u);
    EXPECT_EQ(report.notUsed[0].what, Remark(RowRemark::kTextsWithoutTemplate));
    EXPECT_EQ(report.notUsed[0].rows.numRows, 1);
    // Neither end is a special token of this tokenizer.
    EXPECT_EQ(report.notUsed[1].what, Remark(RowRemark::kChatsWithoutEnds, "Llama 2 / Mistral", "[/INST]", "[INST]"));
    EXPECT_EQ(report.notUsed[1].rows.examples.front().number, 2);
    EXPECT_EQ(report.notUsed[2].what,
              Remark(RowRemark::kChatsWithoutEnds, "Alpaca", "### Response:\\n", "### Instruction:"));
    EXPECT_EQ(report.notUsed[2].rows.numRows, 2);
    report = survey("{\"text\":\"<|im_start|>user\\na<|im_end|>\\n<|im_start|>assistant\\nb<|im_end|>\"}\n", "");
    ASSERT_EQ(report.notUsed.size(), 1u);
    EXPECT_EQ(report.notUsed[0].what.code, RowRemark::kChatsOfOtherForm);

    report = survey(R"({"prompt":"[INST] a [/INST]","completion":" b"})");
    ASSERT_EQ(report.notUsed.size(), 1u);
    EXPECT_EQ(report.notUsed[0].what, Remark(RowRemark::kPromptsOfOtherForm, "Llama 2 / Mistral"));
    EXPECT_EQ(report.notUsed[0].rows.numRows, 1);
    EXPECT_EQ(report.numTrained, 3); // " b" and its end, as the row says
}

// What is advised teaches the model to stop: of answers that nothing but the text ends, the last one alone is trained.
TEST_F(SurveyOfRows, advisesForDialoguesWhatTeachesToStop) {
    const std::string talk = R"({"text":"Human: A?\n\nAssistant: First.\n\nHuman: B?\n\nAssistant: Second."})"
                             "\n";
    session::DatasetReport report = survey(talk);
    ASSERT_EQ(report.notUsed.size(), 1u);
    const Remark advice = report.notUsed[0].what;
    ASSERT_EQ(advice.code, RowRemark::kChatsWithoutEnds);
    EXPECT_NE(advice.text().find("data.train_on to 'last-assistant'"), std::string::npos);
    session::RunSpec spec;
    spec.data.datasets.front().files = {m_options.files.front().string()};
    spec.data.datasets.front().turnBegin = advice.arguments[1];
    spec.data.datasets.front().turnEnd = advice.arguments[2];
    m_options.turnMarkers = dataOptionsOf(spec).turnMarkers;
    EXPECT_EQ(survey(talk).withoutEnd.numRows, 1); // all answers: the first one has no end
    m_options.trainOn = TrainOn::kLastAssistant;
    report = survey(talk);
    EXPECT_EQ(report.withoutEnd.numRows, 0);
    EXPECT_EQ(report.numTrained, 8); // "Second." and its end
    EXPECT_TRUE(report.notUsed.empty());
}

// Where the end of a text stands behind each answer and is a token here, all of them can be trained with it.
TEST_F(SurveyOfRows, advisesTheEndOfTheTextWhereItEndsEachAnswer) {
    m_tokenizer = makeByteTokenizer(m_folder.path(), {"<|endoftext|>"});
    const std::string talk = R"({"text":"USER: A?\n\nASSISTANT: First. <|endoftext|>\n\nUSER: B?\n\n)"
                             R"(ASSISTANT: Second. <|endoftext|>"})"
                             "\n";
    session::DatasetReport report = survey(talk);
    const Remark advice = report.notUsed.at(0).what;
    ASSERT_EQ(advice, Remark(RowRemark::kChatsOfOtherForm, "Vicuna", "ASSISTANT: ", "<|endoftext|>"));
    m_options.turnMarkers = {advice.arguments[1], advice.arguments[2]};
    report = survey(talk);
    EXPECT_EQ(report.withoutEnd.numRows, 0);
    EXPECT_EQ(report.numTrained, 17); // "First. ", "Second. " and their ends
    EXPECT_TRUE(report.notUsed.empty());
}

// Where nothing ends an answer but the next question; by an end that the text does not have the row would be dropped.
TEST_F(SurveyOfRows, advisesTheNextQuestionWhereNothingElseEndsAnAnswer) {
    for (const char* text : {"USER: A? ASSISTANT: First. USER: B? ASSISTANT: Second.",
                             "[INST] A? [/INST] First. [INST] B? [/INST] Second."}) {
        const std::string talk = "{\"text\":\"" + std::string(text) + "\"}\n";
        m_options.turnMarkers = {};
        m_options.trainOn = TrainOn::kAssistant;
        const Remark advice = survey(talk).notUsed.at(0).what;
        ASSERT_EQ(advice.code, RowRemark::kChatsWithoutEnds);
        m_options.turnMarkers = {advice.arguments[1], advice.arguments[2]};
        m_options.trainOn = TrainOn::kLastAssistant;
        const session::DatasetReport report = survey(talk);
        EXPECT_GE(report.numTrained, 8); // "Second." and its end
        EXPECT_LE(report.numTrained, 9); // with the blank before it
        EXPECT_EQ(report.withoutEnd.numRows, 0);
    }
}

// Whatever is set, a mark that is letters here ends no answer: as messages the same chat is trained with its end.
TEST_F(SurveyOfRows, advisesMessagesForChatsThatEndWithAnotherModelsMark) {
    const std::pair<const char*, const char*> texts[] = {
        {"Llama 2 / Mistral", "[INST] a [/INST] b</s>"},
        {"Llama 2 / Mistral", "[INST] a [/INST] b</s>[INST] c [/INST] d</s> \\n"},
        {"Llama 3", "<|start_header_id|>user<|end_header_id|>\\n\\na<|eot_id|><|start_header_id|>assistant"
                    "<|end_header_id|>\\n\\nb<|eot_id|>"},
        {"Vicuna", "USER: a ASSISTANT: b</s>"},
        {"Alpaca", "### Instruction:\\na\\n\\n### Response:\\nb<|end_of_text|>"},
        {"gpt-oss", "<|start|>user<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>"}};
    for (const auto& [name, text] : texts) {
        const session::DatasetReport report = survey("{\"text\":\"" + std::string(text) + "\"}\n");
        ASSERT_EQ(report.notUsed.size(), 1u) << text;
        EXPECT_EQ(report.notUsed[0].what, Remark(RowRemark::kChatsWithForeignEnd, name));
        EXPECT_NE(report.notUsed[0].what.text().find("give the chats as messages"), std::string::npos);
        const Dataset loaded = load(); // from the same file, by what is kept of each row
        const auto stored =
            surveyOf(std::span(&m_options, 1), m_tokenizer, text::ChatTemplate::fromSource(kChatMl), loaded);
        EXPECT_EQ(stored.notUsed.at(0).what, report.notUsed[0].what);
    }
    const session::DatasetReport followed = survey(row("a", "b"));
    EXPECT_TRUE(followed.notUsed.empty());
    EXPECT_EQ(followed.withoutEnd.numRows, 0);
    EXPECT_EQ(followed.numTrained, 2); // "b" and its end
    // Where the mark is a token, it is an end.
    const session::DatasetReport known =
        survey("{\"text\":\"<|im_start|>user\\na<|im_end|>\\n<|im_start|>assistant\\nb<|im_end|>\"}\n", "");
    EXPECT_EQ(known.notUsed.at(0).what.code, RowRemark::kChatsOfOtherForm);
}

// What is another model's is letters to this one, and is learnt as such.
TEST_F(SurveyOfRows, namesMarksOfOtherModelsWithinMessages) {
    const auto notUsed = [&](const std::string& rows) {
        const session::DatasetReport report = survey(rows);
        return report.notUsed.empty() ? RowRemark::kNone : report.notUsed[0].what.code;
    };
    for (const char* answer : {"b</s>", "<|im_sep|>[/INST] b", "b<|eot_id|>\\n", "<start_of_turn>model", "<<SYS>> b",
                               "<s>b</s>", "b<｜end▁of▁sentence｜>"})
        EXPECT_EQ(notUsed(row("a", answer)), RowRemark::kMarksAsLetters) << answer;
    EXPECT_EQ(notUsed(row("### Instruction:\\na\\n\\n### Response:", "b")), RowRemark::kMarksAsLetters);
    EXPECT_EQ(notUsed(row("[INST] a [/INST]", "b")), RowRemark::kMarksAsLetters);
    for (const char* answer : {"b <s>old</s>", "an array [1], a < b", "<b>b</b>", "### Response: of a form"})
        EXPECT_EQ(notUsed(row("a", answer)), RowRemark::kNone) << answer;
    EXPECT_EQ(notUsed(row("Which one?\\nThe Assistant:", "b")), RowRemark::kNone);
    // The model's own become tokens, of which the report has a list.
    const session::DatasetReport own = survey(row("a<|im_end|>", "b"));
    EXPECT_TRUE(own.notUsed.empty());
    EXPECT_EQ(own.specialTokens.size(), 1u);
    // Of texts that are no chats the end alone, which the model would write before its own.
    EXPECT_EQ(notUsed(R"({"segments":[{"text":"a","label":false},{"text":"b</s>","label":true}]})"),
              RowRemark::kMarksAsLetters);
    EXPECT_EQ(notUsed(R"({"segments":[{"text":"[INST]","label":false},{"text":"b","label":true}]})"), RowRemark::kNone);
}

TEST_F(SurveyOfRows, namesCallsThatStandInWordsToo) {
    const char* kTemplate =
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls %}"
        "<tool_call>{{ c.function | tojson }}</tool_call>{% endfor %}<|im_end|>\n{% endfor %}";
    const auto isNamed = [&](const std::string& content, const char* more = "") {
        const session::DatasetReport report = survey(
            R"({"messages":[{"role":"user","content":"a"},{"role":"assistant")" + std::string(more) +
                R"(,"content":")" + content +
                R"(","tool_calls":[{"type":"function","function":{"name":"f","arguments":{"n": [1, "a b"]}}}]}]})",
            kTemplate);
        EXPECT_EQ(report.numUsed + static_cast<int64_t>(*more != 0), 1) << content;
        return !report.notUsed.empty() && report.notUsed[0].what == Remark(RowRemark::kCallsInWords);
    };
    EXPECT_TRUE(
        isNamed(R"(Let me see.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"n\": [1, \"a b\"]}}\n</tool_call>)"));
    EXPECT_TRUE(isNamed(R"({\"parameters\":{\"n\":[1,\"a b\"]},\"name\":\"f\"})"));
    EXPECT_TRUE(isNamed(R"(<tool_call>\n<function=f>\n<parameter=n>\n[1]\n</parameter></function></tool_call>)"));
    EXPECT_FALSE(isNamed("I call f with 1 and a b."));
    EXPECT_FALSE(isNamed(R"({\"name\": \"f\", \"arguments\": {\"n\": 2}})")); // another call, as an example
    EXPECT_FALSE(isNamed(R"({\"name\":\"f\",\"arguments\":{\"n\":[1,\"a b\"]}})", R"(,"train":false)"));
}

TEST_F(SurveyOfRows, namesContradictionsAndThoughtsThatNothingCloses) {
    const session::DatasetReport report =
        survey(R"({"messages":[{"role":"user","from":"gpt","content":"a"},{"role":"assistant","content":"b"}]})"
               "\n" +
               row("a", "The tag <think> opens one.") + row("a", "<think>b") + row("a", "b"));
    ASSERT_EQ(report.notUsed.size(), 2u);
    EXPECT_EQ(report.notUsed[0].what, Remark(RowRemark::kContradictionsLeftOut));
    EXPECT_EQ(report.notUsed[0].rows.examples.front().number, 1);
    EXPECT_EQ(report.notUsed[1].what, Remark(RowRemark::kThoughtsLeftOpen));
    EXPECT_EQ(report.notUsed[1].rows.examples.front().number, 2);
    ASSERT_EQ(report.dropped.size(), 1u);
    EXPECT_EQ(report.dropped[0].problem.code, RowRemark::kMessageThoughtOpen);
    ASSERT_EQ(report.notRead.size(), 1u);
    EXPECT_EQ(report.notRead[0].columns, std::vector<std::string>{"messages.from"});
}

// Whatever else a call holds, in every form of rows; no template reads it.
TEST_F(SurveyOfRows, namesWhatCallsHoldBesideNameAndArguments) {
    const char* kRows[] = {
        R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"status":"ok","function":)"
        R"({"name":"f","arguments":{"n":1},"description":"d"}}]}]})",
        R"({"conversations":[{"from":"human","value":"a"},{"from":"function_call","value":"{\"name\":\"f\",)"
        R"(\"parameters\":{\"n\":1},\"status\":\"ok\"}"}]})",
        R"({"prompt":[{"role":"user","content":"a"}],"completion":[{"role":"assistant","tool_calls":[{"name":"f",)"
        R"("args":{"n":1},"status":"ok"}]}]})"};
    const std::vector<std::string> kNames[] = {
        {"messages.tool_calls.function.description", "messages.tool_calls.status"},
        {"conversations.tool_calls.function.status"},
        {"completion.tool_calls.status"}};
    const std::string kTemplate = "{% for m in messages %}<|im_start|>{{ m.role }}\n{% for c in m.tool_calls %}"
                                  "{{ c.function.name or c.name }} {{ (c.function or c).arguments | tojson }} "
                                  "{# .description .status #}{% endfor %}{{ m.content }}<|im_end|>\n{% endfor %}";
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
        const session::DatasetReport report = survey(kRows[i], kTemplate.c_str());
        EXPECT_EQ(report.numUsed, 1) << (report.dropped.empty() ? "" : report.dropped[0].text);
        ASSERT_EQ(report.notRead.size(), 1u) << kRows[i];
        EXPECT_EQ(report.notRead[0].columns, kNames[i]);
    }
}

// By what it says a row is dropped, or the column is listed; never both passed over.
TEST_F(SurveyOfRows, readsSwitchesOfRowsWhereAllOfThemAreClear) {
    const auto rowWith = [](const char* weight) {
        return R"({"instruction":"a","output":"b","weight":)" + std::string(weight) + "}\n";
    };
    session::DatasetReport report = survey(rowWith("0") + rowWith("1"));
    EXPECT_EQ(report.numUsed, 1);
    EXPECT_EQ(report.dropReasons.at(0).reason, DropReason::kRejected);
    EXPECT_TRUE(report.notRead.empty());
    report = survey(rowWith("0") + rowWith("1") + rowWith("0.5"));
    EXPECT_EQ(report.numUsed, 2);
    ASSERT_EQ(report.notRead.size(), 1u);
    EXPECT_EQ(report.notRead[0].columns, std::vector<std::string>{"weight"});
}

TEST_F(SurveyOfRows, describesLengthsBeforeTruncation) {
    m_options.maxLength = 40;
    std::string rows;
    for (int i = 1; i <= 200; ++i) // lengths kFrame + 2 … kFrame + 201
        rows += row(std::string(static_cast<std::size_t>(i), 'q'), "a");
    const session::LengthStatistics lengths = survey(rows).lengths;
    EXPECT_EQ(lengths.numRows, 200);
    EXPECT_EQ(lengths.p50, kFrame + 101);
    EXPECT_EQ(lengths.p90, kFrame + 181);
    EXPECT_EQ(lengths.p95, kFrame + 191);
    EXPECT_EQ(lengths.p99, kFrame + 199);
    EXPECT_EQ(lengths.max, kFrame + 201);
    EXPECT_DOUBLE_EQ(lengths.mean, kFrame + 101.5);
    EXPECT_EQ(lengths.histogram.front().begin, 16);
    EXPECT_EQ(lengths.histogram.back().end, 256);
    int64_t sum = 0;
    for (std::size_t i = 0; i < lengths.histogram.size(); ++i) {
        sum += lengths.histogram[i].numRows;
        EXPECT_EQ(lengths.histogram[i].begin, i == 0 ? 16 : lengths.histogram[i - 1].end);
    }
    EXPECT_EQ(sum, 200);
}

TEST_F(SurveyOfRows, tellsWhatEachLengthLimitCosts) {
    m_options.maxLength = 100;
    const auto choices = survey(row(std::string(200 - kFrame, 'q'), "") + row("a", std::string(299 - kFrame, 'a')) +
                                row("a", std::string(199 - kFrame, 'a')) + row("a", "b"))
                             .lengths.choices; // 200 tokens are a bad row: its answer is empty
    const auto of = [&](int64_t length) { return *std::ranges::find(choices, length, &session::LengthChoice::length); };
    EXPECT_EQ(of(100).numOver, 2);
    EXPECT_EQ(of(100).lostTokens, 200 + 100);
    EXPECT_EQ(of(100).lostTrained, 199 + 99); // all but the line feed behind the end of the turn
    EXPECT_EQ(of(128).lostTokens, 172 + 72);
    EXPECT_EQ(of(224).lostTokens, 76);
    EXPECT_EQ(of(224).lostTrained, 75);
    EXPECT_EQ(of(256).numOver, 1);
    EXPECT_EQ(of(256).lostTokens, 44);
    EXPECT_EQ(of(320).numOver, 0);
    EXPECT_TRUE(std::ranges::is_sorted(choices, {}, &session::LengthChoice::length));
}

TEST_F(SurveyOfRows, findsDuplicates) {
    const std::string text = "Write a short story about a lighthouse keeper who finds a message in a bottle";
    const session::DatasetReport report = survey(row(text, "Once upon a time") + row("other words", "entirely") +
                                                 row(text, "Once upon a time") + row(text + "!", "Once upon a time"));
    EXPECT_EQ(report.exact.numRows, 1);
    ASSERT_EQ(report.exact.examples.size(), 1u);
    EXPECT_EQ(report.exact.examples[0].row.number, 3);
    EXPECT_EQ(report.exact.examples[0].earlier.number, 1);
    EXPECT_EQ(report.near.numRows, 1);
    EXPECT_EQ(report.near.examples[0].row.number, 4);
    EXPECT_EQ(report.leaked.numRows, 0);
}

TEST_F(SurveyOfRows, doesNotTakeASharedSystemMessageForLikeness) {
    const std::string system = R"({"role":"system","content":")" + std::string(2000, 's') +
                               " you are a helpful assistant that always answers in the same long words as before\"}";
    const auto with = [&](const std::string& question, const std::string& answer) {
        return R"({"messages":[)" + system + R"(,{"role":"user","content":")" + question +
               R"("},{"role":"assistant","content":")" + answer + "\"}]}\n";
    };
    EXPECT_EQ(survey(with("one two three four five", "six") + with("a b c d e f g", "h")).near.numRows, 0);
}

// By whatever name rows and templates know it: gpt-oss reads "thinking", Qwen3 "reasoning_content".
TEST_F(SurveyOfRows, readsThoughtsAsWellAsAnswers) {
    const auto with = [](const char* field, const std::string& thought) {
        return R"({"messages":[{"role":"user","content":"two and two?"},{"role":"assistant","content":"four",")" +
               std::string(field) + "\":\"" + thought + "\"}]}\n";
    };
    std::string first = "they want a sum of small numbers so I add the one to the other ";
    for (int i = 0; i < 60; ++i) // so long that two words more leave it alike beyond doubt
        first += "number " + std::to_string(i) + " ";
    const std::string second = "a question of arithmetic which calls for counting on my fingers now ";
    for (const char* read : {"thinking", "reasoning_content"}) {
        const std::string chatTemplate =
            "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m." + std::string(read) + " %}[{{ m." + read +
            " }}]{% endif %}{{ m.content }}<|im_end|>\n{% endfor %}" + "{# message." + read + " #}";
        for (const char* field : {"thinking", "reasoning", "reasoning_content"}) {
            const session::DatasetReport report = survey(
                with(field, first) + with(field, second) + with(field, first + "<|im_end|>"), chatTemplate.c_str());
            EXPECT_EQ(report.numUsed, 3) << read << " " << field;
            EXPECT_EQ(report.near.numRows, 1); // the third row is like the first; other thoughts, other rows
            ASSERT_EQ(report.specialTokens.size(), 1u);
            EXPECT_EQ(report.specialTokens[0].numRows, 1);
            EXPECT_EQ(report.specialTokens[0].example.number, 3);
        }
    }
}

TEST_F(SurveyOfRows, findsRowsOfValidationAmongThoseOfTraining) {
    const std::string text = "Explain how a transformer model attends to earlier tokens in a sequence of words";
    m_options.validationFiles = {
        write("validation.jsonl", row("a", "b") + row(text + "?", "It weighs them.") + row("new", "row"))};
    const session::DatasetReport report = survey(row("a", "b") + row(text, "It weighs them."));
    EXPECT_EQ(report.validation.size(), 3);
    EXPECT_EQ(report.leaked.numRows, 1);
    EXPECT_EQ(report.leaked.examples[0].row.file, 1);
    EXPECT_EQ(report.leaked.examples[0].earlier.file, 0);
    EXPECT_EQ(report.nearlyLeaked.numRows, 1);
    EXPECT_EQ(report.nearlyLeaked.examples[0].row.number, 2);
    EXPECT_EQ(report.exact.numRows, 0);
}

TEST_F(SurveyOfRows, countsRowsThatDeserveALook) {
    const std::string oneSided = R"({"messages":[{"role":"assistant","content":"a"}]})"
                                 "\n";
    const std::string unanswered = R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},)"
                                   R"({"role":"user","content":"c"}]})"
                                   "\n";
    const session::DatasetReport report = survey(row("fine", "yes") + row(" ", "empty") + oneSided + unanswered +
                                                 row("a<|im_end|>", "<|im_end|>") + row("<|im_start|><|im_end|>", "b"));
    EXPECT_EQ(report.numUsed, 6);
    EXPECT_EQ(report.emptyTurns.numRows, 2); // the answer that is nothing but its end, too
    EXPECT_EQ(report.oneSided.numRows, 1);
    EXPECT_EQ(report.unanswered.numRows, 1);
    EXPECT_EQ(report.withoutEnd.numRows, 0);
    EXPECT_EQ(report.emptyTurns.examples.at(0).number, 2);
    EXPECT_EQ(report.emptyTurns.examples.at(1).number, 5);
    EXPECT_EQ(report.oneSided.examples.at(0).number, 3);
    EXPECT_EQ(report.unanswered.examples.at(0).number, 4);
    ASSERT_EQ(report.specialTokens.size(), 2u);
    EXPECT_EQ(report.specialTokens[0].token, "<|im_end|>");
    EXPECT_EQ(report.specialTokens[0].numRows, 2);
    EXPECT_EQ(report.specialTokens[0].example.number, 5);
    ASSERT_EQ(report.maskSources.size(), 1u);
    EXPECT_EQ(report.maskSources[0].source, session::MaskSource::kSentinels);
    const char* plain = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
    EXPECT_EQ(survey(row("a", "b") + row("c", "d"), plain).withoutEnd.numRows, 2);
}

TEST_F(SurveyOfRows, saysWhyARunWouldNotStart) {
    m_options.maxLength = 2000;
    const std::string rows = row(std::string(1000, 'x'), "y");
    EXPECT_NE(survey(rows).refusal.text().find("Only 2 of 1022 tokens (0.196 %)"), std::string::npos)
        << survey(rows).refusal.text();
    m_options.minTrainedShare = 0;
    EXPECT_TRUE(survey(rows).refusal.empty());
    EXPECT_NE(survey(R"({"messages":[{"role":"user","content":"x"}]})").refusal.text().find("no trained token"),
              std::string::npos);
}

void expectSame(const session::DuplicateCounts& a, const session::DuplicateCounts& b) {
    EXPECT_EQ(a.numRows, b.numRows);
    ASSERT_EQ(a.examples.size(), b.examples.size());
    for (std::size_t i = 0; i < a.examples.size(); ++i) {
        EXPECT_EQ(a.examples[i].row.number, b.examples[i].row.number);
        EXPECT_EQ(a.examples[i].earlier.number, b.examples[i].earlier.number);
    }
}

void expectSame(const session::LengthStatistics& a, const session::LengthStatistics& b) {
    EXPECT_EQ(std::tie(a.numRows, a.mean, a.p50, a.p90, a.p95, a.p99, a.max),
              std::tie(b.numRows, b.mean, b.p50, b.p90, b.p95, b.p99, b.max));
    ASSERT_EQ(a.histogram.size(), b.histogram.size());
    for (std::size_t i = 0; i < a.histogram.size(); ++i)
        EXPECT_EQ(a.histogram[i].numRows, b.histogram[i].numRows);
    ASSERT_EQ(a.choices.size(), b.choices.size());
    for (std::size_t i = 0; i < a.choices.size(); ++i)
        EXPECT_EQ(
            std::tie(a.choices[i].length, a.choices[i].numOver, a.choices[i].lostTokens, a.choices[i].lostTrained),
            std::tie(b.choices[i].length, b.choices[i].numOver, b.choices[i].lostTokens, b.choices[i].lostTrained));
}

void expectSame(const session::DatasetReport& a, const session::DatasetReport& b) {
    const auto counts = [](const session::DatasetReport& r) {
        return std::tie(r.isComplete, r.numRows, r.numUsed, r.numTokens, r.numTrained, r.lengthLimit, r.numTruncated,
                        r.emptyTurns.numRows, r.oneSided.numRows, r.unanswered.numRows, r.withoutEnd.numRows,
                        r.withoutBos.numRows, r.doubledBos.numRows, r.refusal.code, r.refusal.arguments, r.dropAdvice,
                        r.files, r.units);
    };
    EXPECT_EQ(counts(a), counts(b));
    EXPECT_EQ(a.training, b.training);
    EXPECT_EQ(a.validation, b.validation);
    ASSERT_EQ(a.dropped.size(), b.dropped.size());
    for (std::size_t i = 0; i < a.dropped.size(); ++i)
        EXPECT_EQ(a.dropped[i].text, b.dropped[i].text);
    const auto expectSameNames = [](const auto& x, const auto& y) {
        ASSERT_EQ(x.size(), y.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto& [codeX, countX] = x[i];
            const auto& [codeY, countY] = y[i];
            EXPECT_EQ(codeX, codeY);
            EXPECT_EQ(countX, countY);
        }
    };
    expectSameNames(a.dropReasons, b.dropReasons);
    expectSameNames(a.maskSources, b.maskSources);
    ASSERT_EQ(a.specialTokens.size(), b.specialTokens.size());
    for (std::size_t i = 0; i < a.specialTokens.size(); ++i)
        EXPECT_EQ(std::tie(a.specialTokens[i].token, a.specialTokens[i].numRows, a.specialTokens[i].example.number),
                  std::tie(b.specialTokens[i].token, b.specialTokens[i].numRows, b.specialTokens[i].example.number));
    expectSame(a.lengths, b.lengths);
    expectSame(a.exact, b.exact);
    expectSame(a.near, b.near);
    expectSame(a.leaked, b.leaked);
    expectSame(a.nearlyLeaked, b.nearlyLeaked);
}

// Each dataset is as it is alone; what they have in common is told with the files of both.
TEST_F(SurveyOfRows, findsRepeatsAndLeaksAcrossDatasets) {
    const std::string text = "Explain how a transformer model attends to earlier tokens in a sequence of words";
    std::vector<DataOptions> datasets(2);
    datasets[0].files = {write("a.jsonl", row("first", "one") + row(text, "It weighs them.") + row("third", "one"))};
    datasets[0].validationFiles = {write("v.jsonl", row("held", "out") + row("new", "row"))};
    datasets[1].files = {write("b.jsonl", row("x", "y") + row("third", "one") + row("held", "out") + row("x", "y") +
                                              row(text + "!", "It weighs them."))};
    const session::DatasetReport report = surveyOf(datasets, m_tokenizer, text::ChatTemplate::fromSource(kChatMl));
    EXPECT_EQ(report.exact.numRows, 1); // within the second one
    EXPECT_EQ(report.leaked.numRows, 0);
    ASSERT_EQ(report.repeatedAcross.numRows, 2);
    const session::RowPair& same = report.repeatedAcross.examples[0];
    EXPECT_EQ(std::tie(same.row.file, same.row.number), std::make_tuple(2, 2));
    EXPECT_EQ(std::tie(same.earlier.file, same.earlier.number), std::make_tuple(0, 3));
    EXPECT_EQ(report.repeatedAcross.examples[1].row.number, 5); // nearly
    ASSERT_EQ(report.leakedAcross.numRows, 1);
    const session::RowPair& leak = report.leakedAcross.examples[0];
    EXPECT_EQ(std::tie(leak.row.file, leak.row.number), std::make_tuple(1, 1));
    EXPECT_EQ(std::tie(leak.earlier.file, leak.earlier.number), std::make_tuple(2, 3));
    const session::DatasetReport alone = surveyOf(datasets[1], m_tokenizer, text::ChatTemplate::fromSource(kChatMl));
    EXPECT_EQ(alone.repeatedAcross.numRows, 0);
}

// A report, a moved length limit with another report, and the start of a run: one encoding.
TEST_F(SurveyOfRows, isEncodedOnceForReportsAndARun) {
    m_options.cacheFolder = m_folder.path() / "cache";
    m_options.modelFolder = m_folder.path();
    m_options.validationFraction = 0.2;
    m_options.maxLength = 90;
    std::string rows = "{bad\n" + row("x", "") + row("a<|im_end|>", "b");
    for (int i = 0; i < 60; ++i)
        rows += row("a question in more than five words " + std::to_string(i / 2),
                    std::string(static_cast<std::size_t>(3 * i), 'a'));
    EXPECT_EQ(survey(rows).numEncoded, 63);
    const auto fresh = [&] { // from the files, whatever the cache has
        DataOptions options = m_options;
        options.cacheFolder.clear();
        return surveyOf(options, m_tokenizer, text::ChatTemplate::fromSource(kChatMl));
    };
    for (const auto& [limit, choice] : {std::pair(90, OverLength::kTruncate), std::pair(90, OverLength::kDrop),
                                        std::pair(70, OverLength::kTruncate), std::pair(20000, OverLength::kDrop)}) {
        SCOPED_TRACE(limit);
        m_options.maxLength = limit;
        m_options.overLength = choice;
        const session::DatasetReport report = survey(rows);
        EXPECT_EQ(report.numEncoded, 0);
        expectSame(report, fresh());
        const Dataset dataset = load();
        EXPECT_EQ(dataset.stats().numEncoded, 0);
        EXPECT_EQ(dataset.stats().numRows, 63);
        EXPECT_EQ(dataset.training().lengths(), report.training);
        EXPECT_EQ(dataset.validation().lengths(), report.validation);
        for (int64_t i = 0; i < dataset.training().size(); ++i)
            ASSERT_EQ(std::ssize(dataset.training()[i].ids), report.training.lengthOf(i));
    }
    EXPECT_EQ(load().stats().numEncoded, 0);
    m_options.trainOn = TrainOn::kAll;
    EXPECT_EQ(load().stats().numEncoded, 63);
    EXPECT_EQ(survey(rows).numEncoded, 0);
}

TEST_F(SurveyOfRows, reportsWhileItReadsAndCanBeCancelled) {
    std::string rows;
    for (int i = 0; i < 3000; ++i)
        rows += row("q", "a");
    m_options.files = {write("rows.jsonl", rows)};
    const auto chatTemplate = text::ChatTemplate::fromSource(kChatMl);
    int64_t numSeen = 0;
    const auto cancelled = [&] {
        surveyOf(m_options, m_tokenizer, chatTemplate, [&](const LoadProgress& progress, const auto& report) {
            numSeen = report().numUsed;
            EXPECT_EQ(numSeen, progress.numRows);
            EXPECT_FALSE(report().isComplete);
            return numSeen < 2000;
        });
    };
    testing::expectError(ErrorKind::kCancelled, {"cancelled"}, cancelled);
    EXPECT_GE(numSeen, 2000);
    EXPECT_LT(numSeen, 3000);
}

// Before the files are hashed for the cache, which is reading all of them.
TEST_F(SurveyOfRows, reportsOfTheFirstRowsAtOnce) {
    m_options.cacheFolder = m_folder.path() / "cache";
    m_options.modelFolder = m_folder.path();
    std::string rows = "{bad\n";
    for (int i = 0; i < 3000; ++i)
        rows += row("q", "a");
    m_options.files = {write("rows.jsonl", rows)};
    const auto chatTemplate = text::ChatTemplate::fromSource(kChatMl);
    std::vector<int64_t> seen;
    const auto cancelAfter = [&](std::size_t calls) {
        seen.clear();
        surveyOf(m_options, m_tokenizer, chatTemplate, [&](const LoadProgress& progress, const auto& report) {
            const session::DatasetReport soFar = report();
            EXPECT_EQ(soFar.numRows, progress.numRows);
            EXPECT_EQ(soFar.dropped.size(), 1u);
            EXPECT_FALSE(soFar.isComplete);
            seen.push_back(soFar.numRows);
            return seen.size() < calls;
        });
    };
    testing::expectError(ErrorKind::kCancelled, {"cancelled"}, [&] { cancelAfter(1); });
    EXPECT_EQ(seen, std::vector<int64_t>{256});
    EXPECT_FALSE(std::filesystem::exists(m_options.cacheFolder)); // nothing has been hashed
    cancelAfter(1000);
    EXPECT_TRUE(std::ranges::is_sorted(seen)); // the first rows are shown until there are more
    EXPECT_EQ(seen.back(), 3001);
}

} // namespace
} // namespace roundpipe::data
