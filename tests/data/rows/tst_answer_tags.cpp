// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/answer_tags.h"

#include "data/rows/columns/row_format.h"
#include "data/rows/conversation.h"

#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

TEST(AnswerTags, sayWhatTheyTell) {
    const auto tag = [](const char* label, DataFormat format = DataFormat::kCompletion) {
        return answerTagIn(parseRow(R"({"label":)" + std::string(label) + "}"), "label", format);
    };
    for (const char* unclear : {"[false]", "{}", R"({"good":false})", R"("Reject")", "2", "0.5", R"("anger")"})
        EXPECT_EQ(tag(unclear), AnswerTag::kUnclear) << unclear;
    EXPECT_EQ(tag("1", DataFormat::kText), AnswerTag::kUnclear);
    for (const char* none : {"null", R"("")", R"(" \t")"})
        EXPECT_EQ(tag(none), AnswerTag::kNone) << none;
    EXPECT_EQ(tag("true"), AnswerTag::kGood);
    EXPECT_EQ(tag("0"), AnswerTag::kBad);
}

// What a field of the assistant's message makes of it: "trained", "not trained", or why the row is dropped.
std::string turnWith(const std::string& field) {
    const std::string row =
        R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a",)" + field + "}]}";
    try {
        return conversationOf(parseRow(row), DataFormat::kMessages).wanted.at(0) ? "trained" : "not trained";
    } catch (const RowProblem& problem) {
        return problem.what();
    }
}

TEST(MessageSwitches, areReadInEverySpelling) {
    for (const char* name : {"train", "Train", "weight", "Weight", "loss", "LOSS", "loss_weight", "training",
                             "trainable", "label", "Label"}) {
        for (const char* no : {"false", "0", "0.0", R"("False")", R"("false")", R"("no")", R"("0")", R"(" FALSE ")"})
            EXPECT_EQ(turnWith("\"" + std::string(name) + "\":" + no), "not trained") << name << no;
        for (const char* yes : {"true", "1", "1.0", R"("True")", R"("yes")", R"("1")", "null", R"("")"})
            EXPECT_EQ(turnWith("\"" + std::string(name) + "\":" + yes), "trained") << name << yes;
    }
    EXPECT_EQ(turnWith(R"("train":true,"weight":0)"), "not trained");
    EXPECT_EQ(turnWith(R"("mask":false)"), "trained"); // one that others mean the other way round
}

TEST(MessageSwitches, thatSaySomethingElseAreRefusedOrNotRead) {
    EXPECT_EQ(turnWith(R"("train":"maybe")"), "has a message 2 whose 'train' is neither true nor false");
    EXPECT_EQ(turnWith(R"("weight":0.5)"), "has a message 2 whose 'weight' is neither 0 nor 1");
    EXPECT_EQ(turnWith(R"("Loss_Weight":2)"), "has a message 2 whose 'Loss_Weight' is neither 0 nor 1");
    EXPECT_EQ(turnWith(R"("loss":0.73)"), "trained"); // what somebody measured
    EXPECT_EQ(turnWith(R"("label":"anger")"), "trained");
    EXPECT_EQ(turnWith(R"("weight":0.5,"loss":false)"), "not trained");
}

std::string problemOf(const std::string& json, const RowFormat& format) {
    try {
        const Json row = mappedRow(parseRow(json), format);
        if (!plainTextOf(row, format)) conversationOf(row, format);
        return {};
    } catch (const RowProblem& problem) {
        EXPECT_EQ(problem.reason(), DropReason::kRejected) << json;
        return problem.what();
    }
}

TEST(RowSwitches, dropTheRowInEveryFormat) {
    const std::pair<DataFormat, const char*> kRows[] = {
        {DataFormat::kMessages, R"("messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}])"},
        {DataFormat::kShareGpt, R"("conversations":[{"from":"human","value":"a"},{"from":"gpt","value":"b"}])"},
        {DataFormat::kAlpaca, R"("instruction":"a","output":"b")"},
        {DataFormat::kCompletion, R"("prompt":"a","completion":"b")"},
        {DataFormat::kText, R"("text":"a")"},
        {DataFormat::kSegments, R"("segments":[{"text":"a","label":true}])"}};
    for (const auto& [format, row] : kRows) {
        const auto problemWith = [&](const std::string& field) {
            return problemOf("{" + std::string(row) + "," + field + "}", format);
        };
        EXPECT_EQ(problemWith(R"("train":false)"), "has 'train': false, so its answer is one not to learn");
        EXPECT_EQ(problemWith(R"("weight":0)"), "has 'weight': 0, so its answer is one not to learn");
        EXPECT_EQ(problemWith(R"("Train":"False")"), "has 'Train': \"False\", so its answer is one not to learn");
        for (const char* other :
             {R"("train":true)", R"("weight":1)", R"("weight":0.5)", R"("loss":0.7)", R"("train":"")"})
            EXPECT_EQ(problemWith(other), "") << other;
    }
}

TEST(RowSwitches, canBeTakenBack) {
    session::DatasetSection dataset;
    dataset.columns = {"weight=", "Train="};
    RowFormat format = rowFormatOf(dataset);
    format.kind = DataFormat::kText;
    EXPECT_EQ(problemOf(R"({"text":"a","weight":0,"Train":false})", format), "");
    EXPECT_NE(problemOf(R"({"text":"a","weight":0,"train":0})", format), "");
}

} // namespace
} // namespace roundpipe::data
