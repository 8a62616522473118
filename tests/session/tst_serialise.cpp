// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/run_spec_fields.h"
#include "survives.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace roundpipe::session {
namespace {

using Json = nlohmann::json;

// Values with no field as it is by default: survives() checks that.
StepMetrics someMetrics() {
    return {3, 0.1, 2.25, 1e-4, 0.75, 4096, 1234, 1.0 / 3, 8192, true};
}

GpuReading someReading() {
    return {int64_t{7} << 30, 71, 312.5, 450.0, 2520, 10501, 0.95, 4, 8};
}

RunPlan somePlan() {
    RunPlan plan;
    plan.plan.numLayers = 6;
    plan.plan.forward = {{1, 2}, {2, 4}};
    plan.plan.fused = {4, 6};
    plan.plan.backward = {{1, 4}};
    plan.plan.deviceTable = {DeviceId(1), DeviceId(0)};
    plan.plan.tableRestarts = true;
    plan.plan.resident = {{true, false}, {false, true}};
    plan.plan.replicas = 2;
    plan.plan.prefetchDepth = 2;
    plan.plan.keepsPackets = true;
    using geometry::Saving;
    plan.plan.saving = {Saving::kAll,         Saving::kInput,         Saving::kWithoutGateUp,
                        {Saving::kAll, true}, {Saving::kInput, true}, {Saving::kWithoutGateUp, true}};
    plan.layerNames = {"embedding", "block \"0\"\n"};
    plan.layerBytes = {int64_t{1} << 40, 2};
    plan.devices = {{"cuda:0 NVIDIA GeForce RTX 4090", true, 24}};
    plan.lanes = {{LaneId(3), DeviceId(2), trace::LaneRole::kSession, "Host session"}};
    plan.model = {"Qwen3", 28, 8, 2, 2048, 1700, 4096};
    plan.isSimulated = true;
    plan.numTrainableParameters = 11;
    plan.numExamples = 12;
    plan.numValidationExamples = 13;
    plan.numDroppedRows = 14;
    plan.totalSteps = 15;
    plan.stepsDone = 16;
    plan.tokensPerEpoch = 17;
    plan.trainedTokensPerEpoch = 18;
    return plan;
}

Snapshot someSnapshot() {
    Snapshot snapshot;
    snapshot.state = RunState::kPaused;
    snapshot.step = 5;
    snapshot.totalSteps = 6;
    snapshot.epoch = 0.7;
    snapshot.last = someMetrics();
    snapshot.tokensPerSecond = 8.5;
    snapshot.elapsedSeconds = 9.5;
    snapshot.remainingSeconds = 10.5;
    snapshot.remainingErrorSeconds = 0.5;
    snapshot.activities = {Activity(ActivityCode::kAnswering, "ünïcödé · \"4\""), Activity(ActivityCode::kPlanning)};
    snapshot.pending = {Command::Kind::kSave, Command::Kind::kStopAndDiscard};
    snapshot.isPaused = true;
    snapshot.machine.devices = {{1, 2, 3, {4.5, 5.5}, someReading()}};
    snapshot.machine.host = {6, 7, 8, 9};
    return snapshot;
}

RunEvent someEvent() {
    RunEvent event;
    event.kind = RunEvent::Kind::kSampleReady;
    event.state = RunState::kAnswering;
    event.plan = std::make_shared<const RunPlan>(somePlan());
    event.metrics = someMetrics();
    event.step = 4;
    event.validationLoss = 1.5;
    event.text = "answer";
    event.coded = {RunText(RunTextCode::kSimulated, "2x4090")};
    event.advice = "do this";
    event.errorKind = ErrorKind::kNoSpace;
    event.prompt = "question";
    event.tuned = true;
    return event;
}

RunJob someJob() {
    RunJob job;
    for (const Field& field : runSpecFields()) {
        FieldValue value = field.get(RunSpec{});
        if (auto* flag = std::get_if<bool>(&value)) *flag = !*flag;
        if (auto* real = std::get_if<double>(&value)) *real = *real / 2 + 0.05;
        if (auto* texts = std::get_if<std::vector<std::string>>(&value))
            *texts = field.choices.empty() ? std::vector<std::string>{"/a", "/b c"} : field.choices;
        if (auto* whole = std::get_if<int64_t>(&value); whole && field.key != "version") *whole += 3;
        field.set(job.spec, value);
    }
    job.samplePrompts = {"Who are you?"};
    job.resume = true;
    job.acceptsChanges = true;
    job.trainsOn = true;
    return job;
}

TEST(Serialise, everyFieldOfEveryValueSurvives) {
    survives(someMetrics(), StepMetrics{});
    RunPlan plan;
    plan.devices = {DeviceInfo{}};
    plan.lanes = {trace::Lane{}};
    plan.plan.forward = {plan::LayerRange{}};
    plan.plan.backward = {plan::LayerRange{}};
    survives(somePlan(), plan);
    Snapshot snapshot;
    snapshot.last = StepMetrics{};
    snapshot.activities = {Activity()};
    snapshot.machine.devices = {DeviceStatus{0, 0, 0, {}, GpuReading{}}};
    survives(someSnapshot(), snapshot);
    RunEvent event;
    event.plan = std::make_shared<const RunPlan>(plan);
    event.coded = {RunText()};
    survives(someEvent(), event);
    survives(Command{Command::Kind::kSample, {"One?", "Two?"}}, Command{});
}

TEST(Serialise, aJobCarriesTheWholeSpec) {
    const RunJob job = someJob();
    const RunJob again = fromJson<RunJob>(toJson(job));
    EXPECT_EQ(toJson(again.spec), toJson(job.spec));
    EXPECT_NE(toJson(again.spec), toJson(RunSpec{}));
    EXPECT_EQ(again.samplePrompts, job.samplePrompts);
    EXPECT_TRUE(again.resume);
    EXPECT_TRUE(again.acceptsChanges);
    EXPECT_TRUE(again.trainsOn);
    EXPECT_FALSE(fromJson<RunJob>(toJson(RunJob{})).resume);
}

// A few by hand, so that writing and reading can't be wrong alike.
TEST(Serialise, readsWhatIsWritten) {
    const Snapshot snapshot = fromJson<Snapshot>(toJson(someSnapshot()));
    EXPECT_EQ(snapshot.state, RunState::kPaused);
    EXPECT_EQ(snapshot.pending.at(1), Command::Kind::kStopAndDiscard);
    EXPECT_TRUE(snapshot.isPaused);
    EXPECT_EQ(snapshot.last->seconds, 1.0 / 3) << "to the last bit";
    EXPECT_EQ(snapshot.machine.devices.at(0).gpu->powerWatts, 312.5);
    EXPECT_EQ(snapshot.machine.host.availableBytes, 8);
    const RunEvent event = fromJson<RunEvent>(toJson(someEvent()));
    EXPECT_EQ(event.errorKind, ErrorKind::kNoSpace);
    EXPECT_EQ(event.plan->plan.backward.at(0), (plan::LayerRange{1, 4}));
    EXPECT_EQ(event.plan->plan.deviceTable.at(0), DeviceId(1));
    EXPECT_TRUE(event.plan->plan.resident.at(1).at(1));
    EXPECT_EQ(event.plan->lanes.at(0).role, trace::LaneRole::kSession);
    EXPECT_EQ(event.plan->layerBytes.at(0), int64_t{1} << 40);
    EXPECT_EQ(fromJson<Command>(R"({"kind": "sample", "prompts": ["Who?"]})").prompts.at(0), "Who?");
}

TEST(Serialise, whatIsNotThereStaysSo) {
    const Snapshot plain = fromJson<Snapshot>(toJson(Snapshot{}));
    EXPECT_FALSE(plain.last.has_value());
    EXPECT_FALSE(plain.remainingSeconds.has_value());
    EXPECT_EQ(fromJson<RunEvent>(toJson(RunEvent{})).plan, nullptr);
    Snapshot onCpu;
    onCpu.machine.devices = {{1, 2, 3, {}, std::nullopt}};
    EXPECT_FALSE(fromJson<Snapshot>(toJson(onCpu)).machine.devices.at(0).gpu.has_value());
}

TEST(Serialise, aLossThatIsNoNumberCrosses) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    StepMetrics metrics = someMetrics();
    metrics.loss = std::nan("");
    metrics.gradNorm = kInfinity;
    metrics.validationLoss = -kInfinity;
    const StepMetrics again = fromJson<StepMetrics>(toJson(metrics));
    EXPECT_TRUE(std::isnan(again.loss));
    EXPECT_EQ(again.gradNorm, kInfinity);
    EXPECT_EQ(again.validationLoss, -kInfinity);
}

// A path may be any bytes, and stands in messages.
TEST(Serialise, textsThatAreNoUtf8Cross) {
    RunJob job;
    job.spec.model.path = "/models/Caf\xe9";
    job.spec.data.datasets.front().files = {"/data/Caf\xe9/rows.jsonl", "/data/Café.jsonl"};
    job.samplePrompts = {"\xff\xfe"};
    const RunJob again = fromJson<RunJob>(toJson(job));
    EXPECT_EQ(again.spec.model.path, job.spec.model.path);
    EXPECT_EQ(again.spec.data.datasets.front().files, job.spec.data.datasets.front().files);
    EXPECT_EQ(again.samplePrompts, job.samplePrompts);
    RunEvent event;
    event.text = "Cannot open '/data/Caf\xe9'";
    EXPECT_EQ(fromJson<RunEvent>(toJson(event)).text, event.text);
    const WorkbenchResult failed{1, LookupFailed{"'\xe9' is gone", ""}};
    EXPECT_EQ(std::get<LookupFailed>(fromJson<WorkbenchResult>(toJson(failed)).value).problem, "'\xe9' is gone");
    EXPECT_FALSE(Json::parse(toJson(job)).is_discarded());
}

TEST(Serialise, aSpecCrossesInTheNewestVersionAndWithNumbersAlone) {
    RunJob job;
    job.spec.version = 1;
    EXPECT_EQ(fromJson<RunJob>(toJson(job)).spec.version, RunSpec{}.version);
    job.spec.optimizer.learningRate = std::numeric_limits<double>::infinity();
    testing::expectError(ErrorKind::kInvalidInput, {"optimizer.learning_rate"}, [&] { fromJson<RunJob>(toJson(job)); });
}

TEST(Serialise, refusesWhatItDoesNotKnow) {
    const auto refused = [](std::initializer_list<std::string> words, const char* json) {
        testing::expectError(ErrorKind::kInvalidInput, words, [&] { fromJson<Command>(json); });
    };
    refused({"no JSON"}, "{");
    refused({"no object"}, "[]");
    refused({"value.kind", "'halt'"}, R"({"kind": "halt", "prompts": []})");
    refused({"value.prompts[1]"}, R"({"kind": "sample", "prompts": ["a", 2]})");
    refused({"not known"}, R"({"kind": "stop", "prompts": [], "loudly": true})");
    Json event = Json::parse(toJson(RunEvent{}));
    event["error_kind"] = 99;
    testing::expectError(ErrorKind::kInvalidInput, {"error_kind"}, [&] { fromJson<RunEvent>(event.dump()); });
}

TEST(Serialise, refusesWhatIsNestedWithoutAnEnd) {
    const std::string deep =
        R"({"spec": )" + std::string(8'000'000, '[') + std::string(8'000'000, ']') +
        R"(, "sample_prompts": [], "resume": false, "accepts_changes": false, "trains_on": false})";
    testing::expectError(ErrorKind::kInvalidInput, {"nested"}, [&] { fromJson<RunJob>(deep); });
}

TEST(Serialise, everySpellingComesBack) {
    for (const char* name : spellings(RunState{}))
        EXPECT_STREQ(spellingOf(*fromSpelling<RunState>(name)), name);
    EXPECT_STREQ(spellingOf(RunState::kFailed), "failed");
    EXPECT_STREQ(spellingOf(RunEvent::Kind::kError), "error");
    EXPECT_STREQ(spellingOf(Command::Kind::kStopAndDiscard), "stop-and-discard");
}

TEST(Serialise, recordsCrossAsABlock) {
    trace::Record record;
    unsigned char value = 1;
    for (std::size_t i = 0; i < sizeof record; ++i)
        reinterpret_cast<unsigned char*>(&record)[i] = value++;
    record.kind = trace::Kind::kOptimizer;
    record.reason = trace::IdleReason::kPause;
    record.isGradient = true;
    const std::vector<trace::Record> records = {record, trace::Record{}, record};
    const std::string block = packRecords(records);
    EXPECT_EQ(block.size(), 8 + 3 * sizeof record);
    std::vector<trace::Record> none;
    unpackRecords(packRecords({}), none); // a sanitizer sees what it would copy to
    EXPECT_TRUE(none.empty());
    std::vector<trace::Record> out(1);
    unpackRecords(block, out);
    ASSERT_EQ(out.size(), 4U);
    EXPECT_EQ(std::memcmp(out.data() + 1, records.data(), 3 * sizeof record), 0);
    unpackRecords(packRecords({}), out);
    EXPECT_EQ(out.size(), 4U);
    for (const std::string& bad : {std::string(), block.substr(0, 7), block.substr(0, block.size() - 1), "x" + block,
                                   std::string("RPTR") + std::string(4, '\0')})
        testing::expectError(ErrorKind::kInvalidInput, {"trace records"}, [&] { unpackRecords(bad, out); });
    for (const std::size_t field :
         {offsetof(trace::Record, kind), offsetof(trace::Record, reason), offsetof(trace::Record, isGradient)}) {
        std::string unknown = block;
        unknown[8 + sizeof record + field] = 99;
        testing::expectError(ErrorKind::kInvalidInput, {"trace records", "kind"}, [&] { unpackRecords(unknown, out); });
    }
    EXPECT_EQ(out.size(), 4U);
}

} // namespace
} // namespace roundpipe::session
