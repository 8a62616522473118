// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "runs/answers_file.h"
#include "runs/debug_report.h"
#include "runs/journal.h"
#include "runs/some_run.h"
#include "runs/stored_run.h"
#include "testing/fixtures.h"
#include "trace/files/trace_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;
constexpr int64_t kSecond = 1'000'000'000;
constexpr const char* kOfRows =
    "There is no trained token; dropped: 3 of the role \"SECRET\". First: row 1, \"SECRET\".";

class DebugReport : public ::testing::Test {
protected:
    DebugReport() {
        ::setenv("HOME", m_home.path().c_str(), 1);
        makeRun(run(), {.name = "mine", .state = session::RunState::kFailed});
        session::RunSpec spec = specOf(run());
        spec.model.path = (m_home.path() / "models/own").string();
        spec.data.datasets.front().files = {(m_home.path() / "rows.jsonl").string()};
        spec.data.datasets.front().systemPrompt = "SECRET words";
        spec.data.datasets.front().promptTemplate = "SECRET {question}";
        writeFileAtomically(files().spec(), session::toJson(spec));
        appendAnswer({4, true, "SECRET question", "SECRET answer"}, files().answers());
        Journal(files().journal()).add(JournalEvent::kCheckpoint, 2, "checkpoints/last", "");
        Journal(files().journal()).add(JournalEvent::kRefused, 2, "", kOfRows);
        writeFileAtomically(files().log(), "loading " + m_home.path().string() +
                                               "/models/own\ndropped SECRET row\nthe driver is gone\n");
        fs::create_directories(rigs());
        writeFileAtomically(rigs() / "rig.json", "{\"devices\": []}");
    }
    fs::path run() const { return m_home.path() / "runs" / "a run"; }
    RunFiles files() const { return {run()}; }
    fs::path rigs() const { return m_home.path() / "rigs"; }
    // What is in the report, by name.
    std::map<std::string, std::string> report() {
        const fs::path target = m_home.path() / "report.tar.gz";
        writeDebugReport(run(), rigs(), target);
        const fs::path out = m_home.path() / "unpacked";
        fs::remove_all(out);
        fs::create_directories(out);
        EXPECT_EQ(std::system(("tar -xzf '" + target.string() + "' -C '" + out.string() + "'").c_str()), 0);
        std::map<std::string, std::string> contents;
        for (const auto& entry : fs::directory_iterator(out / "a run-report"))
            contents[entry.path().filename().string()] = readTextFile(entry.path());
        return contents;
    }
    void makeTrace(int64_t seconds) {
        trace::TraceFileWriter writer(files().trace(), trace::makeLanes({"GPU 0"}), 0, {});
        for (int64_t i = 0; i < seconds; ++i) {
            trace::Record record;
            record.kind = trace::Kind::kForward;
            record.lane = trace::makeLanes({"GPU 0"}).front().id;
            record.queuedNs = record.startNs = i * kSecond;
            record.endNs = record.startNs + kSecond / 2;
            writer.append({&record, 1});
        }
        writer.finish(0);
    }

    testing::TemporaryFolder m_home;
};

TEST_F(DebugReport, holdsWhatAFaultIsFoundByAndNothingElse) {
    makeTrace(200);
    const auto contents = report();
    std::set<std::string> names;
    for (const auto& [name, content] : contents) {
        names.insert(name);
        EXPECT_EQ(content.find("SECRET"), std::string::npos) << name;
        EXPECT_EQ(content.find(m_home.path().string()), std::string::npos) << name;
    }
    EXPECT_EQ(names, (std::set<std::string>{"about.txt", "journal.jsonl", "metrics.jsonl", "rig.json", "run.log",
                                            "settings.json", "status.json", "trace.rptrace"}));
    EXPECT_NE(contents.at("about.txt").find(ROUNDPIPE_VERSION), std::string::npos);
    EXPECT_NE(contents.at("about.txt").find("The disk is full."), std::string::npos);
    EXPECT_NE(contents.at("settings.json").find("~/models/own"), std::string::npos);
    EXPECT_NE(contents.at("settings.json").find("bytes of text"), std::string::npos);
    EXPECT_EQ(contents.at("run.log"), "loading ~/models/own\nthe driver is gone\n");
    EXPECT_NE(contents.at("journal.jsonl").find("checkpoints/last"), std::string::npos);
    const trace::TraceFile trace(m_home.path() / "unpacked/a run-report/trace.rptrace");
    EXPECT_TRUE(trace.isComplete());
    EXPECT_GE(trace.numRecords(), 59) << "the last minute";
    EXPECT_LE(trace.numRecords(), 61);
}

TEST_F(DebugReport, holdsNoSecretsOfAddresses) {
    session::RunSpec spec = specOf(run());
    spec.model.path = "https://me:SECRET@host/model";
    spec.model.baseModelId = "https://SECRET@host/base";
    spec.data.datasets.front().files = {"https://host/rows.jsonl?token=SECRET&part=1"};
    writeFileAtomically(files().spec(), session::toJson(spec));
    RunStatus status = readStatus(run());
    status.problem = "Cannot open 'https://me:SECRET@host/model'.";
    writeStatus(status, run());
    writeFileAtomically(files().log(), "reading https://me:SECRET@host/model\n");
    Journal(files().journal()).add(JournalEvent::kRemedy, 2, "", "'model.path' was https://me:SECRET@host/model.");
    EXPECT_EQ(readTextFile(files().journal()).find("me:SECRET"), std::string::npos);
    const auto contents = report();
    for (const auto& [name, content] : contents)
        EXPECT_EQ(content.find("SECRET"), std::string::npos) << name;
    EXPECT_NE(contents.at("settings.json").find("(hidden)@host/model"), std::string::npos);
    EXPECT_NE(contents.at("settings.json").find("?token=(hidden)&part=1"), std::string::npos);
}

// Of versions that took them.
TEST_F(DebugReport, holdsNoSecretOfAnOldRunsName) {
    const std::string token = "hf_aB3dEfGh1jKlMnSECRETuVwX", key = "-----BEGIN PRIVATE KEY-----\nSECRET";
    const fs::path old = m_home.path() / "runs" / (token + " " + std::string(60, 'x'));
    fs::rename(run(), old);
    const RunFiles files{old};
    session::RunSpec spec = specOf(old);
    spec.name = "my " + token;
    spec.model.baseModelId = key;
    writeFileAtomically(files.spec(), session::toJson(spec));
    RunStatus status = readStatus(old);
    status.problem = "There is no '" + token + "'.";
    status.model = key;
    writeStatus(status, old);
    writeFileAtomically(files.log(), "run " + token + "\napi_key: SECRET0123456789\n");
    writeFileAtomically(files.journal(), R"({"time":1,"elapsed":0,"event":"begun","step":0,"what":")" + token +
                                             R"(","text":"password: SECRET123"})" + "\n");
    {
        trace::TraceFileWriter writer(files.trace(), trace::makeLanes({"GPU 0"}), 0,
                                      {{"layer"}, {{"run", spec.name}, {"model", (m_home.path() / "own").string()}}});
        writer.finish(0);
    }
    const fs::path target = m_home.path() / "report.tar.gz", out = m_home.path() / "unpacked";
    writeDebugReport(old, rigs(), target);
    fs::create_directories(out);
    ASSERT_EQ(std::system(("tar -xzf '" + target.string() + "' -C '" + out.string() + "'").c_str()), 0);
    std::map<std::string, std::string> contents;
    for (const auto& entry : fs::recursive_directory_iterator(out)) {
        EXPECT_EQ(entry.path().string().find("SECRET"), std::string::npos) << entry.path();
        if (entry.is_regular_file()) contents[entry.path().filename().string()] = readTextFile(entry.path());
    }
    for (const auto& [name, content] : contents) {
        EXPECT_EQ(content.find("SECRET"), std::string::npos) << name;
        EXPECT_EQ(content.find(m_home.path().string()), std::string::npos) << name;
    }
    EXPECT_NE(contents.at("trace.rptrace").find("my hf_(hidden)"), std::string::npos);
    EXPECT_EQ(session::parseRunSpec(contents.at("settings.json"), "it").name, "my hf_(hidden)");
    EXPECT_NE(contents.at("settings.json").find("\"seed\""), std::string::npos) << "nothing behind is lost";
    EXPECT_NE(contents.at("status.json").find("\"devices\""), std::string::npos);
}

TEST_F(DebugReport, ofARunThatRowsEndedQuotesNone) {
    RunStatus status = readStatus(run());
    status.problem = kOfRows;
    writeStatus(status, run());
    for (const auto& [name, content] : report())
        EXPECT_EQ(content.find("SECRET"), std::string::npos) << name;
    EXPECT_NE(report().at("about.txt").find("There is no trained token"), std::string::npos);
    EXPECT_NE(report().at("status.json").find("There is no trained token"), std::string::npos);
}

TEST_F(DebugReport, ofABrokenRunSaysWhatCannotBeRead) {
    writeFileAtomically(files().spec(), "{");
    writeFileAtomically(files().trace(), "no trace");
    fs::remove_all(rigs());
    const auto contents = report();
    EXPECT_TRUE(contents.contains("settings-problem.txt"));
    EXPECT_TRUE(contents.contains("trace-problem.txt"));
    EXPECT_FALSE(contents.contains("rig.json"));
}

// A link in the folder may lead to any file of the user's.
TEST_F(DebugReport, leavesLinksOutAndSaysSo) {
    makeTrace(10);
    const fs::path secret = m_home.path() / "passwords";
    for (const fs::path& path : {files().log(), files().status(), files().spec(), files().journal(), files().metrics(),
                                 files().trace(), files().lastCheckpoint() / "state.json"}) {
        writeFileAtomically(secret, "SECRET\n");
        fs::path own = path;
        fs::rename(path, own += ".own");
        fs::create_symlink(secret, path);
        const auto contents = report();
        for (const auto& [name, content] : contents)
            EXPECT_EQ(content.find("SECRET"), std::string::npos) << path << " in " << name;
        ASSERT_TRUE(contents.contains("left-out.txt")) << path;
        EXPECT_EQ(contents.at("left-out.txt"),
                  "'" + path.lexically_relative(run()).string() + "' is a link, and was left out.\n");
        fs::remove(path);
        fs::rename(own, path);
    }
    fs::remove(rigs() / "rig.json");
    fs::create_symlink(secret, rigs() / "rig.json");
    EXPECT_FALSE(report().contains("rig.json"));
}

TEST_F(DebugReport, isWholeOrNotThere) {
    makeTrace(10);
    const fs::path target = m_home.path() / "given-up.tar.gz";
    EXPECT_THROW(writeDebugReport(run(), rigs(), target, [] { return false; }), Error);
    EXPECT_THROW(writeDebugReport(m_home.path() / "nothing", rigs(), target), Error);
    for (const auto& entry : fs::directory_iterator(m_home.path()))
        EXPECT_EQ(entry.path().string().find("given-up"), std::string::npos) << entry.path();
}

} // namespace
} // namespace roundpipe::runs
