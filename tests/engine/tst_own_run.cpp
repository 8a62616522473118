// SPDX-License-Identifier: GPL-3.0-or-later
// Whose a run's folder and its files are, where some of them were lost or exchanged.
#include "runs/checkpoint_manifest.h"
#include "runs/run_lock.h"
#include "runs/run_names.h"
#include "runs/training_state.h"
#include "safe_run.h"
#include "testing/file_calls.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <cerrno>
#include <sstream>

namespace roundpipe::engine {
namespace {

class OwnRun : public SafeRun {
protected:
    ~OwnRun() override { testing::g_onRename = {}; }

    runs::RunFiles theirs() {
        m_spec.duration.maxSteps = 15; // newer than ours
        m_spec.seed = 7;
        run("theirs");
        const runs::RunFiles made = files();
        m_spec.duration.maxSteps = 12;
        m_spec.seed = 42;
        return made;
    }
    static void replace(const fs::path& own, const fs::path& other) {
        fs::remove_all(own);
        fs::copy(other, own, fs::copy_options::recursive);
    }
    // Without a word, for one step more than before.
    void expectGoesOn(const std::string& what) {
        ++m_spec.duration.maxSteps;
        EXPECT_EQ(resumed("ours").size(), 1U) << what;
        EXPECT_EQ(state(), RunState::kFinished) << what << ": " << error();
        EXPECT_EQ(wordsOnOthers(), 0) << what << ": " << warnings();
        for (const fs::path& folder : {files().folder, files().checkpoints()})
            for (const fs::directory_entry& entry : fs::directory_iterator(folder))
                EXPECT_EQ(entry.path().native().find("-of-others"), std::string::npos) << what << ": " << entry.path();
    }
    int64_t wordsOnOthers() const {
        return timesIn("another run", warnings()) + timesIn("was not made by this run", warnings());
    }
    void expectRefused(const std::string& what) {
        m_spec.duration.maxSteps += 10;
        m_mayFail = true;
        EXPECT_TRUE(resumed("ours").empty()) << what;
        m_mayFail = false;
        m_spec.duration.maxSteps -= 10;
        EXPECT_NE(error().find("'" + files().lastCheckpoint().string() + "' was made by another run"),
                  std::string::npos)
            << what << ": " << error();
    }
    static void forgetName(const fs::path& file) {
        nlohmann::json json = nlohmann::json::parse(readTextFile(file));
        json.erase("run");
        writeFileAtomically(file, json.dump());
    }
};

TEST_F(OwnRun, goesOnWhereOneOfItsFilesIsAnotherRuns) {
    const runs::RunFiles other = theirs();
    run("ours");
    replace(files().journal(), other.journal());
    expectGoesOn("its journal is another's");
    EXPECT_EQ(timesIn("begun ", journal()), 2) << "theirs and ours";
    replace(files().status(), other.status());
    expectGoesOn("its status, too");
    fs::remove(files().journal());
    expectGoesOn("it has no journal");
    fs::remove(files().lock());
    expectGoesOn("it has no lock, as in a copy");
    fs::remove(files().lock());
    fs::remove(files().status());
    expectGoesOn("it has its journal alone");
}

TEST_F(OwnRun, takesNoOtherRunsCheckpointWithoutAWordWhateverElseIsLost) {
    const runs::RunFiles other = theirs();
    run("ours");
    replace(files().lastCheckpoint(), other.lastCheckpoint());
    expectRefused("all else is its own");
    fs::rename(files().journal(), files().folder / "kept");
    expectRefused("it has no journal");
    replace(files().journal(), other.journal());
    expectRefused("the journal is the other's, too");
    fs::rename(files().lock(), files().folder / "kept too");
    expectRefused("it has no lock");
    fs::rename(files().status(), files().folder / "kept as well");
    fs::rename(files().folder / "kept", files().journal());
    expectRefused("it has its journal alone");
    m_spec.duration.maxSteps = 16;
    EXPECT_EQ(resumed("ours", true).size(), 1U);
    m_acceptsChanges = false;
    expectGoesOn("it was accepted");
    EXPECT_EQ(runs::namesOfRun(files()).names.size(), 2U) << "of both";
}

// While it trains: what it writes later is told of it.
TEST_F(OwnRun, writesDownThatItHasBegunWhereItsJournalIsAnothers) {
    const runs::RunFiles other = theirs();
    run("ours", [&](int64_t step) {
        if (step != 4) return;
        m_engine->send({Kind::kPause});
        waitFor(RunState::kPaused);
        replace(files().journal(), other.journal());
        m_engine->send({Kind::kResume});
    });
    EXPECT_EQ(timesIn("begun ", journal()), 2) << journal();
    fs::remove(files().lock());
    fs::remove(files().status());
    expectGoesOn("by what the journal says");
}

TEST_F(OwnRun, knowsItsResultWithoutTheJournal) {
    for (const Method method : {Method::kLora, Method::kFull}) {
        m_spec.method = method;
        m_spec.duration.maxSteps = 12;
        fs::remove_all(m_folder.path() / "ours");
        fs::remove_all(m_folder.path() / "older");
        run("ours", [&](int64_t step) {
            if (step != 5) return;
            m_engine->send({Kind::kPause});
            waitFor(RunState::kPaused);
            fs::copy(files().folder, m_folder.path() / "older", fs::copy_options::recursive);
            m_engine->send({Kind::kResume});
        });
        const std::string begun = readTextFile(files().journal());
        writeFileAtomically(files().journal(), begun.substr(0, begun.find('\n') + 1));
        expectGoesOn("its journal was cut short");
        fs::copy(m_folder.path() / "older", files().folder,
                 fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        resumed("ours");
        EXPECT_EQ(wordsOnOthers(), 0) << "an older copy lies over it: " << warnings();
        EXPECT_FALSE(exists("adapter-of-others"));
        EXPECT_FALSE(exists("model-of-others"));

        const fs::path weights = (method == Method::kFull ? files().model() / "model.safetensors"
                                                          : files().adapter() / "adapter_model.safetensors");
        damage(weights);
        writeFileAtomically(files().journal(), begun.substr(0, begun.find('\n') + 1));
        ++m_spec.duration.maxSteps;
        resumed("ours");
        EXPECT_EQ(timesIn("was not made by this run", warnings()), 1) << "a person has changed it: " << warnings();
    }
}

TEST_F(OwnRun, anotherRunsResultIsKeptWhereThereIsNoJournal) {
    const runs::RunFiles other = theirs();
    run("ours");
    fs::remove(files().journal());
    replace(files().adapter(), other.adapter());
    ++m_spec.duration.maxSteps;
    resumed("ours");
    EXPECT_EQ(readTextFile(files().folder / "adapter-of-others/adapter_model.safetensors"),
              readTextFile(other.adapter() / "adapter_model.safetensors"));
    EXPECT_EQ(timesIn("was not made by this run", warnings()), 1) << warnings();
}

// Whatever the journal, which came along, says of it.
TEST_F(OwnRun, anotherRunsResultIsKeptThoughItsJournalCameAlongOrNothingElseIsLeft) {
    const runs::RunFiles other = theirs();
    for (const bool hasJournal : {true, false}) {
        m_spec.duration.maxSteps = 12;
        fs::remove_all(m_folder.path() / "ours");
        run("ours");
        replace(files().adapter(), other.adapter());
        if (hasJournal)
            replace(files().journal(), other.journal());
        else
            for (const fs::path& lost : {files().journal(), files().lock(), files().status()})
                fs::remove(lost);
        ++m_spec.duration.maxSteps;
        resumed("ours");
        EXPECT_EQ(readTextFile(files().folder / "adapter-of-others/adapter_model.safetensors"),
                  readTextFile(other.adapter() / "adapter_model.safetensors"))
            << hasJournal;
        EXPECT_EQ(timesIn("was not made by this run", warnings()), 1) << warnings();
    }
}

TEST_F(OwnRun, aLockOfAnotherRunNeitherKeepsItNorLetsTheOthersCheckpointIn) {
    const runs::RunFiles other = theirs();
    run("ours");
    replace(files().lock(), other.lock());
    expectGoesOn("its lock alone is another's");
    replace(files().lock(), other.lock());
    replace(files().lastCheckpoint(), other.lastCheckpoint());
    expectRefused("its newest checkpoint, too");
}

// Written by a version that drew no names, and by one that wrote them into checkpoints and journal alone.
TEST_F(OwnRun, goesOnWithWhatOlderVersionsWrote) {
    for (const bool hasNames : {true, false}) {
        m_spec.duration.maxSteps = 12;
        fs::remove_all(m_folder.path() / "ours");
        run("ours");
        writeFileAtomically(files().lock(), "");
        forgetName(files().status());
        fs::remove(files().adapter() / "manifest.json");
        std::istringstream lines(readTextFile(files().journal()));
        std::string journal;
        for (std::string line; std::getline(lines, line);) {
            nlohmann::json json = nlohmann::json::parse(line);
            if (!hasNames) json.erase("run");
            if (json["event"] == "result") json["text"] = runs::lookOf(files().adapter());
            journal += json.dump() + "\n";
        }
        writeFileAtomically(files().journal(), journal);
        for (const char* const name : {"last", "best"}) {
            const fs::path checkpoint = files().checkpoints() / name;
            if (!hasNames) forgetName(checkpoint / "state.json");
            runs::sealCheckpoint(checkpoint);
        }
        expectGoesOn(hasNames ? "names in the journal" : "no names");
        EXPECT_EQ(runs::namesOfRun(files()).by, files().lock());
        expectGoesOn("and again");
    }
}

TEST_F(OwnRun, knowsItsSettingsWhereTheDiskWasFullAsTheyWereWritten) {
    run("ours");
    for (const char* const full : {"/run.json", "/status.json"}) {
        std::atomic<bool> hasSpec{false};
        testing::g_onRename = [&](const std::string& from, const std::string& to) {
            const bool isSpec = to.ends_with("/run.json");
            if (isSpec) hasSpec = true;
            return hasSpec && to.ends_with(full) && from.find(".roundpipe-") != std::string::npos ? ENOSPC : 0;
        };
        ++m_spec.duration.maxSteps;
        m_mayFail = true;
        resumed("ours");
        EXPECT_NE(error().find("No space left"), std::string::npos) << full << ": " << error();
        testing::g_onRename = {};
        m_mayFail = false;
        ++m_spec.duration.maxSteps;
        resumed("ours");
        EXPECT_EQ(state(), RunState::kFinished);
        EXPECT_EQ(timesIn("was not made by this run", warnings()), 0) << full << ": " << warnings();
        EXPECT_FALSE(exists("run-of-others.json")) << full;
    }
}

} // namespace
} // namespace roundpipe::engine
