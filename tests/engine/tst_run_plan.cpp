// SPDX-License-Identifier: GPL-3.0-or-later
// What a run measures of its layers is what the next plan of that run goes by.
#include "base/file.h"
#include "device/machine/kept_rig.h"
#include "device/open_devices.h"
#include "engine/engine.h"
#include "engine/run_plan.h"
#include "engine/workload.h"
#include "plan/cost/profile_store.h"
#include "plan/rig/rig_file.h"
#include "session/planning/plan_answer.h"
#include "testing/fixtures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace roundpipe::engine {
namespace {

class RunPlanTest : public ::testing::Test {
protected:
    RunPlanTest() {
        ::setenv("XDG_CACHE_HOME", m_folder.path().c_str(), 1); // where profiles go
        const std::filesystem::path demo = testing::sourceFolder() / "resources/demo";
        m_spec.model.path = (demo / "model").string();
        m_spec.data.datasets[0].files = {(demo / "data/instructions.jsonl").string()};
        m_spec.data.maxLength = 64;
        m_spec.batch.microbatchSize = 1;
        m_spec.batch.microbatches = 4;
        m_spec.duration.maxSteps = 3;
        m_spec.engine.devices = {"cpu:2"};
        m_spec.output.folder = (m_folder.path() / "run").string();
        m_spec.output.saveTrace = false;
    }

    // On a device that is far slower than any estimate: else it were a matter of chance whether a run as short as this
    // one is better predicted by what it measured, which is kept only then.
    void train(bool resume = false) {
        const auto engine = makeEngine([](const trace::Record& span) {
            if (trace::isCompute(span.kind)) std::this_thread::sleep_for(std::chrono::milliseconds(160));
        });
        engine->start(m_spec, {}, resume);
        engine->wait();
        for (const session::RunEvent& event : engine->takeEvents())
            ASSERT_NE(event.kind, session::RunEvent::Kind::kError) << event.text;
    }

    void expectRefused(const char* why) {
        const auto engine = makeEngine();
        engine->start(m_spec, {}, false);
        engine->wait();
        std::string error;
        for (const session::RunEvent& event : engine->takeEvents())
            if (event.kind == session::RunEvent::Kind::kError) error += event.text;
        EXPECT_NE(error.find(why), std::string::npos) << error;
    }

    session::PlanAnswer answerFor(const session::RunLengths& lengths) const {
        session::PlanQuestion question;
        question.spec = m_spec;
        question.lengths = lengths;
        return session::answer(question, plan::loadRig("2xcpu,ram=16"));
    }

    session::RunLengths countedLengths() const {
        return lengthsOf(
            loadDataset(m_spec, openModelText(m_spec.model.path, {}), [](const session::Activity&) { return true; }));
    }

    void expectItsTimesAreFound() {
        const session::RunLengths lengths = countedLengths();
        EXPECT_EQ(answerFor(lengths).timesFrom, "CPU worker: estimated.");
        train();
        expectFound(answerFor(lengths), "measured (run).");
        expectFound(answerFor({}), "measured (run of other lengths).");
    }
    static void expectFound(const session::PlanAnswer& answer, const char* source) {
        EXPECT_NE(answer.timesFrom.find(source), std::string::npos) << answer.timesFrom;
    }

    testing::TemporaryFolder m_folder;
    session::RunSpec m_spec;
};

TEST_F(RunPlanTest, findsTheTimesThatTheRunBeforeMeasured) {
    const session::RunLengths lengths = countedLengths();
    ASSERT_LT(lengths.training->trainedShare(), 0.9); // a share of all would find them by chance
    expectItsTimesAreFound();
    session::RunLengths others;
    others.averageLength = 3;
    EXPECT_EQ(answerFor(others).timesFrom, "CPU worker: estimated.");
    m_spec.lora.rank = 8;
    EXPECT_EQ(answerFor(lengths).timesFrom, "CPU worker: estimated.");
}

TEST_F(RunPlanTest, findsTheTimesOfStepsOfSoManyTokens) {
    m_spec.batch.microbatchSize = 2;
    m_spec.batch.tokensPerStep = 512;
    expectItsTimesAreFound();
    m_spec.batch.tokensPerStep = 500; // no whole number of examples of 64 tokens
    m_spec.lora.rank = 4;             // which nothing was measured of
    m_spec.output.folder += "-other";
    expectItsTimesAreFound();
}

TEST_F(RunPlanTest, findsTheTimesOfPackedMicrobatches) {
    m_spec.batch.packing = Packing::kBestFit;
    expectItsTimesAreFound();
    m_spec.batch.microbatchTokens = 200;
    m_spec.output.folder += "-other";
    expectItsTimesAreFound();
}

// What the plan has chosen is what the run does, and what its file says from then on, wherever it goes on.
TEST_F(RunPlanTest, runsTheMicrobatchesThatAPlanChooses) {
    m_spec.batch.microbatches = 0;
    m_spec.duration.maxSteps = 2;
    const session::PlanAnswer planned = answerFor(countedLengths());
    train();
    const std::filesystem::path file = std::filesystem::path(m_spec.output.folder) / "run.json";
    const int64_t ran = session::readRunSpec(file).batch.microbatches;
    EXPECT_EQ(ran, planned.choice.shape.roundSize);
    EXPECT_EQ(answerFor(countedLengths()).choice.shape.roundSize, ran) << "measured times choose no others";

    m_spec.output.folder += "-other"; // as if it had been begun on another machine, which chose three
    m_spec.batch.microbatches = 3;
    train();
    m_spec.batch.microbatches = 0;
    m_spec.duration.maxSteps = 4;
    train(true);
    const std::filesystem::path other = std::filesystem::path(m_spec.output.folder) / "run.json";
    EXPECT_EQ(session::readRunSpec(other).batch.microbatches, 3);
}

// Where a plan was made of this machine, a run is made of the same rig, and not of what such devices usually are.
TEST_F(RunPlanTest, isMadeForTheRigThatWasMeasured) {
    const auto devices = device::openDevices(m_spec.engine.devices, {});
    plan::Rig measured = rigOf(devices, 0);
    measured.host.memoryBytesPerSecond = 3e9;
    measured.devices[1].matrixFlops /= 2;
    measured.links[0].upBytesPerSecond = 5e9;
    device::keepRig(devices, measured);
    const plan::Rig found = rigOf(devices, 0);
    EXPECT_NEAR(found.host.memoryBytesPerSecond, 3e9, 1e4);
    EXPECT_NEAR(found.devices[1].matrixFlops, measured.devices[1].matrixFlops, 1e-5 * measured.devices[1].matrixFlops);
    EXPECT_NEAR(found.links[0].upBytesPerSecond, 5e9, 1e4);
    const auto one = device::openDevices({"cpu"}, {});
    EXPECT_GT(rigOf(one, 0).host.memoryBytesPerSecond, 3.1e9) << "other devices";
    for (const auto& file : std::filesystem::recursive_directory_iterator(plan::profileFolder()))
        if (file.is_regular_file()) writeFileAtomically(file.path(), "{");
    EXPECT_GT(rigOf(devices, 0).host.memoryBytesPerSecond, 3.1e9) << "a damaged file is none";
}

// Copies the demo's model, with a head beside it that is another one than the embedding: only who reads the weights
// finds that.
std::filesystem::path modelOfTwoHeads(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::filesystem::copy(from, to);
    const std::string file = readTextFile(from / "model.safetensors");
    uint64_t headerBytes = 0;
    std::memcpy(&headerBytes, file.data(), sizeof headerBytes);
    const std::string values = file.substr(sizeof headerBytes + headerBytes);
    constexpr int64_t kRows = 2560, kColumns = 192, kBytes = 2 * kRows * kColumns;
    std::string header = file.substr(sizeof headerBytes, headerBytes);
    header.replace(header.rfind('}'), std::string::npos,
                   fmt::format(R"(,"lm_head.weight":{{"dtype":"BF16","shape":[{},{}],"data_offsets":[{},{}]}}}})",
                               kRows, kColumns, values.size(), std::ssize(values) + kBytes));
    headerBytes = header.size();
    const std::string length(reinterpret_cast<const char*>(&headerBytes), sizeof headerBytes);
    writeFileAtomically(to / "model.safetensors", length + header + values + std::string(kBytes, '\0'));
    return to;
}

// Weights may take minutes.
TEST_F(RunPlanTest, isRefusedBeforeWeightsAreRead) {
    m_spec.model.path = modelOfTwoHeads(m_spec.model.path, m_folder.path() / "two heads").string();
    expectRefused("lm_head");
    m_spec.engine.devices = {"cpu:2@0.004GiB"};
    m_spec.output.folder += "-other";
    expectRefused("devices 0 to 1 (CPU worker) need");
}

// So many that the last step of an epoch is a short one.
TEST_F(RunPlanTest, trainsWhateverIsLeftForTheLastStep) {
    m_spec.batch.microbatchSize = 2;
    const std::string allRows = readTextFile(m_spec.data.datasets[0].files[0]);
    for (const int numRows : {20, 21, 26}) {
        std::size_t end = 0;
        for (int i = 0; i < numRows; ++i)
            end = allRows.find('\n', end) + 1;
        const std::filesystem::path rows = m_folder.path() / fmt::format("{}.jsonl", numRows);
        writeFileAtomically(rows, allRows.substr(0, end));
        m_spec.data.datasets[0].files = {rows.string()};
        m_spec.output.folder = (m_folder.path() / fmt::format("run {}", numRows)).string();
        train();
        expectFound(answerFor(countedLengths()), "measured (run).");
    }
}

} // namespace
} // namespace roundpipe::engine
