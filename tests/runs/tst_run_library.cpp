// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/project_run.h"
#include "runs/run_library.h"
#include "runs/run_lock.h"
#include "some_run.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;
using testing::expectError;

class Library : public ::testing::Test {
protected:
    testing::TemporaryFolder home;
    fs::path folder = home.path() / "runs";
    fs::path index = home.path() / "runs.sqlite";

    RunLibrary open() const { return {folder, index}; }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const StoredRun& run : open().list())
            all.push_back(run.name);
        return all;
    }
};

TEST_F(Library, listsTheLatestFirst) {
    EXPECT_TRUE(open().list().empty());
    makeRun(folder / "a", {.name = "old", .startedAt = 1});
    makeRun(folder / "b", {.name = "new", .startedAt = 3});
    makeRun(folder / "c", {.name = "middle", .startedAt = 2});
    fs::create_directories(folder / "holiday pictures");
    EXPECT_EQ(names(), (std::vector<std::string>{"new", "middle", "old"}));
}

TEST_F(Library, aLossThatIsNoNumberStaysNone) {
    makeRun(folder / "a");
    session::StepMetrics metrics;
    metrics.step = 5;
    metrics.loss = std::numeric_limits<double>::quiet_NaN();
    std::ofstream(RunFiles{folder / "a"}.metrics(), std::ios::app) << toJsonLine(metrics);
    for (const char* const from : {"the folder", "the index"})
        EXPECT_TRUE(std::isnan(open().list().at(0).lastLoss)) << from;
}

TEST_F(Library, showsRunsThatLieElsewhere) {
    const fs::path elsewhere = makeRun(home.path() / "disk" / "far", {.name = "far"});
    linkRun(elsewhere, folder);
    linkRun(elsewhere, folder); // resumed
    linkRun(makeRun(home.path() / "other disk" / "far", {.name = "farther", .startedAt = 1}), folder);
    linkRun(makeRun(folder / "near", {.name = "near", .startedAt = 2}), folder); // is here already
    EXPECT_EQ(names(), (std::vector<std::string>{"far", "near", "farther"}));
    fs::remove_all(home.path() / "disk");
    EXPECT_EQ(names(), (std::vector<std::string>{"near", "farther"}));
    EXPECT_FALSE(fs::exists(fs::symlink_status(folder / "far"))) << "a link to nothing";
}

TEST_F(Library, knowsTheNewestRunOfAProject) {
    makeRun(folder / "a", {.name = "mine", .startedAt = 1});
    makeRun(folder / "b", {.name = "mine", .startedAt = 3});
    makeRun(folder / "c", {.name = "other", .startedAt = 4});
    makeRun(folder / "unnamed-20260131-142500", {.startedAt = 2});
    makeRun(folder / "d", {.name = "mine", .startedAt = 5, .numSteps = 0, .state = session::RunState::kFailed});
    const std::vector<StoredRun> all = open().list();
    const fs::path place = home.path() / "project";
    session::RunSpec project;
    project.name = "mine";
    project.model.path = "/models/a";
    EXPECT_EQ(newestRunOf(project, "mine", place, all), folder / "b");
    project.model.path = "/models/b"; // a namesake on another model and other rows
    EXPECT_EQ(newestRunOf(project, "mine", place, all), std::nullopt);
    project.model.path = "/models/a";
    EXPECT_EQ(newestRunOf(project, "mine", {}, all), std::nullopt) << "it was never stored";
    project.name.clear();
    EXPECT_EQ(newestRunOf(project, "unnamed", place, all), folder / "unnamed-20260131-142500");
    project.output.folder = makeRun(home.path() / "out", {.name = "whatever"}).string();
    EXPECT_EQ(newestRunOf(project, "mine", place, all), home.path() / "out");
    EXPECT_EQ(newestRunOf(project, "mine", folder / "c", all), folder / "c") << "the file of a run";
    writeFileAtomically(folder / "b" / "run.json", "{");
    project.output.folder.clear();
    EXPECT_EQ(newestRunOf(project, "mine", place, all), folder / "a") << "what is broken is passed over";
}

TEST_F(Library, findsByFolderNameAndPath) {
    makeRun(folder / "a", {.name = "same"});
    makeRun(folder / "b", {.name = "same"});
    makeRun(folder / "c", {.name = "own"});
    RunLibrary library = open();
    EXPECT_EQ(library.find("a").folder, folder / "a");
    EXPECT_EQ(library.find("own").folder, folder / "c");
    EXPECT_EQ(library.find((folder / "b").string()).folder, folder / "b");
    EXPECT_EQ(library.find((folder / "." / "b").string()).folder, folder / "b");
    const fs::path elsewhere = makeRun(home.path() / "far");
    EXPECT_EQ(library.find(elsewhere.string()).folder, elsewhere);
    expectError(ErrorKind::kInvalidInput, {"same", "a, b"}, [&] { library.find("same"); });
    expectError(ErrorKind::kInvalidInput, {"nobody", "a, b, c"}, [&] { library.find("nobody"); });
}

TEST_F(Library, renamesInTheFolderItself) {
    makeRun(folder / "a", {.name = "old"});
    RunLibrary library = open();
    RunLibrary::rename(library.find("a"), "new \"name\"");
    EXPECT_EQ(library.find("a").name, "new \"name\"");
    EXPECT_EQ(specOf(folder / "a").model.path, "/models/a");
    expectError(ErrorKind::kInvalidInput, {"empty"}, [&] { RunLibrary::rename(library.find("a"), " "); });
    const RunLock lock(folder / "a");
    expectError(ErrorKind::kInvalidInput, {"new", "under way"}, [&] { RunLibrary::rename(library.find("a"), "x"); });
}

TEST_F(Library, aRenamedRunCanStillBeMoved) {
    makeRun(folder / "a");
    session::RunSpec spec = specOf(folder / "a");
    spec.data.datasets.front().files = {folder / "a" / "rows.jsonl"};
    session::writeRunSpec(spec, RunFiles{folder / "a"}.spec());
    RunLibrary library = open();
    RunLibrary::rename(library.find("a"), "new");
    fs::rename(folder / "a", folder / "b");
    const session::RunSpec moved = session::readRunSpec(RunFiles{folder / "b"}.spec());
    EXPECT_EQ(moved.name, "new");
    EXPECT_EQ(moved.data.datasets.front().files.at(0), folder / "b" / "rows.jsonl");
    EXPECT_EQ(moved.output.folder, folder / "b");
}

TEST_F(Library, takesNoSecretAsANameOrANote) {
    const StoredRun run = readRun(makeRun(folder / "a", {.name = "before"}));
    expectError(ErrorKind::kInvalidInput, {"The new name is 'sk-(hidden)'"},
                [&] { RunLibrary::rename(run, "sk-aB3dEfGh1jKlMnOpQrStUvWx"); });
    expectError(ErrorKind::kInvalidInput, {"The note is 'password=(hidden) here'"},
                [&] { RunLibrary::setNote(run, "password=hunter2 here"); });
    EXPECT_EQ(names(), std::vector<std::string>{"before"});
    EXPECT_FALSE(fs::exists(RunFiles{run.folder}.note()));
}

// Of versions that took them.
TEST_F(Library, showsNoSecretOfAnOldRun) {
    const std::string secret = "aB3dEfGh1jKlMnOpQrStUvWx";
    const fs::path place = makeRun(folder / ("hf_" + secret + "-20260131"), {.name = "my hf_" + secret});
    writeFileAtomically(RunFiles{place}.note(), "api_key: " + secret);
    RunLibrary library = open();
    const StoredRun run = library.list().at(0);
    EXPECT_EQ(run.name, "my hf_(hidden)");
    EXPECT_EQ(run.note, "api_key: (hidden)");
    EXPECT_EQ(shownFolderOf(run), "hf_(hidden)-20260131");
    EXPECT_EQ(specOf(place).name, "my hf_(hidden)") << "what goes on takes this one along";
    for (const std::string& which : {shownFolderOf(run), place.filename().string(), run.name, "my hf_" + secret})
        EXPECT_EQ(library.find(which).folder, place) << which;
    EXPECT_EQ(readTextFile(index).find("my hf_" + secret), std::string::npos);
}

TEST_F(Library, keepsNotes) {
    makeRun(folder / "a");
    RunLibrary library = open();
    RunLibrary::setNote(library.find("a"), "four times the rank\nnot worth it");
    EXPECT_EQ(library.find("a").note, "four times the rank\nnot worth it");
    RunLibrary::setNote(library.find("a"), "");
    RunLibrary::setNote(library.find("a"), "");
    EXPECT_EQ(library.find("a").note, "");
    EXPECT_FALSE(fs::exists(folder / "a" / "note.txt"));
}

TEST_F(Library, deletesWhatLiesInIt) {
    makeRun(folder / "a");
    makeRun(folder / "b");
    RunLibrary library = open();
    EXPECT_TRUE(library.isInside(library.find("a")));
    library.remove(library.find("a"));
    EXPECT_FALSE(fs::exists(folder / "a"));
    EXPECT_EQ(names(), std::vector<std::string>{"b"});
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        EXPECT_EQ(entry.path().filename(), "b"); // nothing half deleted
    }
}

TEST_F(Library, deletesNothingOutside) {
    const fs::path elsewhere = makeRun(home.path() / "far");
    linkRun(elsewhere, folder);
    RunLibrary library = open();
    const StoredRun linked = library.find("far");
    EXPECT_FALSE(library.isInside(linked));
    library.remove(linked);
    EXPECT_TRUE(fs::exists(elsewhere / "run.json"));
    EXPECT_TRUE(names().empty());
    expectError(ErrorKind::kInvalidInput, {"far", "not in the list"},
                [&] { library.remove(library.find(elsewhere.string())); });
    EXPECT_TRUE(fs::exists(elsewhere / "run.json"));
    StoredRun sly = readRun(elsewhere);
    sly.folder = folder / ".." / "far";
    expectError(ErrorKind::kInvalidInput, {"not in the list"}, [&] { library.remove(sly); });
    EXPECT_TRUE(fs::exists(elsewhere / "run.json"));
    // A library that is reached by a link is the same library.
    makeRun(folder / "a");
    fs::create_directory_symlink(folder, home.path() / "link");
    RunLibrary linkedLibrary(home.path() / "link", index);
    linkedLibrary.remove(linkedLibrary.find("a"));
    EXPECT_FALSE(fs::exists(folder / "a"));
}

TEST_F(Library, deletesNothingThatRuns) {
    makeRun(folder / "a", {.name = "busy"});
    RunLibrary library = open();
    const RunLock lock(folder / "a");
    expectError(ErrorKind::kInvalidInput, {"busy", "under way"}, [&] { library.remove(library.find("a")); });
    EXPECT_TRUE(fs::exists(folder / "a" / "run.json"));
}

TEST_F(Library, deletesSingleCheckpoints) {
    makeRun(folder / "a", {.name = "run"});
    fs::create_directories(RunFiles{folder / "a"}.bestCheckpoint());
    writeTrainingState({1, 42, 4.0}, RunFiles{folder / "a"}.bestCheckpoint());
    RunLibrary library = open();
    expectError(ErrorKind::kInvalidInput, {"run", "../a", "It has: last, best"},
                [&] { library.removeCheckpoint(library.find("a"), "../a"); });
    library.removeCheckpoint(library.find("a"), "best");
    const StoredRun left = library.find("a");
    ASSERT_EQ(left.checkpoints.size(), 1U);
    EXPECT_EQ(left.checkpoints[0].name, "last");
    EXPECT_TRUE(left.isToResumeFrom(left.checkpoints[0]));
    EXPECT_TRUE(fs::exists(RunFiles{folder / "a"}.adapter()));
    expectError(ErrorKind::kInvalidInput, {"no checkpoint 'best'"}, [&] { library.removeCheckpoint(left, "best"); });
    {
        const RunLock lock(folder / "a");
        expectError(ErrorKind::kInvalidInput, {"under way"}, [&] { library.removeCheckpoint(left, "last"); });
    }
    linkRun(makeRun(home.path() / "far"), folder);
    expectError(ErrorKind::kInvalidInput, {"lies elsewhere"},
                [&] { library.removeCheckpoint(library.find("far"), "last"); });
    EXPECT_TRUE(fs::exists(RunFiles{home.path() / "far"}.lastCheckpoint()));
    library.removeCheckpoint(left, "last");
    EXPECT_TRUE(library.find("a").checkpoints.empty());
}

TEST_F(Library, readsAFolderOnlyWhereItChanged) {
    for (const char* name : {"a", "b", "c"})
        makeRun(folder / name);
    const std::vector<fs::path> all = {folder / "a", folder / "b", folder / "c"};
    {
        RunIndex first(index);
        first.runsIn(all);
        EXPECT_EQ(first.numRead(), 3);
        first.runsIn(all);
        EXPECT_EQ(first.numRead(), 3);
    }
    RunIndex next(index);
    RunLibrary::setNote(readRun(folder / "b"), "changed");
    const std::vector<StoredRun> runs = next.runsIn(all);
    EXPECT_EQ(next.numRead(), 1);
    EXPECT_EQ(runs[1].note, "changed");
    // What comes from the index is what the folder says.
    const StoredRun read = readRun(folder / "a");
    EXPECT_EQ(runs[0].name, read.name);
    EXPECT_EQ(runs[0].outcome, read.outcome);
    EXPECT_EQ(runs[0].startedAt, read.startedAt);
    EXPECT_EQ(runs[0].endedAt, read.endedAt);
    EXPECT_EQ(runs[0].model, read.model);
    EXPECT_EQ(runs[0].devices, read.devices);
    EXPECT_EQ(runs[0].steps, read.steps);
    EXPECT_EQ(runs[0].totalSteps, read.totalSteps);
    EXPECT_EQ(runs[0].seconds, read.seconds);
    EXPECT_EQ(runs[0].tokens, read.tokens);
    EXPECT_EQ(runs[0].lastLoss, read.lastLoss);
    EXPECT_EQ(runs[0].firstValidation, read.firstValidation);
    EXPECT_EQ(runs[0].lastValidation, read.lastValidation);
    EXPECT_EQ(runs[0].bestValidation, read.bestValidation);
    EXPECT_EQ(runs[0].bytes, read.bytes);
    EXPECT_EQ(runs[0].adapterBytes, read.adapterBytes);
    ASSERT_EQ(runs[0].checkpoints.size(), 1U);
    EXPECT_EQ(runs[0].checkpoints[0].name, read.checkpoints[0].name);
    EXPECT_EQ(runs[0].checkpoints[0].step, read.checkpoints[0].step);
    EXPECT_EQ(runs[0].checkpoints[0].validationLoss, read.checkpoints[0].validationLoss);
    EXPECT_EQ(runs[0].checkpoints[0].bytes, read.checkpoints[0].bytes);
    next.runsIn({folder / "a"});
    next.runsIn(all);
    EXPECT_EQ(next.numRead(), 3) << "the others had been forgotten";
}

TEST_F(Library, makesABrokenOrStrangeIndexAnew) {
    makeRun(folder / "a", {.name = "one"});
    EXPECT_EQ(names(), std::vector<std::string>{"one"});
    writeFileAtomically(index, "This is no database, but a text that is long enough to be looked at as if it were.");
    EXPECT_EQ(names(), std::vector<std::string>{"one"});
    writeFileAtomically(index, "");
    EXPECT_EQ(names(), std::vector<std::string>{"one"});
    fs::remove(index);
    EXPECT_EQ(names(), std::vector<std::string>{"one"});
    fs::create_directories(home.path() / "taken");
    expectError(ErrorKind::kIo, {"taken"}, [&] { RunIndex(home.path() / "taken"); });
}

// As a run's program and one that looks for it do on a machine that had none before.
TEST_F(Library, severalMayMakeTheIndexAtOnce) {
    makeRun(folder / "a", {.name = "one"});
    for (int round = 0; round < 20; ++round) {
        fs::remove(index);
        std::atomic<int> numFound = 0;
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                try {
                    if (names() == std::vector<std::string>{"one"}) ++numFound;
                } catch (const Error& error) {
                    ADD_FAILURE() << error.message();
                }
            });
        threads.clear();
        ASSERT_EQ(numFound.load(), 4) << "in round " << round;
    }
}

// Hundreds of runs are listed within what the eye takes for at once.
TEST_F(Library, listsHundredsFromTheIndex) {
    for (int i = 0; i < 300; ++i)
        makeRun(folder / ("run " + std::to_string(i)), {.startedAt = i});
    RunLibrary library = open();
    library.list();
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(library.list().size(), 300U);
    const auto took = std::chrono::steady_clock::now() - begin;
    std::cout << "300 runs from the index: " << std::chrono::duration<double, std::milli>(took).count() << " ms\n";
    EXPECT_LT(took, std::chrono::seconds(2));
}

} // namespace
} // namespace roundpipe::runs
