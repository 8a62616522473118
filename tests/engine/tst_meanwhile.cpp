// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to a run's folder in the middle of a save, between two calls of the system.
#include "runs/metrics_file.h"
#include "runs/training_state.h"
#include "safe_run.h"
#include "testing/file_calls.h"

#include <atomic>

namespace roundpipe::engine {
namespace {

class Meanwhile : public SafeRun {
protected:
    ~Meanwhile() override {
        testing::g_onRename = {};
        testing::g_onLinkRead = {};
    }
    // Once, before the file or folder that ends in `end` takes its name, after as many others that do.
    static void before(const std::string& end, int after, const std::function<void()>& act) {
        testing::g_onRename = [end, act, left = std::make_shared<std::atomic<int>>(after)](const std::string&,
                                                                                           const std::string& to) {
            if (to.ends_with(end) && (*left)-- == 0) act();
            return 0;
        };
    }
    // At the new place, and nowhere else.
    void expectWholeAt(const fs::path& place, const std::vector<double>& losses, const std::vector<double>& expected) {
        EXPECT_EQ(losses, expected);
        EXPECT_EQ(state(), RunState::kFinished) << error();
        EXPECT_FALSE(fs::exists(files().folder)) << "nothing is left there, nothing is made anew";
        m_spec.output.folder = place;
        EXPECT_EQ(timesIn("was moved while it trains", warnings()), 1) << warnings();
        EXPECT_EQ(timesIn("/proc/", warnings() + journal()), 0) << warnings() << journal();
        EXPECT_EQ(runs::readMetrics(files().metrics()).size(), expected.size()) << "of all steps";
        EXPECT_EQ(runs::readTrainingState(files().lastCheckpoint()).step, std::ssize(expected));
        for (const fs::path& folder : {files().folder, files().checkpoints()})
            for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
                const std::string name = entry.path().filename();
                EXPECT_EQ(name.find(".part"), std::string::npos) << name;
                EXPECT_EQ(name.find("-of-others"), std::string::npos) << name;
            }
    }
};

TEST_F(Meanwhile, anotherRunsCheckpointPutInTheFinishedOnesPlaceIsKept) {
    m_spec.seed = 7;
    m_spec.output.evalEverySteps = 2;
    run("theirs");
    const runs::RunFiles theirs = files();
    m_spec.seed = 42;
    for (const char* const kind : {"last", "best"}) {
        const std::string name = std::string("ours ") + kind;
        std::atomic<bool> isPut{false};
        const fs::path place = m_folder.path() / name / "checkpoints" / kind;
        before(std::string("/checkpoints/") + kind, 1, [&] {
            fs::remove_all(place);
            fs::copy(theirs.checkpoints() / kind, place, fs::copy_options::recursive);
            isPut = true;
        });
        run(name.c_str());
        EXPECT_TRUE(isPut) << kind;
        const fs::path aside = files().checkpoints() / (std::string(kind) + "-of-others");
        ASSERT_TRUE(fs::exists(aside)) << warnings();
        EXPECT_EQ(runs::readTrainingState(aside).seed, 7) << kind;
        EXPECT_EQ(runs::readTrainingState(files().checkpoints() / kind).seed, 42) << kind;
        EXPECT_EQ(timesIn("was not made by this run", warnings()), 1) << warnings();
        expectIn("'" + place.string() + "'", warnings());
    }
}

TEST_F(Meanwhile, anotherRunsResultPutInTheFinishedOnesPlaceIsKept) {
    m_spec.seed = 7;
    run("theirs");
    const runs::RunFiles theirs = files();
    m_spec.seed = 42;
    run("ours");
    before("/adapter", 0, [&] {
        fs::remove_all(files().adapter());
        fs::copy(theirs.adapter(), files().adapter(), fs::copy_options::recursive);
    });
    m_spec.duration.maxSteps = 13;
    resumed("ours");
    EXPECT_EQ(fileOf("adapter-of-others/adapter_model.safetensors"),
              readTextFile(theirs.adapter() / "adapter_model.safetensors"));
    EXPECT_EQ(timesIn("was not made by this run", warnings()), 1) << warnings();
}

// At each step of it: the draft's first file, its last one, its place, and what gives way to it.
TEST_F(Meanwhile, aFolderThatIsRenamedWhileACheckpointIsWrittenHasItWhole) {
    m_spec.duration.maxSteps = kSteps; // enough to be still under way
    m_spec.output.keepCheckpoints = 2;
    const std::vector<double> expected = undisturbed();
    for (const char* const moment : {"/last.part/adapter_config.json", "/last.part/manifest.json", "/checkpoints/last",
                                     "/checkpoints/step-3", "/checkpoints/step-3.part"}) {
        SCOPED_TRACE(moment);
        std::atomic<bool> isMoved{false};
        const fs::path after = fs::canonical(m_folder.path()) / "elsewhere";
        fs::remove_all(after);
        before(moment, 0, [&] {
            fs::rename(m_folder.path() / "before", after);
            isMoved = true;
        });
        const std::vector<double> losses = run("before");
        EXPECT_TRUE(isMoved);
        expectWholeAt(after, losses, expected);
        EXPECT_EQ(timesIn("not-written", journal()), 0) << journal();
        EXPECT_EQ(runs::earlierCheckpoints(files()), (std::vector<std::string>{"step-39"}));
    }
}

TEST_F(Meanwhile, aFolderThatIsRenamedWhileItsResultIsWrittenHasItWhole) {
    const std::vector<double> expected = undisturbed();
    const fs::path after = fs::canonical(m_folder.path()) / "elsewhere";
    before("/adapter.part/manifest.json", 0, [&] { fs::rename(m_folder.path() / "before", after); });
    const std::vector<double> losses = run("before");
    EXPECT_EQ(losses, expected);
    EXPECT_EQ(state(), RunState::kFinished) << error();
    EXPECT_FALSE(fs::exists(files().folder));
    for (const char* const name : {"adapter/adapter_model.safetensors", "run.json", "journal.jsonl"})
        EXPECT_TRUE(fs::exists(after / name)) << name;
}

// It was asked where it is, and is gone from there before it can look.
TEST_F(Meanwhile, aFolderThatIsRenamedAgainWhileItIsSoughtIsFound) {
    m_spec.duration.maxSteps = kSteps;
    const std::vector<double> expected = undisturbed();
    const fs::path after = fs::canonical(m_folder.path()) / "elsewhere";
    const fs::path between = m_folder.path() / "between";
    std::atomic<bool> isBetween{false};
    testing::g_onLinkRead = [&](const std::string& link) {
        if (link.starts_with("/proc/self/fd/") && isBetween.exchange(false)) fs::rename(between, after);
    };
    const std::vector<double> losses = run("before", [&](int64_t step) {
        if (step != 5) return;
        m_engine->send({Kind::kPause});
        waitFor(RunState::kPaused);
        fs::rename(files().folder, between);
        isBetween = true;
        for (int i = 0; i < 500 && isBetween; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_FALSE(isBetween);
        m_engine->send({Kind::kResume});
    });
    EXPECT_FALSE(fs::exists(between)) << "nothing is made anew there";
    expectWholeAt(after, losses, expected);
}

} // namespace
} // namespace roundpipe::engine
