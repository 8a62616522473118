// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that meet with accidents: what is lost of them, and what is said. Kills and faults of the disk have a script of
// their own (tests/crash).
#include "base/error.h"
#include "runs/metrics_file.h"
#include "runs/own_folders.h"
#include "runs/run_library.h"
#include "runs/run_lock.h"
#include "runs/stored_run.h"
#include "runs/training_state.h"
#include "safe_run.h"

#include <algorithm>

namespace roundpipe::engine {
namespace {

class SafetyTest : public SafeRun {};

TEST_F(SafetyTest, keepsAsManyCheckpointsAsItIsTold) {
    m_spec.output.keepCheckpoints = 3;
    run("kept");
    EXPECT_EQ(runs::earlierCheckpoints(files()), (std::vector<std::string>{"step-6", "step-9"}));
    EXPECT_EQ(runs::readTrainingState(files().lastCheckpoint()).step, 12);
    for (const char* const part : {"begun 0 ", "checkpoint 3 checkpoints/last", "checkpoint 12 checkpoints/last",
                                   "result 12 adapter", "ended 12 finished"})
        expectIn(part, journal());
    m_spec.output.keepCheckpoints = 1;
    run("alone");
    EXPECT_TRUE(runs::earlierCheckpoints(files()).empty());
}

TEST_F(SafetyTest, savesByTheClock) {
    m_spec.output.saveEverySteps = 0;
    m_spec.output.keepCheckpoints = 1000;
    m_spec.data.validationFraction = 0;
    m_spec.duration.maxSteps = 60;
    run("by hand");
    EXPECT_TRUE(runs::earlierCheckpoints(files()).empty()) << "ten minutes";
    m_spec.output.saveEveryMinutes = 1e-4;
    const std::vector<double> losses = run("by the clock");
    EXPECT_FALSE(runs::earlierCheckpoints(files()).empty());
    EXPECT_EQ(losses.size(), 60U);
}

TEST_F(SafetyTest, aDamagedCheckpointIsPassedOverInWords) {
    const std::vector<double> expected = undisturbed();
    run("damaged", [&](int64_t step) {
        if (step == 7) m_engine->send({Kind::kStop});
    });
    const int64_t stopped = runs::readTrainingState(files().lastCheckpoint()).step;
    const fs::path weights = files().lastCheckpoint() / "adapter_model.safetensors";
    damage(weights);
    const std::vector<double> rest = resumed("damaged");
    expectIn("A newer checkpoint is damaged and was passed over: '" + weights.string() + "'", warnings());
    ASSERT_GT(rest.size(), expected.size() - static_cast<std::size_t>(stopped));
    EXPECT_EQ(rest, std::vector<double>(expected.end() - std::ssize(rest), expected.end())) << "to the last bit";

    for (const fs::path& checkpoint : {files().lastCheckpoint(), files().bestCheckpoint()})
        damage(checkpoint / "adapter_model.safetensors");
    for (const std::string& name : runs::earlierCheckpoints(files()))
        damage(files().checkpoints() / name / "adapter_model.safetensors");
    m_mayFail = true;
    resumed("damaged");
    expectIn("cannot go on from", error());
    expectIn("adapter_model.safetensors", error());
}

TEST_F(SafetyTest, whatHasChangedIsRefusedAndNamedOrAccepted) {
    fs::copy(m_spec.data.datasets.front().files.front(), m_folder.path() / "rows.jsonl");
    m_spec.data.datasets.front().files = {(m_folder.path() / "rows.jsonl").string()};
    run("changed");
    m_spec.duration.maxSteps = 16; // that is no change
    m_mayFail = true;
    const session::RunSpec before = m_spec;
    const std::string written = journal();
    const auto refusedFor = [&](const std::string& part) {
        EXPECT_TRUE(resumed("changed").empty()) << part;
        EXPECT_EQ(state(), RunState::kFailed);
        expectIn(part, error());
        expectIn("--accept-changes", error());
        EXPECT_EQ(runs::readRun(files().folder).outcome, runs::RunOutcome::kFinished)
            << "it stands as it did: " << part;
        EXPECT_EQ(journal(), written) << part;
        m_spec = before;
    };
    m_spec.seed = 43;
    refusedFor("'seed' was 42 and is 43.");
    m_spec.batch.microbatches = 1;
    refusedFor("'batch.microbatches' was 2 and is 1.");
    m_spec.data.maxLength = 32;
    refusedFor("'data.max_length' was 64 and is 32.");
    m_spec.seed = 43;
    m_spec.lora.alpha = 7;
    m_spec.data.maxLength = 32;
    EXPECT_TRUE(resumed("changed").empty());
    for (const char* const part : {"'seed' was 42", "'lora.alpha' was ", "'data.max_length' was 64"})
        expectIn(part, error()); // all at once
    m_spec = before;
    const std::string rows = readTextFile(m_folder.path() / "rows.jsonl");
    std::ofstream(m_folder.path() / "rows.jsonl") << rows.substr(rows.find('\n') + 1);
    refusedFor("A file of rows");
    EXPECT_EQ(resumed("changed", true).size(), 4U);
    EXPECT_EQ(state(), RunState::kFinished);
    expectIn("The run goes on though something has changed since its checkpoint: The rows are other ones", warnings());
    std::ofstream(m_folder.path() / "rows.jsonl") << rows;

    m_spec.duration.maxSteps = 18;
    const fs::path config = fs::path(m_spec.model.path) / "config.json";
    const std::string was = readTextFile(config);
    writeFileAtomically(config, was + " ");
    EXPECT_TRUE(resumed("changed").empty());
    expectIn("config.json' is another one than it was", error());
    writeFileAtomically(config, was);
    m_spec.data.datasets.front().files = {(m_folder.path() / "moved.jsonl").string()};
    fs::rename(m_folder.path() / "rows.jsonl", m_folder.path() / "moved.jsonl");
    EXPECT_TRUE(resumed("changed").empty());
    expectIn("The rows are other ones", error()); // it was told to go on with other ones
}

// Else the checkpoint would be called damaged.
TEST_F(SafetyTest, otherTensorsThanWereTrainedAreRefusedWhateverIsAccepted) {
    run("changed");
    m_mayFail = true;
    const session::RunSpec before = m_spec;
    const auto refusedFor = [&](const std::string& part) {
        for (const bool accepts : {false, true}) {
            EXPECT_TRUE(resumed("changed", accepts).empty()) << part;
            expectIn("The run cannot go on with what it has trained. " + part, error());
            EXPECT_EQ(error().find("--accept-changes"), std::string::npos) << error();
        }
        m_spec = before;
    };
    m_spec.lora.rank = 8;
    refusedFor("'lora.rank' was 16 and is 8.");
    m_spec.lora.targets = {"q_proj"};
    refusedFor("'lora.targets' was all-linear and is q_proj.");
    m_spec.lora.modulesToSave = {"norm"};
    refusedFor("'lora.modules_to_save' was empty and is norm.");
}

TEST_F(SafetyTest, aRunWithoutACheckpointStartsOver) {
    const std::vector<double> expected = undisturbed();
    m_spec.data.validationFraction = 0.02;
    run("young", [&](int64_t step) {
        if (step == 1) m_engine->send({Kind::kStopAndDiscard});
    });
    fs::remove_all(files().checkpoints());
    EXPECT_EQ(resumed("young"), expected);
    expectIn("starts from its beginning", warnings());
    EXPECT_EQ(resumed("killed before it made its folder"), expected);
    expectIn("starts from its beginning", warnings());
    m_mayFail = true;
    fs::create_directories(m_folder.path() / "another");
    writeFileAtomically(m_folder.path() / "another/notes.txt", "precious");
    resumed("another");
    expectIn("holds no run to go on with", error());
    EXPECT_FALSE(exists("checkpoints")) << "nothing is made in a folder of others";
}

// No number is found: fp16 ends at 65,504, which adapters reach that move by ten a step.
class Diverging : public SafetyTest {
protected:
    Diverging() {
        m_spec.engine.precision = Precision::kFp16;
        m_spec.optimizer.warmupSteps = 0;
        m_spec.optimizer.warmupRatio = 0;
        m_spec.duration.maxSteps = 20;
        m_spec.data.validationFraction = 0;
        m_spec.optimizer.learningRate = 10;
        m_mayFail = true;
    }
};

TEST_F(Diverging, endsInWordsAfterThreeStepsAndIsSaved) {
    run("diverging");
    EXPECT_EQ(state(), RunState::kFailed);
    expectIn("3 steps in a row", error());
    expectIn("not finite", error());
    expectIn("was skipped: values of its gradients", warnings());
    const int64_t last = runs::readTrainingState(files().lastCheckpoint()).step;
    EXPECT_EQ(last, m_engine->snapshot().step) << "what there was";
    expectIn("skipped " + std::to_string(last - 1), journal()); // the last one was under way when it was clear
    expectIn("ended " + std::to_string(last) + " failed", journal());
}

TEST_F(Diverging, goesBackWhereItIsToldTo) {
    m_spec.optimizer.warmupSteps = 400; // so that it is well for some steps
    m_spec.duration.maxSteps = 120;
    m_spec.output.saveEverySteps = 1;
    m_spec.output.keepCheckpoints = 1000;
    m_spec.optimizer.whenDiverging = WhenDiverging::kRollBack;
    run("back");
    expectIn("the run went back to the weights of step", warnings());
    expectIn("remedy", journal());
    // With such a rate it must diverge again.
    EXPECT_EQ(state(), RunState::kFailed);
    expectIn("The run diverged up to step", error());
}

TEST_F(Diverging, goesBackToNoOtherRunsCheckpoint) {
    m_spec.optimizer.learningRate = 1e-4;
    m_spec.duration.maxSteps = 1;
    run("theirs");
    const fs::path theirs = files().lastCheckpoint();
    m_spec.optimizer.learningRate = 10;
    m_spec.optimizer.warmupSteps = 400;
    m_spec.duration.maxSteps = 120;
    m_spec.output.saveEverySteps = 1;
    m_spec.output.keepCheckpoints = 1;
    m_spec.optimizer.whenDiverging = WhenDiverging::kRollBack;
    run("ours", [&](int64_t step) {
        if (step == 2) fs::copy(theirs, files().bestCheckpoint(), fs::copy_options::recursive);
    });
    EXPECT_EQ(state(), RunState::kFailed);
    EXPECT_EQ(warnings().find("went back to the weights of step 1,"), std::string::npos) << warnings();
    EXPECT_TRUE(exists("checkpoints/best-of-others/state.json")) << warnings();
}

TEST_F(SafetyTest, endsWhereValidationRises) {
    m_spec.duration.maxSteps = 40;
    m_spec.output.evalEverySteps = 1;
    m_spec.duration.earlyStop = 2;
    m_spec.optimizer.learningRate = 0.5; // far too high: it soon gets worse
    run("early");
    EXPECT_EQ(state(), RunState::kFinished);
    const int64_t ended = m_engine->snapshot().step;
    EXPECT_LT(ended, 40);
    expectIn("so the run ends after step " + std::to_string(ended), warnings());
    const runs::TrainingState best = runs::readTrainingState(files().bestCheckpoint());
    EXPECT_EQ(best.step, ended - 2);
    EXPECT_EQ(runs::readTrainingState(files().lastCheckpoint()).validationsNotLower, 2);
    EXPECT_TRUE(exists("adapter/adapter_model.safetensors"));

    EXPECT_TRUE(resumed("early").empty());
    expectIn("The run has ended early, after step " + std::to_string(ended), warnings());
    m_trainsOn = true;
    const std::size_t more = resumed("early").size();
    expectIn("It trains on, until so many more validations have no lower loss: 2.", warnings());
    expectIn("remedy " + std::to_string(ended), journal());
    EXPECT_GE(more, 2U);
    m_trainsOn = false;
    m_spec.duration.earlyStop = 1000;
    resumed("early");
    EXPECT_EQ(m_engine->snapshot().step, 40) << "a higher setting trains on, too";
}

TEST_F(SafetyTest, anAdapterOfOthersIsNeverReplaced) {
    fs::create_directories(m_folder.path() / "mine/adapter");
    writeFileAtomically(m_folder.path() / "mine/adapter/adapter_model.safetensors", "precious");
    m_mayFail = true;
    run("mine");
    expectIn("mine/adapter' is there already", error());
    EXPECT_EQ(fileOf("adapter/adapter_model.safetensors"), "precious");
    m_mayFail = false;

    run("ours");
    m_spec.duration.maxSteps = 14;
    resumed("ours");
    EXPECT_EQ(warnings().find("was not made by this run"), std::string::npos) << "its own";
    EXPECT_FALSE(exists("adapter-of-others"));
    writeFileAtomically(files().adapter() / "adapter_model.safetensors", "precious");
    m_spec.duration.maxSteps = 15;
    resumed("ours");
    expectIn("It was kept as '" + (files().folder / "adapter-of-others").string() + "'", warnings());
    EXPECT_EQ(fileOf("adapter-of-others/adapter_model.safetensors"), "precious");
    EXPECT_GT(fs::file_size(files().adapter() / "adapter_model.safetensors"), 1000U);
}

TEST_F(SafetyTest, filesOfOthersStayAsTheyAre) {
    m_mayFail = true;
    for (const char* const name :
         {"run.json", "answers.jsonl", "sample-prompts.json", "status.json", "run.log", "journal.jsonl",
          "trace.rptrace", "checkpoints/last/notes.txt", "model/notes.txt", "checkpoints/step-3/notes.txt",
          "checkpoints/last.part/notes.txt", "checkpoints/best.part.replaced/notes.txt", "adapter.part/notes.txt"}) {
        fs::remove_all(m_folder.path() / "mine");
        const fs::path file = m_folder.path() / "mine" / name;
        fs::create_directories(file.parent_path());
        writeFileAtomically(file, "precious");
        run("mine");
        expectIn("is there already, and was not made by a run in this folder", error());
        EXPECT_EQ(readTextFile(file), "precious") << name;
    }
    m_mayFail = false;
    for (const char* const name : {"film.mkv.part", "checkpoints/epoch.part", "run.json.part", "status.json.part",
                                   ".writable", ".writable.part", "metrics.jsonl.part"}) {
        fs::remove_all(m_folder.path() / "mine");
        const fs::path file = m_folder.path() / "mine" / name;
        fs::create_directories(file.parent_path());
        writeFileAtomically(file, "precious");
        run("mine");
        m_spec.duration.maxSteps = 14;
        resumed("mine");
        m_spec.duration.maxSteps = 12;
        EXPECT_EQ(readTextFile(file), "precious") << name;
    }
}

// No run was there, so that it has nothing to go on with: it would begin there.
TEST_F(SafetyTest, goingOnWhereNoRunWasReplacesNothing) {
    m_mayFail = true;
    for (const char* const name : {"metrics.jsonl", "run.json", "status.json"}) {
        const fs::path file = m_folder.path() / name / name;
        fs::create_directories(file.parent_path());
        writeFileAtomically(file, "precious");
        resumed(name);
        expectIn("is there already, and was not made by a run in this folder", error());
        EXPECT_EQ(readTextFile(file), "precious");
    }
}

TEST_F(SafetyTest, settingsOfAPersonAreKeptBesideThoseOfTheRun) {
    run("ours");
    m_spec.duration.maxSteps = 13;
    resumed("ours");
    EXPECT_EQ(timesIn("was not made by this run", warnings()), 0) << "its own, whatever changes";
    runs::RunLibrary::rename(runs::readRun(files().folder), "another name");
    m_spec.duration.maxSteps = 14;
    resumed("ours");
    EXPECT_EQ(timesIn("was not made by this run", warnings()), 0) << "renamed by the program";
    const std::string edited = readTextFile(files().spec()) + " ";
    writeFileAtomically(files().spec(), edited);
    resumed("ours");
    EXPECT_EQ(timesIn("was not made by this run", warnings()), 0) << "it says the same";
    writeFileAtomically(files().spec(), edited);
    writeFileAtomically(files().status(), "a person's");
    m_spec.duration.maxSteps = 15;
    resumed("ours");
    EXPECT_EQ(fileOf("status-of-others.json"), "a person's");
    EXPECT_EQ(fs::exists(files().folder / "run-of-others.json"), false) << "nobody knows what the run wrote";
    writeFileAtomically(files().spec(), edited);
    m_spec.duration.maxSteps = 16;
    resumed("ours");
    EXPECT_EQ(fileOf("run-of-others.json"), edited);
    expectIn("It was kept as '" + (files().folder / "run-of-others.json").string() + "'", warnings());
    EXPECT_EQ(session::readRunSpec(files().spec()).duration.maxSteps, 16);
}

// What a person has put into a checkpoint goes with none of ours, nor does what they have changed in it.
TEST_F(SafetyTest, whatAPersonPutsIntoACheckpointIsKept) {
    m_spec.output.evalEverySteps = 1;
    m_spec.output.saveEverySteps = 0;
    m_spec.output.keepCheckpoints = 1;
    run("ours", [&](int64_t step) {
        if (step == 4) writeFileAtomically(files().bestCheckpoint() / "notes.txt", "precious");
    });
    EXPECT_GT(runs::readTrainingState(files().bestCheckpoint()).step, 5) << "a later one is better";
    EXPECT_EQ(fileOf("checkpoints/best-of-others/notes.txt"), "precious");
    EXPECT_TRUE(exists("checkpoints/best-of-others/adapter_model.safetensors")) << "what the notes are about";
    expectIn("What stood in '" + files().bestCheckpoint().string() + "'", warnings());

    writeFileAtomically(files().lastCheckpoint() / "model-card.safetensors", "precious"); // might be ours by its name
    m_spec.duration.maxSteps = 14;
    resumed("ours");
    EXPECT_EQ(fileOf("checkpoints/last-of-others/model-card.safetensors"), "precious");
    EXPECT_EQ(runs::readTrainingState(files().lastCheckpoint()).step, 14);
    m_spec.duration.maxSteps = 15;
    resumed("ours");
    EXPECT_FALSE(exists("checkpoints/last-of-others 2")) << "none but the run's";
    fs::create_directories(files().adapter() / "mine");
    writeFileAtomically(files().adapter() / "mine/notes.txt", "precious");
    m_spec.duration.maxSteps = 16;
    resumed("ours");
    EXPECT_EQ(fileOf("adapter-of-others/mine/notes.txt"), "precious");
    EXPECT_TRUE(exists("adapter/adapter_model.safetensors"));
}

// By hand, while it trains, and whole: nothing there tells them from the run's own but that it did not write them.
TEST_F(SafetyTest, anotherRunsCheckpointsInPlaceOfItsOwnAreKept) {
    m_spec.output.saveEverySteps = 4;
    m_spec.output.evalEverySteps = 2;
    for (const Method method : {Method::kLora, Method::kFull})
        for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale}) {
            m_spec.method = method;
            m_spec.optimizer.updates = updates;
            const std::string name = std::string(spellingOf(method)) + spellingOf(updates);
            m_spec.seed = 7;
            run(("theirs" + name).c_str());
            const runs::RunFiles theirs = files();
            m_spec.seed = 42;
            const std::vector<double> expected = run(("whole" + name).c_str());
            const std::vector<double> losses = run(("ours" + name).c_str(), [&](int64_t step) {
                if (step != 5) return;
                for (int i = 0; i < 500 && !fs::exists(files().lastCheckpoint()); ++i)
                    std::this_thread::sleep_for(std::chrono::milliseconds(10));
                m_engine->send({Kind::kPause});
                waitFor(RunState::kPaused);
                for (const fs::path& own : {files().lastCheckpoint(), files().bestCheckpoint()}) {
                    fs::remove_all(own);
                    fs::copy(theirs.checkpoints() / own.filename(), own, fs::copy_options::recursive);
                }
                m_engine->send({Kind::kResume});
            });
            EXPECT_EQ(losses, expected) << name;
            for (const char* const kind : {"last", "best"}) {
                const fs::path aside = files().checkpoints() / (std::string(kind) + "-of-others");
                EXPECT_EQ(runs::readTrainingState(aside).seed, 7) << name << ' ' << kind;
                EXPECT_EQ(runs::readTrainingState(files().checkpoints() / kind).seed, 42) << name << ' ' << kind;
            }
            EXPECT_EQ(runs::newestCheckpoint(files()).newest->folder, files().lastCheckpoint());
            EXPECT_EQ(timesIn("was not made by this run", warnings()), 2) << warnings();
        }
}

// No newer than its own, they are not what it goes on from; put there while it stood still.
TEST_F(SafetyTest, olderCheckpointsOfAnotherRunAreKeptAsItGoesOn) {
    m_spec.output.keepCheckpoints = 2;
    m_spec.output.evalEverySteps = 2;
    m_spec.duration.maxSteps = 6;
    m_spec.seed = 7;
    run("theirs");
    const runs::RunFiles theirs = files();
    m_spec.seed = 42;
    m_spec.duration.maxSteps = 9;
    run("ours");
    for (const fs::path& own : {files().bestCheckpoint(), files().earlierCheckpoint(6)}) {
        fs::remove_all(own);
        fs::copy(theirs.lastCheckpoint(), own, fs::copy_options::recursive);
    }
    m_spec.duration.maxSteps = 15;
    resumed("ours");
    EXPECT_EQ(state(), RunState::kFinished) << error();
    for (const char* const name : {"best", "step-6"}) {
        const fs::path aside = files().checkpoints() / (std::string(name) + "-of-others");
        ASSERT_TRUE(fs::exists(aside)) << name << '\n' << warnings();
        EXPECT_EQ(runs::readTrainingState(aside).seed, 7) << name;
    }
    EXPECT_EQ(timesIn("was not made by this run", warnings()), 2) << warnings();
}

// A run may go on from the same step more than once, and each time has traced something.
TEST_F(SafetyTest, noEarlierTraceIsReplaced) {
    m_spec.output.saveTrace = true;
    run("ours");
    writeFileAtomically(files().earlierTrace(12), "precious");
    const std::string first = readTextFile(files().trace());
    m_spec.duration.maxSteps = 14;
    resumed("ours");
    EXPECT_EQ(readTextFile(files().earlierTrace(12)), "precious");
    EXPECT_EQ(fileOf("trace-to-step-12 2.rptrace"), first);
}

TEST_F(SafetyTest, linksInAFolderAreNotFollowed) {
    m_mayFail = true;
    for (const char* const name : {"journal.jsonl", "run.log", "run.lock", "metrics.jsonl", "checkpoints"})
        for (const bool isThere : {true, false}) {
            const fs::path target = m_folder.path() / "elsewhere";
            fs::remove_all(target);
            fs::remove_all(m_folder.path() / "mine");
            fs::create_directories(m_folder.path() / "mine");
            if (isThere) writeFileAtomically(target, "precious\n");
            fs::create_symlink(target, m_folder.path() / "mine" / name);
            for (const bool resume : {false, true}) {
                run("mine", {}, resume);
                expectIn(std::string(name) + "' is a link, and was left as it is", error());
                EXPECT_EQ(fs::exists(target) ? readTextFile(target) : "", isThere ? "precious\n" : "") << name;
            }
        }
}

TEST_F(SafetyTest, aFolderWithTooLongANameIsRefusedInWords) {
    m_mayFail = true;
    for (const std::string& name : {std::string(300, 'n'), std::string(300, 'n') + "/run"}) {
        run(name.c_str());
        expectIn("nnn", error());
        expectIn("File name too long", error());
        EXPECT_EQ(error().find("bug"), std::string::npos) << error();
    }
}

// It was put there while the run was stopped. A link is somebody's, whatever it leads to.
TEST_F(SafetyTest, whatIsInTheWayOfARunThatGoesOnIsKeptBesideIt) {
    m_spec.output.keepCheckpoints = 3;
    run("ours");
    fs::create_directory(m_folder.path() / "elsewhere");
    fs::create_directory_symlink(m_folder.path() / "elsewhere", files().checkpoints() / "step-12");
    for (const char* const name : {"last.part", "best.part.replaced"}) {
        fs::create_directories(files().checkpoints() / name);
        writeFileAtomically(files().checkpoints() / name / "notes.txt", "precious");
    }
    fs::create_directories(files().folder / "adapter.part"); // its own, half written
    writeFileAtomically(files().folder / "adapter.part/adapter_config.json", "{");
    m_spec.duration.maxSteps = 14;
    resumed("ours");
    EXPECT_EQ(state(), RunState::kFinished);
    EXPECT_EQ(fileOf("checkpoints/last.part-of-others/notes.txt"), "precious");
    EXPECT_EQ(fileOf("checkpoints/best.part.replaced-of-others/notes.txt"), "precious");
    EXPECT_TRUE(fs::is_symlink(files().checkpoints() / "step-12-of-others"));
    EXPECT_EQ(runs::readTrainingState(files().earlierCheckpoint(12)).step, 12);
    EXPECT_FALSE(exists("adapter.part")) << "silently";
    EXPECT_FALSE(exists("adapter.part-of-others"));
    EXPECT_EQ(timesIn("was not made by this run", warnings()), 3) << warnings();
}

// Else what a kill has left of one would be kept for somebody's.
TEST_F(SafetyTest, aRunKnowsAllItsFiles) {
    for (const Method method : {Method::kLora, Method::kFull}) {
        m_spec.method = method;
        run(spellingOf(method));
        EXPECT_TRUE(runs::holdsOnlyOwnFiles(files().lastCheckpoint()));
        EXPECT_TRUE(runs::holdsOnlyOwnFiles(method == Method::kFull ? files().model() : files().adapter()));
    }
}

TEST_F(SafetyTest, aRunGoesAlongWithItsFolder) {
    m_spec.duration.maxSteps = kSteps; // enough to be still under way
    const std::vector<double> expected = undisturbed();
    m_spec.output.saveEverySteps = 1; // so that one is being written then
    const fs::path after = fs::canonical(m_folder.path()) / "moved away";
    const std::vector<double> losses = run("before", [&](int64_t step) {
        if (step == 5) fs::rename(files().folder, after);
    });
    EXPECT_EQ(losses, expected);
    EXPECT_EQ(state(), RunState::kFinished);
    EXPECT_FALSE(fs::exists(files().folder)) << "nothing is left behind, nothing is made anew";
    expectIn("before' was moved while it trains: it is '" + after.string() + "' now", warnings());
    EXPECT_EQ(timesIn("was not written", warnings()), 0) << warnings();
    m_spec.output.folder = after;
    EXPECT_EQ(runs::readMetrics(files().metrics()).size(), expected.size()) << "of all steps";
    EXPECT_EQ(runs::readTrainingState(files().lastCheckpoint()).step, kSteps);
    EXPECT_TRUE(exists("adapter/adapter_model.safetensors"));
    EXPECT_EQ(session::readRunSpec(files().spec()).output.folder, after);
    for (const char* const part : {"begun 0 ", "remedy", "ended 40 finished"})
        expectIn(part, journal());
}

TEST_F(SafetyTest, aRunWhoseFolderIsRemovedMakesItAnew) {
    m_spec.duration.maxSteps = kSteps; // enough to be still under way
    m_spec.output.saveTrace = true;
    const std::vector<double> expected = undisturbed();
    for (const std::string name : {"gone", "taken", "emptied", "begun anew"}) {
        const bool isAnothers = name == "taken" || name == "begun anew";
        std::optional<runs::RunLock> other;
        const std::vector<double> losses = run(name.c_str(), [&](int64_t step) {
            if (step != 5) return;
            m_engine->send({Kind::kPause}); // it looks while it is paused, too
            waitFor(RunState::kPaused);
            const std::vector<fs::directory_entry> parts{fs::directory_iterator(files().folder), {}};
            if (name == "gone" || name == "taken") fs::remove_all(files().folder);
            if (name == "taken") fs::create_directories(files().folder);
            for (const fs::directory_entry& part : parts)
                fs::remove_all(part.path());
            if (isAnothers) writeFileAtomically(files().spec(), "precious");
            if (name == "begun anew") other.emplace(files().folder);
            m_engine->send({Kind::kResume});
        });
        EXPECT_EQ(losses, expected);
        EXPECT_EQ(state(), RunState::kFinished);
        expectIn(name + "' was removed or emptied while it trains", warnings());
        if (isAnothers) {
            EXPECT_EQ(fileOf("run.json"), "precious") << "another one's now";
            m_spec.output.folder += " 2";
        }
        EXPECT_EQ(runs::readTrainingState(files().lastCheckpoint()).step, kSteps);
        for (const char* const part : {"adapter/adapter_model.safetensors", "run.json", "status.json", "run.log",
                                       "run.lock", "metrics.jsonl", "trace.rptrace"})
            EXPECT_TRUE(exists(part)) << name << ": " << part;
    }
}

TEST_F(SafetyTest, whatKeepsCheckpointsFromBeingWrittenIsSaidAgainAndNotEachTime) {
    m_spec.duration.maxSteps = kSteps;
    m_spec.output.saveEverySteps = 1;
    const fs::path aside = m_folder.path() / "aside";
    run("barred", [&](int64_t step) {
        if (step != 5 && step != 20) return;
        m_engine->send({Kind::kPause});
        waitFor(RunState::kPaused);
        if (step == 5) {
            fs::rename(files().checkpoints(), aside);
            writeFileAtomically(files().checkpoints(), "no folder");
        } else {
            fs::remove(files().checkpoints());
            fs::rename(aside, files().checkpoints());
        }
        m_engine->send({Kind::kResume});
    });
    EXPECT_EQ(state(), RunState::kFinished);
    const auto numFailures = timesIn("not-written", journal());
    EXPECT_GT(numFailures, 5) << journal();
    EXPECT_GE(timesIn("was not written after", warnings()), 3) << warnings(); // the first, the second, the fourth
    EXPECT_LT(timesIn("was not written after", warnings()), numFailures) << warnings();
    EXPECT_EQ(runs::readTrainingState(files().lastCheckpoint()).step, kSteps);
}

TEST_F(SafetyTest, aPausedRunGoesAlongWithItsFolder) {
    m_spec.duration.maxSteps = kSteps;
    const fs::path after = fs::canonical(m_folder.path()) / "elsewhere";
    run("paused", [&](int64_t step) {
        if (step != 3) return;
        m_engine->send({Kind::kPause});
        waitFor(RunState::kPaused);
        fs::rename(files().folder, after);
        const auto isTold = [&] { // while it is paused
            const auto entries = runs::readJournal(runs::RunFiles{after}.journal());
            return !entries.empty() && entries.back().event == runs::JournalEvent::kRemedy;
        };
        for (int i = 0; i < 500 && !isTold(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_TRUE(isTold());
        EXPECT_EQ(state(), RunState::kPaused);
        m_engine->send({Kind::kStop});
    });
    EXPECT_EQ(state(), RunState::kStopped);
    EXPECT_FALSE(fs::exists(files().folder));
    EXPECT_TRUE(fs::exists(after / "adapter/adapter_model.safetensors"));
}

// The last checkpoint is that of the last whole step, whatever a device does.
TEST_F(SafetyTest, aRunThatFailsLeavesWhatItHasTrained) {
    for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale}) {
        m_spec.optimizer.updates = updates;
        m_spec.output.saveEverySteps = 0;
        const bool isStale = updates == Updates::kOneStepStale;
        m_engine = makeEngine();
        m_mayFail = false;
        const std::vector<double> expected = run(isStale ? "whole stale" : "whole");
        m_engine = makeEngine([](const trace::Record& span) {
            if (span.kind == trace::Kind::kFused && span.step == 5)
                throw Error(ErrorKind::kDevice, "The device has fallen off the bus.");
        });
        m_mayFail = true;
        const char* const folder = isStale ? "broken stale" : "broken";
        const std::vector<double> losses = run(folder);
        EXPECT_EQ(state(), RunState::kFailed);
        expectIn("fallen off the bus", error());
        const int64_t saved = runs::readTrainingState(files().lastCheckpoint()).step;
        EXPECT_GE(saved, 4);
        EXPECT_GE(saved, std::ssize(losses));
        m_engine = makeEngine();
        m_mayFail = false;
        const std::vector<double> rest = resumed(folder);
        EXPECT_EQ(rest, std::vector<double>(expected.begin() + saved, expected.end())) << "to the last bit";
    }
}

} // namespace
} // namespace roundpipe::engine
