// SPDX-License-Identifier: GPL-3.0-or-later
// What Planner and Workbench say, as JSON.
#include "survives.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <limits>

namespace roundpipe::session {
namespace {

using Json = nlohmann::json;

// Values with no field as it is by default, and the defaults beside them: survives() checks both.
batch::ExampleLengths lengthsOf(std::initializer_list<std::pair<int64_t, int64_t>> examples) {
    batch::ExampleLengths lengths;
    for (const auto& [tokens, trained] : examples)
        lengths.add(tokens, trained);
    return lengths;
}

plan::Plan someCuts() {
    return {
        6, {{1, 3}}, {4, 6}, {{2, 4}}, {DeviceId(1)}, true, {{true, false}}, 3, 2, true, {geometry::Saving::kInput}};
}

plan::Plan plainCuts() {
    plan::Plan cuts;
    cuts.forward = cuts.backward = {plan::LayerRange{}};
    return cuts;
}

PlanQuestion someQuestion() {
    PlanQuestion question;
    question.spec.model.path = "/models/a";
    question.lengths = {
        std::make_shared<const batch::ExampleLengths>(lengthsOf({{7, 3}, {std::numeric_limits<uint32_t>::max(), 0}})),
        std::make_shared<const batch::ExampleLengths>(lengthsOf({{5, 5}})), 6.5, 0.25};
    question.shown = someCuts();
    question.otherWeights = {WeightFormat::kNf4, WeightFormat::kAsIs};
    question.choosesMicrobatches = true;
    question.engine = {false, true, true};
    question.usesMeasured = false;
    question.seeksBetter = false;
    question.showsSmallest = true;
    question.compares = true;
    question.wantsTimeline = true;
    return question;
}

trace::Record someRecord() {
    trace::Record record;
    unsigned char value = 1;
    for (std::size_t i = 0; i < sizeof record; ++i)
        reinterpret_cast<unsigned char*>(&record)[i] = value += 3;
    record.kind = trace::Kind::kOptimizer;
    record.reason = trace::IdleReason::kPause;
    record.isGradient = true;
    return record;
}

plan::Simulated someStep() {
    return {1.5, 0.25, {0.5, 0.75}, {1, 2}, {3, 4}, {5, 6}, {someRecord()}};
}

plan::Rig someRig() {
    plan::Rig rig;
    rig.name = "2 x \"this\"";
    rig.devices = {{"RTX 4090", int64_t{24} << 30, 1.5e14, 1e12, false, 128, 89}};
    rig.links = {{2.5e10, 2.4e10, 1e-5, false, 0}};
    rig.roots = {{"root", 5e10, 4e10, false}};
    rig.peers = {{1, 2, 9e9, 2e-6}};
    rig.host = {int64_t{256} << 30, 5, 6e10, 7, 8e9};
    return rig;
}

PlanAnswer someAnswer() {
    PlanAnswer answer;
    answer.refusals = {{Consumer::kVllm, true, CodedText(ExportNote::kRankTooLarge, 513, 512),
                        CodedText(ExportAdvice::kSmallerRank, 512)}};
    answer.model = {"Qwen3", 28, 8, 2, 2048, 1700, 4096};
    answer.rig = someRig();
    answer.lengthsFrom = {3, 300.5, 512, 0.4};
    answer.timesFrom = "All are measured.";
    answer.isMeasured = true;
    answer.microbatchSize = 3;
    answer.choseMicrobatches = answer.choseRounds = answer.hasPlan = true;
    answer.training = {512,         3,
                       1400,        300.5,
                       2.5,         0.4,
                       DType::kF32, WeightFormat::kNf4,
                       true,        {8, 24, 0.125, true, {"q_proj"}, {"norm"}},
                       false};
    answer.training.moments = Moments::kBf16;
    answer.choice = {someCuts(),
                     {2, 3, true, 5},
                     someStep(),
                     {{1, 2, 3, 4, 5, 6, 7}},
                     {8, 9, 10, {12, 13, 14, 15, 16, 17}, 18, 19},
                     0.75,
                     11};
    answer.layers = {{"block 1", 0.25, 0.75, 21}};
    answer.stages = {{{StageId(2), plan::StageKind::kBackward, {1, 3}}, {0, 1}, 0.5, 12, 13, 14, {15, 16, 17, 18, 19}}};
    answer.tokensPerStep = 15;
    answer.tokensPerSecond = 16.5;
    answer.explanation = {"One.", "Two."};
    const trace::Lane lane{LaneId(3), DeviceId(2), trace::LaneRole::kOptimizer, "Host optimizer"};
    answer.timeline = std::make_shared<const PredictedTimeline>(PredictedTimeline{{lane}, {someRecord()}, 17, 18});
    answer.problem = {plan::Misfit::Obstacle::kMemory, {{plan::MemoryKind::kHost, 1, "RTX 4090", 30, 24}}, "Oh."};
    answer.fixes = {{plan::FixKind::kLength, 512, 7.5}};
    answer.together = {{plan::FixKind::kRank, 8, 6.5}};
    answer.faster = plan::Fix{plan::FixKind::kRoundSize, 16, 5.5};
    answer.better = BetterCuts{someCuts(), 0.125, 19.5};
    answer.rivals = {{plan::ComparedSchedule::kLoopedBfs,
                      8,
                      {1, 2, 3, 4, 5, {6, 7, 8, 9, 10}},
                      5,
                      someStep(),
                      {{1, 2, 3, 4, 5, 6, 7}},
                      answer.problem}};
    return answer;
}

PlanAnswer plainAnswer() {
    PlanAnswer answer;
    answer.refusals = {ExportRemark{}};
    answer.rig.devices = {plan::DeviceSpec{}};
    answer.rig.links = {plan::Link{}};
    answer.rig.roots = {plan::RootComplex{}};
    answer.rig.peers = {plan::PeerPath{}};
    answer.choice.plan = plainCuts();
    answer.choice.deviceMemory = {plan::DeviceMemoryTable{}};
    answer.layers = {PlannedLayer{}};
    answer.stages = {PlannedStage{}};
    answer.timeline = std::make_shared<const PredictedTimeline>(PredictedTimeline{{trace::Lane{}}, {}, 0, 0});
    answer.fixes = answer.together = {plan::Fix{}};
    answer.faster = plan::Fix{};
    answer.better = BetterCuts{plainCuts(), 0, 0};
    answer.problem.shortfalls = {plan::Shortfall{}};
    answer.rivals = {plan::Rival{{}, 0, {}, 0, {}, {plan::DeviceMemoryTable{}}, answer.problem}};
    return answer;
}

DuplicateCounts someDuplicates() {
    return {3, {{{1, 2}, {3, 4}}}};
}

DatasetReport someReport() {
    DatasetReport report;
    report.files = {"a.jsonl", "b.parquet"};
    report.units = {"line", "record"};
    report.datasets = {{3, 4, 5, 6, 7, 8}};
    report.numNotTaken = 38;
    report.isComplete = true;
    report.numRows = 1;
    report.numEncoded = 2;
    report.numUsed = 3;
    report.dropReasons = {{DropReason::kTooLong, 4}};
    report.dropped = {
        {{1, 5}, DropReason::kMask, Remark(RowRemark::kJsonNoValue, 8, "'}'"), "'a.jsonl', line 5: is not valid JSON"}};
    report.dropAdvice = "Mend it.";
    report.numTokens = 6;
    report.numTrained = 7;
    report.training = lengthsOf({{8, 9}});
    report.validation = lengthsOf({{10, 11}, {12, 0}});
    report.refusal = Remark(RowRemark::kTooLittleTrained, 1, 2, "0.3", "5");
    report.lengths = {13, 14.5, 15, 16, 17, 18, 19, {{20, 21, 22}}, {{23, 24, 25, 26}}};
    report.lengthLimit = 27;
    report.numTruncated = 28;
    report.numSplit = 41;
    report.numPieces = 42;
    report.exact = report.near = report.leaked = report.nearlyLeaked = someDuplicates();
    report.repeatedAcross = report.leakedAcross = someDuplicates();
    report.notRead = {{1, {"id"}}};
    report.notUsed = {{Remark(RowRemark::kHasColumn, "c"), {38, {{1, 46}}}}};
    report.leftOut = {{"b.png", Remark(RowRemark::kHasColumn, "b")}};
    report.emptyTurns = {29, {{1, 40}}};
    report.oneSided = {30, {{1, 41}}};
    report.unanswered = {31, {{1, 42}}};
    report.withoutEnd = {32, {{1, 43}}};
    report.withoutBos = {33, {{1, 44}}};
    report.doubledBos = {34, {{1, 45}}};
    report.specialTokens = {{"<|im_end|>", 35, {1, 36}}};
    report.maskSources = {{MaskSource::kSentinels, 37}};
    return report;
}

DatasetReport plainReport() {
    DatasetReport report;
    report.datasets = {DatasetPart{}};
    report.dropReasons = {DropCount{}};
    report.maskSources = {MaskCount{}};
    report.dropped = {DroppedRow{}};
    report.lengths.histogram = {LengthBin{}};
    report.lengths.choices = {LengthChoice{}};
    report.exact.examples = report.near.examples = report.leaked.examples = report.nearlyLeaked.examples = {RowPair{}};
    report.repeatedAcross.examples = report.leakedAcross.examples = {RowPair{}};
    for (RowSample* sample : {&report.emptyTurns, &report.oneSided, &report.unanswered, &report.withoutEnd,
                              &report.withoutBos, &report.doubledBos})
        sample->examples = {RowPlace{}};
    report.specialTokens = {SpecialTokenUse{}};
    report.notRead = {ColumnsNotRead{}};
    report.notUsed = {{Remark(), {0, {RowPlace{}}}}};
    report.leftOut = {LeftOutFile{}};
    return report;
}

TokenLens someLens() {
    TokenLens lens;
    lens.place = {1, 7};
    lens.name = "'rows.jsonl', line 7";
    lens.key = "7@00000000000000ff";
    lens.messages = {{"user", 2, 3}};
    lens.text = "<s>Hällo";
    lens.tokens = {{11, "Ġthe", 1, 4, 0, true, true, true}};
    lens.numTokens = 10;
    lens.numKept = 5;
    lens.numTrained = 6;
    lens.maskedBy = MaskSource::kGenerationTags;
    lens.dropReason = DropReason::kTooLong;
    lens.dropped = Remark(RowRemark::kTooManyTokens, 9, 8);
    lens.notes = {Remark(RowRemark::kTwoBos, "<s>")};
    return lens;
}

TEST(SerialiseAnswers, everyFieldOfPlannersValuesSurvives) {
    PlanQuestion question;
    question.shown = plainCuts();
    PlanQuestion asked = someQuestion();
    PlanAnswer found = someAnswer();
    survives(found, plainAnswer());
    survives(PlanUpdate{std::numeric_limits<uint64_t>::max(), true, std::make_shared<const PlanAnswer>(found),
                        "problem", "advice", ErrorKind::kCancelled},
             PlanUpdate{0, false, std::make_shared<const PlanAnswer>(plainAnswer()), {}, {}, ErrorKind::kInternal});

    // The spec is as a file has it: which of its fields is at its default is tst_run_spec's business.
    Json value = Json::parse(toJson(asked));
    question.lengths.training = question.lengths.validation = std::make_shared<const batch::ExampleLengths>();
    Json plain = Json::parse(toJson(question));
    EXPECT_EQ(toJson(fromJson<PlanQuestion>(toJson(asked))), toJson(asked));
    EXPECT_EQ(value["spec"]["model"]["path"], "/models/a");
    value.erase("spec");
    differsEverywhere(value, plain, "PlanQuestion");
}

TEST(SerialiseAnswers, everyFieldOfWorkbenchsValuesSurvives) {
    survives(RowPlace{1, 2}, RowPlace{});
    survives(WorkbenchStatus{WorkbenchState::kFailed, 0.5, 1, "problem", "advice", ErrorKind::kIo,
                             std::make_shared<const DatasetReport>(someReport())},
             WorkbenchStatus{WorkbenchState::kEmpty,
                             0,
                             0,
                             {},
                             {},
                             ErrorKind::kInternal,
                             std::make_shared<const DatasetReport>(plainReport())});
    survives(WorkbenchResult{1, RowsResult{{{{1, 2}, "text", "preview"}}, 3, true}},
             WorkbenchResult{0, RowsResult{{RowSummary{}}, 0, false}});
    TokenLens lens;
    lens.messages = {LensMessage{}};
    lens.tokens = {LensToken{}};
    lens.notes = {Remark()};
    survives(WorkbenchResult{1, someLens()}, WorkbenchResult{0, lens});
    survives(WorkbenchResult{1, LookupFailed{"problem", "advice"}}, WorkbenchResult{0, LookupFailed{}});
    survives(WorkbenchResult{1, SearchResult{{{1, 2}}, 0.5, true}},
             WorkbenchResult{0, SearchResult{{RowPlace{}}, 0, false}});
    survives(WorkbenchResult{1, VerdictsResult{{{{1, 2}, 3, 4, 5, DropReason::kTooLong}}}},
             WorkbenchResult{0, VerdictsResult{{RowVerdict{}}}});
    const DataFile file{"a.csv",
                        2,
                        7,
                        true,
                        "CSV",
                        "record",
                        DataFormat::kAlpaca,
                        Remark(RowRemark::kHasColumn, "question"),
                        "Name the columns.",
                        {{"output", "answer"}},
                        {{"question", "string", "\"Why?\""}},
                        {{"instruction", "question"}},
                        "is cut off"};
    DataFile plain;
    plain.columns = {DataColumn{}};
    plain.suggested = {ColumnChoice{}};
    plain.readFrom = {ColumnChoice{}};
    survives(WorkbenchResult{1, FilesResult{{file}, {{"b.png", Remark(RowRemark::kHasColumn, "b")}}}},
             WorkbenchResult{0, FilesResult{{plain}, {LeftOutFile{}}}});
}

// A few by hand, so that writing and reading can't be wrong alike.
TEST(SerialiseAnswers, readsWhatIsWritten) {
    const auto question = fromJson<PlanQuestion>(toJson(someQuestion()));
    EXPECT_EQ(question.spec.model.path, "/models/a");
    EXPECT_EQ(*question.lengths.training, *someQuestion().lengths.training);
    EXPECT_EQ(question.lengths.training->numTokens(), int64_t{7} + std::numeric_limits<uint32_t>::max());
    EXPECT_EQ(question.otherWeights, someQuestion().otherWeights);
    const auto update = fromJson<PlanUpdate>(
        toJson(PlanUpdate{9, false, std::make_shared<const PlanAnswer>(someAnswer()), {}, {}, {}}));
    EXPECT_EQ(update.question, 9U);
    EXPECT_EQ(update.answer->choice.plan.describe(), someCuts().describe());
    EXPECT_EQ(update.answer->rig.links.at(0).downBytesPerSecond, 2.4e10);
    EXPECT_EQ(update.answer->stages.at(0).stage.kind, plan::StageKind::kBackward);
    EXPECT_EQ(update.answer->training.operandType, DType::kF32);
    const trace::Record record = someRecord();
    ASSERT_EQ(update.answer->timeline->records.size(), 1U);
    EXPECT_EQ(std::memcmp(update.answer->timeline->records.data(), &record, sizeof record), 0);
    const auto status = fromJson<WorkbenchStatus>(toJson(WorkbenchStatus{
        WorkbenchState::kReady, 1, 3, {}, {}, {}, std::make_shared<const DatasetReport>(someReport())}));
    EXPECT_EQ(status.state, WorkbenchState::kReady);
    EXPECT_EQ(status.report->validation.lengthOf(1), 12);
    EXPECT_EQ(status.report->specialTokens.at(0).example.number, 36);
    const auto result = fromJson<WorkbenchResult>(toJson(WorkbenchResult{4, someLens()}));
    EXPECT_EQ(std::get<TokenLens>(result.value).tokens.at(0).piece, "Ġthe");
}

TEST(SerialiseAnswers, whatIsNotThereStaysSo) {
    EXPECT_EQ(fromJson<PlanUpdate>(toJson(PlanUpdate{})).answer, nullptr);
    const auto answer = fromJson<PlanAnswer>(toJson(PlanAnswer{}));
    EXPECT_EQ(answer.timeline, nullptr);
    EXPECT_FALSE(answer.better.has_value());
    EXPECT_EQ(fromJson<PlanQuestion>(toJson(PlanQuestion{})).lengths.training, nullptr);
    EXPECT_EQ(fromJson<WorkbenchStatus>(toJson(WorkbenchStatus{})).report, nullptr);
}

TEST(SerialiseAnswers, refusesWhatItDoesNotKnow) {
    const auto refused = [](std::initializer_list<std::string> words, const auto& value, const char* place,
                            Json wrong) {
        Json json = Json::parse(toJson(value));
        json[Json::json_pointer(place)] = std::move(wrong);
        testing::expectError(ErrorKind::kInvalidInput, words,
                             [&] { fromJson<std::remove_cvref_t<decltype(value)>>(json.dump()); });
    };
    refused({"training", "unequal"}, someQuestion(), "/lengths/training/tokens", {1, 2, 3});
    refused({"tokens[0]"}, someQuestion(), "/lengths/training/tokens", {-1, 2});
    refused({"timeline.records", "hexadecimal"}, someAnswer(), "/timeline/records", "5250xy");
    refused({"trace records"}, someAnswer(), "/timeline/records", "5250");
    refused({"stages[0].stage.kind"}, someAnswer(), "/stages/0/stage/kind", 3);
    refused({"value.state"}, WorkbenchStatus{}, "/state", 99);
    refused({"value.question"}, PlanUpdate{}, "/question", -1);
    refused({"value.value", "none of"}, WorkbenchResult{}, "/value", {{"row", 1}});
}

} // namespace
} // namespace roundpipe::session
