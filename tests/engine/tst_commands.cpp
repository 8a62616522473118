// SPDX-License-Identifier: GPL-3.0-or-later
// Commands to a real run.
#include "runs/metrics_file.h"
#include "runs/training_state.h"
#include "small_run.h"

#include <algorithm>
#include <csignal>
#include <sys/resource.h>

namespace roundpipe::engine {
namespace {

// While it lives, no file of this process grows beyond a size, as on a disk that is full.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
};

class CommandsTest : public SmallRun {};

TEST_F(CommandsTest, aPauseHoldsTheStepsAndChangesNoLoss) {
    const std::vector<double> expected = undisturbed();
    ASSERT_EQ(expected.size(), static_cast<std::size_t>(kSteps));
    int64_t stepWhilePaused = 0;
    const std::vector<double> losses = run("paused", [&](int64_t step) {
        if (step != 2) return;
        m_engine->send({Kind::kPause});
        waitFor(RunState::kPaused);
        const session::Snapshot before = m_engine->snapshot();
        stepWhilePaused = before.step;
        std::this_thread::sleep_for(std::chrono::milliseconds(300)); // many steps' time
        EXPECT_EQ(m_engine->snapshot().step, stepWhilePaused);
        EXPECT_EQ(m_engine->snapshot().elapsedSeconds, before.elapsedSeconds);
        m_engine->send({Kind::kResume});
    });
    EXPECT_LT(stepWhilePaused, kSteps);
    EXPECT_EQ(losses, expected) << "to the last bit";
    EXPECT_EQ(state(), RunState::kFinished);
}

TEST_F(CommandsTest, savedNowARunGoesOnFromThere) {
    const std::vector<double> expected = undisturbed();
    const std::vector<double> first = run("saved", [&](int64_t step) {
        if (step == 1) m_engine->send({Kind::kSave});
        if (step == 4) m_engine->send({Kind::kStopAndDiscard}); // nothing newer is saved
    });
    const std::vector<RunEvent> saved = eventsOf(RunEvent::Kind::kCheckpointSaved);
    ASSERT_EQ(saved.size(), 1U) << "what was asked for alone";
    const int64_t step = saved[0].step;
    EXPECT_TRUE(saved[0].text.ends_with("checkpoints/last"));
    ASSERT_LT(step, kSteps);
    EXPECT_FALSE(exists("adapter"));

    const std::vector<double> rest = run("saved", {}, true);
    ASSERT_EQ(rest.size(), static_cast<std::size_t>(kSteps - step));
    EXPECT_EQ(rest, std::vector<double>(expected.begin() + step, expected.end())) << "to the last bit";
    EXPECT_TRUE(exists("adapter/adapter_model.safetensors"));
}

TEST_F(CommandsTest, validatingAndAnsweringBetweenStepsChangesNoLoss) {
    const std::vector<double> expected = undisturbed();
    const std::vector<double> losses = run("asked", [&](int64_t step) {
        if (step == 1) m_engine->send({Kind::kValidate});
        if (step == 2) m_engine->send({Kind::kSample, {"Who are you?", "Count to three."}});
        if (step == 4) m_engine->send({Kind::kPause});
        if (step == 4) m_engine->send({Kind::kSample, {"And now?"}});
        if (step == 4) m_engine->send({Kind::kValidate});
        if (step == 4) m_engine->send({Kind::kResume});
    });
    EXPECT_EQ(losses, expected) << "to the last bit";
    const auto answers = eventsOf(RunEvent::Kind::kSampleReady);
    ASSERT_EQ(answers.size(), 3U);
    EXPECT_EQ(answers[1].prompt, "Count to three.");
    EXPECT_TRUE(answers[0].tuned);
    EXPECT_GE(answers[0].step, 2);
    const auto validated = eventsOf(RunEvent::Kind::kValidated);
    ASSERT_EQ(validated.size(), 2U);
    EXPECT_GT(validated[0].validationLoss, 0);
    EXPECT_NE(validated[0].validationLoss, validated[1].validationLoss) << "steps lie between them";
}

// Which have versions of their own: the others stay as they were.
TEST_F(CommandsTest, modelsOfWhichSomeLayersAreTrainedAnswer) {
    m_spec.lora.targets = {"model.layers.0.self_attn.q_proj"};
    m_spec.duration.maxSteps = 2;
    m_prompts = {"Who are you?"};
    run("some");
    EXPECT_EQ(state(), RunState::kFinished);
    const auto answers = eventsOf(RunEvent::Kind::kSampleReady);
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_FALSE(answers[0].tuned);
    EXPECT_TRUE(answers[1].tuned);
}

TEST_F(CommandsTest, validatingWithoutRowsIsAWarning) {
    m_spec.data.validationFraction = 0;
    run("unvalidated", [&](int64_t step) {
        if (step == 1) m_engine->send({Kind::kValidate});
    });
    EXPECT_TRUE(eventsOf(RunEvent::Kind::kValidated).empty());
    ASSERT_EQ(eventsOf(RunEvent::Kind::kWarning).size(), 1U);
    EXPECT_NE(eventsOf(RunEvent::Kind::kWarning)[0].text.find("validation rows"), std::string::npos);
}

TEST_F(CommandsTest, whatIsSentAfterTheLastStepIsCarriedOut) {
    m_spec.duration.maxSteps = 2;
    m_prompts = {"Hello?"}; // so that there is time to ask
    run("late", [&](int64_t step) {
        if (step < 2) return;
        m_engine->send({Kind::kSample, {"Who are you?"}});
        m_engine->send({Kind::kValidate});
        m_engine->send({Kind::kPause});
        waitFor(RunState::kPaused);
        m_engine->send({Kind::kResume});
    });
    EXPECT_EQ(state(), RunState::kFinished);
    EXPECT_EQ(eventsOf(RunEvent::Kind::kValidated).size(), 1U);
    const auto answers = eventsOf(RunEvent::Kind::kSampleReady);
    ASSERT_EQ(answers.size(), 3U) << "before the first step, after the last one, as asked for";
    EXPECT_EQ(answers[2].prompt, "Who are you?");
    EXPECT_EQ(answers[2].step, 2);
}

TEST_F(CommandsTest, aPromptThatDoesNotFitTheModelIsAWarning) {
    std::string longPrompt;
    for (int i = 0; i < 400; ++i)
        longPrompt += "word ";
    run("asked too much", [&](int64_t step) {
        if (step == 1) m_engine->send({Kind::kSample, {longPrompt, "Caf\xe9?", "Who are you?"}});
    });
    EXPECT_EQ(state(), RunState::kFinished);
    const auto warnings = eventsOf(RunEvent::Kind::kWarning);
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_NE(warnings[0].text.find("the model has 256 positions"), std::string::npos) << warnings[0].text;
    EXPECT_NE(warnings[1].text.find("no UTF-8 from byte 4 on"), std::string::npos) << warnings[1].text;
    ASSERT_EQ(eventsOf(RunEvent::Kind::kSampleReady).size(), 1U);
    EXPECT_EQ(eventsOf(RunEvent::Kind::kSampleReady)[0].prompt, "Who are you?");
}

// Nothing of it was kept, so a new run may take its folder.
TEST_F(CommandsTest, aFolderOfADiscardedRunIsFree) {
    run("again", [&](int64_t step) {
        if (step == 1) m_engine->send({Kind::kStopAndDiscard});
    });
    EXPECT_EQ(state(), RunState::kStopped);
    EXPECT_TRUE(exists("metrics.jsonl"));
    m_spec.duration.maxSteps = 2;
    EXPECT_EQ(run("again").size(), 2U);
    EXPECT_EQ(state(), RunState::kFinished);
    const std::string curves = fileOf("metrics.jsonl");
    EXPECT_EQ(std::ranges::count(curves, '\n'), 2) << "none of the run before";
    EXPECT_EQ(errorOf("again", false), "holds the results of another run");
}

TEST_F(CommandsTest, discardingLeavesWhatWasSavedBeforeAndNothingNewer) {
    m_spec.output.saveEverySteps = 2;
    std::string saved;
    run("discarded", [&](int64_t step) {
        if (step != 3) return;
        m_engine->send({Kind::kPause});
        waitFor(RunState::kPaused);
        saved = fileOf("checkpoints/last/state.json");
        m_engine->send({Kind::kStopAndDiscard});
    });
    EXPECT_EQ(state(), RunState::kStopped);
    EXPECT_FALSE(saved.empty());
    EXPECT_EQ(fileOf("checkpoints/last/state.json"), saved);
    for (const char* name : {"adapter", "checkpoints/best", "trace.rptrace"})
        EXPECT_FALSE(exists(name)) << name;
}

// Neither what was saved before is lost nor the run.
TEST_F(CommandsTest, aDiskThatIsFullForAWhileEndsNothing) {
    m_spec.output.saveTrace = false; // a file of its own, with its own warning
    m_spec.output.saveEverySteps = 3;
    m_spec.output.evalEverySteps = 2;
    const std::vector<double> expected = undisturbed();
    std::optional<FullDisk> full;
    std::vector<double> losses = run("full", [&](int64_t step) {
        if (step == 4) {
            EXPECT_TRUE(isThereSoon("checkpoints/last")) << "a thread writes it";
            full.emplace(600); // less than a checkpoint, and soon less than the curves
        }
        if (step == 24) {
            const runs::RunFiles files{m_spec.output.folder};
            EXPECT_LT(runs::readTrainingState(files.lastCheckpoint()).step, 20);
            EXPECT_EQ(runs::damageOf(files.lastCheckpoint(), runs::LookAt::kBytes), "");
            EXPECT_TRUE(exists("checkpoints/best/adapter_model.safetensors"));
            EXPECT_TRUE(isGoneSoon("checkpoints/last.part")) << "half of it takes the room of others";
            full.reset();
        }
    });
    EXPECT_EQ(losses, expected) << "to the last bit";
    EXPECT_EQ(state(), RunState::kFinished);
    std::string warnings;
    for (const RunEvent& event : eventsOf(RunEvent::Kind::kWarning))
        warnings += event.text + '\n';
    for (const char* part : {"checkpoints/last' was not written after step", "checkpoints/best' was not written",
                             "the one before stays", "The curves are not written for now"})
        EXPECT_NE(warnings.find(part), std::string::npos) << part << " in\n" << warnings;
    const std::string curves = fileOf("metrics.jsonl");
    EXPECT_EQ(std::ranges::count(curves, '\n'), kSteps) << "those of then were written later";
    EXPECT_EQ(runs::readMetrics(std::filesystem::path(m_spec.output.folder) / "metrics.jsonl").size(),
              static_cast<std::size_t>(kSteps));
    EXPECT_EQ(runs::readTrainingState(std::filesystem::path(m_spec.output.folder) / "checkpoints/last").step, kSteps);
}

TEST_F(CommandsTest, aDiskThatIsFullAtTheEndIsAnErrorAndLosesNoCheckpoint) {
    m_spec.output.saveTrace = false;
    m_spec.output.saveEverySteps = 3;
    m_spec.output.folder = m_folder.path() / "late";
    std::optional<FullDisk> full;
    int64_t saved = 0; // after this many steps, the last time
    std::vector<RunEvent> errors;
    m_engine->start(m_spec, {}, false);
    for (bool over = false; !over;) {
        over = session::isOver(state());
        for (const RunEvent& event : m_engine->takeEvents()) {
            if (event.kind == RunEvent::Kind::kError) errors.push_back(event);
            if (event.kind != RunEvent::Kind::kCheckpointSaved) continue;
            saved = event.step;
            if (!full) full.emplace(600);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    m_engine->wait();
    full.reset();
    EXPECT_EQ(state(), RunState::kFailed);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].errorKind, ErrorKind::kIo);
    const std::string last = (std::filesystem::path(m_spec.output.folder) / "checkpoints/last").string();
    EXPECT_NE(errors[0].text.find("What was saved after step " + std::to_string(saved) + " stays in '" + last +
                                  "'; what was trained since is lost."),
              std::string::npos)
        << errors[0].text;
    EXPECT_NE(errors[0].advice.find("continue the run from that checkpoint"), std::string::npos) << errors[0].advice;
    EXPECT_LT(saved, kSteps);
    EXPECT_EQ(runs::readTrainingState(std::filesystem::path(m_spec.output.folder) / "checkpoints/last").step, saved);
}

TEST_F(CommandsTest, aRunThatCanSaveNothingSaysSo) {
    m_spec.output.saveTrace = false;
    m_spec.data.validationFraction = 0; // no best checkpoint either
    m_mayFail = true;
    std::optional<FullDisk> full;
    run("nothing", [&](int64_t step) {
        if (step == 2) full.emplace(600);
    });
    full.reset();
    EXPECT_EQ(state(), RunState::kFailed);
    ASSERT_EQ(eventsOf(RunEvent::Kind::kError).size(), 1U);
    const RunEvent error = eventsOf(RunEvent::Kind::kError)[0];
    for (const std::string& part : {std::string("Nothing of this run was kept"), "after step " + std::to_string(kSteps),
                                    "written to '" + m_spec.output.folder + "'", std::string("File too large")})
        EXPECT_NE(error.text.find(part), std::string::npos) << part << " in " << error.text;
    EXPECT_NE(error.advice.find("train in another folder"), std::string::npos) << error.advice;
    EXPECT_FALSE(exists("checkpoints/last"));
    EXPECT_FALSE(exists("adapter"));
}

TEST_F(CommandsTest, stoppingFromAPauseSaves) {
    run("stopped", [&](int64_t step) {
        if (step != 2) return;
        m_engine->send({Kind::kPause});
        waitFor(RunState::kPaused);
        m_engine->send({Kind::kStop});
    });
    EXPECT_EQ(state(), RunState::kStopped);
    EXPECT_TRUE(exists("checkpoints/last/state.json"));
    EXPECT_TRUE(exists("adapter/adapter_model.safetensors"));
}

TEST_F(CommandsTest, snapshotTellsOfMemoryAndLinks) {
    session::Snapshot seen;
    run("watched", [&](int64_t step) {
        if (step != 2) return;
        m_engine->send({Kind::kPause});
        waitFor(RunState::kPaused);
        std::this_thread::sleep_for(std::chrono::milliseconds(1100)); // it looks once a second
        seen = m_engine->snapshot();
        m_engine->send({Kind::kResume});
    });
    ASSERT_EQ(seen.machine.devices.size(), 2U);
    for (const session::DeviceStatus& device : seen.machine.devices) {
        EXPECT_GT(device.usedBytes, 0);
        EXPECT_GE(device.peakBytes, device.usedBytes);
        EXPECT_LT(device.peakBytes, device.totalBytes);
        EXPECT_FALSE(device.gpu.has_value()) << "a CPU worker";
    }
    const session::HostStatus& host = seen.machine.host;
    EXPECT_GT(host.processBytes, 1 << 20);
    EXPECT_LT(host.processBytes, host.totalBytes);
    EXPECT_GT(host.availableBytes, 0);
    EXPECT_EQ(host.pinnedBytes, 0) << "no GPU";
}

} // namespace
} // namespace roundpipe::engine
