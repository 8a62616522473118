// SPDX-License-Identifier: GPL-3.0-or-later
// Which checkpoint a run goes on from, whatever has happened to the others, and what has changed since.
#include "base/file.h"
#include "runs/changes.h"
#include "runs/checkpoint_manifest.h"
#include "runs/journal.h"
#include "runs/own_folders.h"
#include "some_run.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

class Checkpoints : public ::testing::Test {
protected:
    // As a run writes one, with weights of so many bytes.
    fs::path make(const std::string& name, int64_t step, std::size_t weights = 5000) {
        const fs::path folder = files.checkpoints() / name;
        fs::create_directories(folder);
        writeFileAtomically(folder / "adapter_model.safetensors", std::string(weights, 'w'));
        TrainingState state{step, 42, {}};
        state.fingerprint = {"rows", "config", "weights", "validation"};
        writeTrainingState(state, folder);
        writeFileAtomically(folder / kCheckpointSettings, session::toJson(spec));
        sealCheckpoint(folder);
        return folder;
    }

    testing::TemporaryFolder home;
    RunFiles files{home.path()};
    session::RunSpec spec;
};

TEST_F(Checkpoints, theNewestWholeOneIsFound) {
    EXPECT_FALSE(newestCheckpoint(files).newest);
    make("best", 7);
    EXPECT_EQ(newestCheckpoint(files).newest->folder, files.bestCheckpoint()) << "a run that was killed has it alone";
    make("last", 7);
    EXPECT_EQ(newestCheckpoint(files).newest->folder, files.lastCheckpoint()) << "of equal ones";
    make("step-9", 9);
    make("step-12.part", 12);
    make("last.old", 3);
    const CheckpointSearch found = newestCheckpoint(files, LookAt::kBytes);
    EXPECT_EQ(found.newest->folder, files.earlierCheckpoint(9)) << "a draft is none";
    EXPECT_EQ(found.newest->state.step, 9);
    EXPECT_TRUE(found.damaged.empty());
    EXPECT_EQ(newestCheckpoint(files, LookAt::kSizes, 8).newest->folder, files.lastCheckpoint());
    make("step-10", 10);
    EXPECT_EQ(earlierCheckpoints(files), (std::vector<std::string>{"step-9", "step-10"})) << "oldest first";
}

TEST_F(Checkpoints, whatAnOlderProgramHasPutAsideIsFoundWhereItIsAll) {
    make("last.old", 3);
    EXPECT_EQ(newestCheckpoint(files).newest->state.step, 3);
}

TEST_F(Checkpoints, anotherRunsIsToldByTheJournal) {
    const auto changed = [&](const std::string& run) {
        TrainingState state{3, 42, {}};
        state.run = run;
        fs::create_directories(files.lastCheckpoint());
        writeTrainingState(state, files.lastCheckpoint());
        return changedRun({files.lastCheckpoint(), readTrainingState(files.lastCheckpoint())});
    };
    EXPECT_TRUE(changed("aa").empty()) << "there is no journal";
    Journal(files.journal()).add(JournalEvent::kBegun, 0, "", "an older version, which gave a run no name");
    EXPECT_TRUE(changed("aa").empty());
    Journal(files.journal()).add(JournalEvent::kBegun, 3, "", "", "aa");
    EXPECT_TRUE(changed("aa").empty());
    EXPECT_TRUE(changed("").empty()) << "an older version's";
    ASSERT_EQ(changed("bb").size(), 1U);
    EXPECT_NE(changed("bb")[0].find("'" + files.lastCheckpoint().string() + "' was made by another run"),
              std::string::npos);
    Journal(files.journal()).add(JournalEvent::kBegun, 3, "", "", "bb");
    EXPECT_TRUE(changed("bb").empty()) << "was accepted";
    EXPECT_TRUE(changed("aa").empty());
}

TEST_F(Checkpoints, thoseOfOlderVersionsHaveNoChecksums) {
    const fs::path last = files.lastCheckpoint();
    fs::create_directories(last);
    writeTrainingState({4, 42, {}}, last);
    EXPECT_EQ(damageOf(last, LookAt::kBytes), "");
    const FoundCheckpoint found = *newestCheckpoint(files, LookAt::kBytes).newest;
    EXPECT_FALSE(found.state.fingerprint);
    EXPECT_TRUE(changedSettings(found, spec).empty());
    EXPECT_TRUE(changedContent(found, spec, {"a", "b", "c"}).empty());
}

TEST_F(Checkpoints, whatIsNotAsItWasWrittenIsNoneOfTheRuns) {
    const fs::path folder = make("best", 5, (16U << 20) + 1); // weights too large to be read each time
    EXPECT_TRUE(holdsOnlyOwnFiles(folder));
    EXPECT_EQ(filesAsSealed(folder)->size(), 4U);
    writeFileAtomically(folder / "config.json", "a person's, under a name that models have");
    EXPECT_FALSE(holdsOnlyOwnFiles(folder));
    fs::remove(folder / "config.json");
    std::ofstream(folder / ".state.json.roundpipe-0123456789abcdef.part") << "half";
    EXPECT_TRUE(holdsOnlyOwnFiles(folder)) << "a kill has left it";
    for (const char* const name : {"adapter_model.safetensors", kCheckpointSettings, "manifest.json"}) {
        const std::string whole = readTextFile(folder / name, int64_t{1} << 30);
        std::string other = whole;
        other[other.size() / 2] ^= 1; // of the same size
        std::ofstream(folder / name) << other;
        EXPECT_FALSE(holdsOnlyOwnFiles(folder)) << name;
        std::ofstream(folder / name) << whole;
        EXPECT_TRUE(holdsOnlyOwnFiles(folder)) << name << ", touched and yet the same";
    }
}

// Every byte counts, wherever it stands: nothing that differs from what was written is ever taken for whole.
TEST_F(Checkpoints, aByteThatChangedIsFoundInEveryFile) {
    const fs::path folder = make("last", 5);
    std::mt19937 random(20261125);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string whole = readTextFile(entry.path());
        for (int i = 0; i < 200; ++i) {
            std::string damaged = whole;
            const std::size_t at = random() % damaged.size();
            const auto bit = static_cast<char>(1 << random() % 8);
            damaged[at] = static_cast<char>(damaged[at] ^ bit);
            std::ofstream(entry.path(), std::ios::binary) << damaged;
            const std::string damage = damageOf(folder, LookAt::kBytes);
            // A blank of the manifest that became a tab says the same.
            const bool saysTheSame = entry.path().filename() == "manifest.json" && std::isspace(whole[at]) != 0;
            EXPECT_TRUE(saysTheSame || damage.find(folder.string()) != std::string::npos)
                << entry.path() << " at byte " << at << ", bit " << int(bit) << ": " << damage;
        }
        for (const std::size_t size : {std::size_t{0}, whole.size() / 2, whole.size() - 2}) {
            std::ofstream(entry.path(), std::ios::binary) << whole.substr(0, size);
            EXPECT_NE(damageOf(folder, LookAt::kSizes), "") << entry.path() << " of " << size << " bytes";
        }
        std::ofstream(entry.path(), std::ios::binary) << whole;
        EXPECT_EQ(damageOf(folder, LookAt::kBytes), "");
    }
}

TEST_F(Checkpoints, aMissingFileIsNamedAndTheOneBeforeIsTaken) {
    make("step-5", 5);
    for (const char* name : {"adapter_model.safetensors", "settings.json", "manifest.json", "state.json"}) {
        const fs::path last = make("last", 8);
        fs::remove(last / name);
        const CheckpointSearch found = newestCheckpoint(files, LookAt::kBytes);
        ASSERT_TRUE(found.newest) << name;
        EXPECT_EQ(found.newest->state.step, 5) << name;
        if (std::string(name) == "state.json") continue; // then it is no checkpoint at all
        ASSERT_EQ(found.damaged.size(), 1U) << name;
        EXPECT_NE(found.damaged[0].find((last / name).string()), std::string::npos) << found.damaged[0];
    }
}

TEST_F(Checkpoints, whatSomebodyPutsBesideItsFilesIsNotLookedAt) {
    const fs::path last = make("last", 8);
    writeFileAtomically(last / "README.md", "mine");
    EXPECT_EQ(damageOf(last, LookAt::kBytes), "");
}

TEST_F(Checkpoints, aManifestLeadsNowhereElse) {
    const fs::path last = make("last", 8);
    writeFileAtomically(home.path() / "secret", "x");
    writeFileAtomically(last / "manifest.json",
                        R"({"version": 1, "files": {"../../secret": {"bytes": 1, "xxh3": "0"}}})");
    EXPECT_NE(damageOf(last, LookAt::kBytes).find("outside of its folder"), std::string::npos);
}

TEST_F(Checkpoints, changesAreNamed) {
    spec.data.datasets.front().files = {"/rows.jsonl"};
    make("last", 8);
    const FoundCheckpoint found = *newestCheckpoint(files).newest;
    session::RunSpec now = spec;
    // Nothing of it shows in a step.
    now.name = "another";
    now.output.folder = "/elsewhere";
    now.output.saveEveryMinutes = 1;
    now.engine.devices = {"cpu:3"};
    now.engine.forwardStages = {1, 2};
    now.duration.epochs = 9;
    now.data.datasets.front().files = {"/moved/rows.jsonl"};
    now.model.path = "/moved/model";
    EXPECT_TRUE(changedSettings(found, now).empty());
    EXPECT_TRUE(changedContent(found, now, {"rows", "config", "weights"}).empty());
    EXPECT_TRUE(changedContent(found, now, {}).empty()) << "not known";

    now.seed = 7;
    now.batch.microbatches = 3;
    now.optimizer.updates = Updates::kOneStepStale;
    now.lora.rank = 4;
    std::string all;
    for (const std::string& change : changedSettings(found, now))
        all += change + "\n";
    EXPECT_EQ(all, "'seed' was 42 and is 7.\n"
                   "'lora.rank' was 16 and is 4.\n"
                   "'optimizer.updates' was synchronous and is one-step-stale.\n"
                   "'batch.microbatches' was 0 and is 3.\n");
    now.data.maxLength = 77;
    EXPECT_EQ(changedSettings(found, now).back(), "'data.max_length' was 1024 and is 77.") << "named with the others";
    const std::vector<std::string> content =
        changedContent(found, now, {"other rows", "other config", "other weights"});
    ASSERT_EQ(content.size(), 2U);
    for (const char* part : {"The rows are other ones", "'data.max_length' was 1024 and is 77.", "/moved/rows.jsonl"})
        EXPECT_NE(content[0].find(part), std::string::npos) << part << " in " << content[0];
    EXPECT_NE(content[1].find("/moved/model"), std::string::npos) << content[1];
    const auto same = changedContent(found, spec, {"other rows", "config", "weights"});
    ASSERT_EQ(same.size(), 1U);
    EXPECT_NE(same[0].find("A file of rows"), std::string::npos) << same[0];
    const auto config = changedContent(found, spec, {"rows", "other config", "weights"});
    ASSERT_EQ(config.size(), 1U);
    EXPECT_NE(config[0].find("config.json' is another one"), std::string::npos) << config[0];
    const auto validation = changedContent(found, spec, {"rows", "config", "weights", "other rows"});
    ASSERT_EQ(validation.size(), 1U);
    EXPECT_NE(validation[0].find("The validation's rows have changed"), std::string::npos) << validation[0];
}

} // namespace
} // namespace roundpipe::runs
