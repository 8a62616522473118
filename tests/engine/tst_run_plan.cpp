// What a run measures of its layers is what the next plan of that run goes by.
#include "engine/engine.h"
#include "engine/workload.h"
#include "plan/rig/rig_file.h"
#include "session/plan_answer.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cstdlib>

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
        m_spec.duration.maxSteps = 3;
        m_spec.engine.devices = {"cpu:2"};
        m_spec.output.folder = (m_folder.path() / "run").string();
        m_spec.output.saveTrace = false;
    }

    void train() {
        const auto engine = makeEngine();
        engine->start(m_spec, {});
        engine->wait();
        for (const session::RunEvent& event : engine->takeEvents())
            ASSERT_NE(event.kind, session::RunEvent::Kind::kError) << event.text;
    }

    session::PlanAnswer answerFor(const session::RunLengths& lengths) const {
        session::PlanQuestion question;
        question.spec = m_spec;
        question.lengths = lengths;
        return session::answer(question, plan::loadRig("2xcpu,ram=16"));
    }

    session::RunLengths countedLengths() const {
        const data::Dataset dataset =
            loadDataset(m_spec, openModelText(m_spec.model.path, {}), [](const std::string&) { return true; });
        return {std::make_shared<const batch::ExampleLengths>(dataset.training().lengths()),
                std::make_shared<const batch::ExampleLengths>(dataset.validation().lengths())};
    }

    testing::TemporaryFolder m_folder;
    session::RunSpec m_spec;
};

TEST_F(RunPlanTest, findsTheTimesThatTheRunBeforeMeasured) {
    const session::RunLengths lengths = countedLengths();
    ASSERT_LT(lengths.training->trainedShare(), 0.9); // a share of all would find them by chance
    EXPECT_EQ(answerFor(lengths).timesFrom, "CPU worker: estimated.");
    train();
    EXPECT_NE(answerFor(lengths).timesFrom.find("measured (run)"), std::string::npos) << answerFor(lengths).timesFrom;
    EXPECT_NE(answerFor({}).timesFrom.find("measured (run of other lengths)"), std::string::npos);
    session::RunLengths others;
    others.averageLength = 3;
    EXPECT_EQ(answerFor(others).timesFrom, "CPU worker: estimated.");
    m_spec.lora.rank = 8;
    EXPECT_EQ(answerFor(lengths).timesFrom, "CPU worker: estimated.");
}

} // namespace
} // namespace roundpipe::engine
