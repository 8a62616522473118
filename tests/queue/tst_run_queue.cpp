// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "queue/device_sets.h"
#include "queue/run_queue.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <set>
#include <thread>

namespace roundpipe::queue {
namespace {

QueuedRun named(const std::string& name) {
    QueuedRun run;
    run.spec.name = name;
    run.spec.model.path = "/models/a";
    run.spec.output.folder = "/runs/" + name;
    run.prompts = {"Hello?"};
    run.sweep = "grid";
    return run;
}

std::string namesOf(const std::vector<QueuedRun>& runs) {
    std::string names;
    for (const QueuedRun& run : runs)
        names += run.spec.name + std::to_string(run.number) + " ";
    return names;
}

class TheQueue : public ::testing::Test {
protected:
    std::filesystem::path file() const { return m_folder.path() / "queue" / "queue.json"; }
    std::string text() const { return readTextFile(file(), 1 << 20); }
    void replaceLast(const std::string& part, const std::string& by) const {
        std::string all = text();
        const std::size_t at = all.rfind(part);
        ASSERT_NE(at, std::string::npos) << part;
        writeFileAtomically(file(), all.replace(at, part.size(), by));
    }
    testing::TemporaryFolder m_folder;
    RunQueue m_queue{m_folder.path() / "queue"};
};

TEST_F(TheQueue, keepsRunsInTheOrderThatTheyAreGiven) {
    EXPECT_TRUE(m_queue.waiting().empty()) << "of a folder that is not there";
    EXPECT_EQ(m_queue.add({named("a"), named("b")}), 1);
    EXPECT_EQ(m_queue.add({named("c")}), 3);
    m_queue.move(3, 0);
    EXPECT_EQ(namesOf(m_queue.waiting()), "c3 a1 b2 ");
    m_queue.move(3, 99);
    EXPECT_EQ(namesOf(m_queue.waiting()), "a1 b2 c3 ");
    m_queue.remove({2});
    EXPECT_EQ(m_queue.add({named("d")}), 4) << "a number is never given twice";
    EXPECT_EQ(namesOf(m_queue.waiting()), "a1 c3 d4 ");
    EXPECT_EQ(m_queue.waiting().front().prompts, std::vector<std::string>{"Hello?"});
    EXPECT_EQ(session::toJson(m_queue.waiting().front().spec), session::toJson(named("a").spec));
    EXPECT_THROW(m_queue.move(2, 0), Error);
    EXPECT_THROW(m_queue.remove({1, 2}), Error);
    EXPECT_EQ(namesOf(m_queue.waiting()), "a1 c3 d4 ") << "all of them or none";
}

TEST_F(TheQueue, givesEachRunOnceAndRemembersWhere) {
    m_queue.add({named("a"), named("b")});
    const auto isB = [](const QueuedRun& run) { return run.spec.name == "b"; };
    ASSERT_TRUE(m_queue.take(isB));
    EXPECT_FALSE(m_queue.take(isB));
    ASSERT_EQ(m_queue.begun().size(), 1U);
    EXPECT_EQ(m_queue.begun().front().folder, "/runs/b");
    EXPECT_EQ(m_queue.begun().front().sweep, "grid");
    QueuedRun without = named("c");
    without.spec.output.folder.clear();
    m_queue.add({without});
    m_queue.remove({1});
    const auto taken = m_queue.take([](const QueuedRun&) { return true; });
    EXPECT_FALSE(taken->spec.output.folder.empty()) << "a folder of its own is found when it begins";
}

TEST_F(TheQueue, keepsBytesThatAreNoUtf8) {
    const std::string bytes = "bad \xff";
    QueuedRun run = named(bytes.c_str());
    run.spec.output.folder = "/runs/" + bytes;
    run.sweep = bytes;
    run.prompts = {bytes};
    m_queue.add({run});
    const auto taken = m_queue.take([](const QueuedRun&) { return true; });
    ASSERT_TRUE(taken) << "it would hold up the line for ever";
    EXPECT_EQ(taken->sweep, bytes);
    EXPECT_EQ(taken->prompts, std::vector<std::string>{bytes});
    m_queue.noteFailure(taken->number, "Cannot open '" + bytes + "'.", bytes);
    const BegunRun begun = m_queue.begun().front();
    EXPECT_EQ(begun.name, bytes);
    EXPECT_EQ(begun.sweep, bytes);
    EXPECT_EQ(begun.folder, "/runs/" + bytes);
    EXPECT_EQ(begun.problem, "Cannot open '" + bytes + "'.");
    EXPECT_EQ(begun.advice, bytes);
}

TEST_F(TheQueue, keepsARunThatItCannotReadWhereItWaits) {
    m_queue.add({named("a"), named("b"), named("c")});
    replaceLast("\"b\"", "\"b\",\n \"gates\": [1, 2]");
    const std::vector<QueuedRun> waiting = m_queue.waiting();
    ASSERT_EQ(namesOf(waiting), "a1 b2 c3 ");
    EXPECT_TRUE(waiting[0].isReadable());
    EXPECT_FALSE(waiting[1].isReadable());
    EXPECT_EQ(waiting[1].sweep, "grid");
    for (const char* part : {"Run 2 of the queue", "gates"})
        EXPECT_NE(waiting[1].problem.find(part), std::string::npos) << part << " in " << waiting[1].problem;
    EXPECT_NE(waiting[1].advice.find("queue.json"), std::string::npos) << waiting[1].advice;

    const auto any = [](const QueuedRun&) { return true; };
    m_queue.move(2, 0);
    EXPECT_EQ(m_queue.take(any)->number, 1) << "it is passed over";
    EXPECT_TRUE(canGoOn(m_queue.waiting()));
    EXPECT_EQ(m_queue.take(any)->number, 3);
    EXPECT_FALSE(canGoOn(m_queue.waiting()));
    EXPECT_FALSE(m_queue.take(any));
    EXPECT_NE(text().find("\"gates\""), std::string::npos) << "written back as it was";

    const QueuedRun taken = m_queue.waiting().front();
    m_queue.remove({2});
    EXPECT_EQ(text().find("\"gates\""), std::string::npos);
    EXPECT_EQ(m_queue.add({taken}), 4) << "brought back";
    EXPECT_NE(text().find("\"gates\""), std::string::npos);
    EXPECT_EQ(namesOf(m_queue.waiting()), "b4 ");
}

TEST_F(TheQueue, losesNothingOfALaterVersion) {
    m_queue.add({named("a")});
    replaceLast("\"sweep\": \"grid\"", "\"sweep\": \"grid\", \"begins_after\": 77");
    replaceLast("\"when_done\": \"nothing\"", "\"when_done\": \"dance\", \"noise\": 88");
    replaceLast("\"next_number\"", "\"people\": [99], \"next_number\"");
    ASSERT_TRUE(m_queue.waiting().front().isReadable());
    m_queue.move(1, 0);
    m_queue.choose([](QueueChoices& choices) { choices.isPaused = true; });
    for (const char* part : {"77", "88", "99", "dance", "\"paused\": true"})
        EXPECT_NE(text().find(part), std::string::npos) << part << " in " << text();
    m_queue.choose([](QueueChoices& choices) { choices.whenDone = WhenDone::kSleep; });
    EXPECT_EQ(text().find("dance"), std::string::npos) << "another was chosen";
}

TEST_F(TheQueue, refusesNumbersThatAreNoneInWords) {
    m_queue.add({named("a")});
    const std::string whole = text();
    for (const char* number : {"1e30", "-1", "0", "1.5", "2", "18446744073709551615", "\"1\"", "null"}) {
        writeFileAtomically(file(), whole);
        replaceLast("\"number\": 1", std::string("\"number\": ") + number);
        testing::expectError(ErrorKind::kInvalidInput, {"queue.json", "'number' is", "above 0 and below 2"},
                             [&] { m_queue.waiting(); });
    }
    for (const char* number : {"1e30", "-3", "0", "2.5", "9223372036854775807"}) {
        writeFileAtomically(file(), whole);
        replaceLast("\"next_number\": 2", std::string("\"next_number\": ") + number);
        testing::expectError(ErrorKind::kInvalidInput, {"queue.json", "'next_number' is", "whole number"},
                             [&] { m_queue.waiting(); });
    }
    for (const char* seconds : {"-5", "1e30", "\"long\""}) {
        writeFileAtomically(file(), whole);
        replaceLast("\"expected_seconds\": 0.0", std::string("\"expected_seconds\": ") + seconds);
        EXPECT_FALSE(m_queue.waiting().front().isReadable()) << seconds;
    }
    writeFileAtomically(file(), whole);
    m_queue.add({named("b")});
    replaceLast("\"number\": 2", "\"number\": 1");
    testing::expectError(ErrorKind::kInvalidInput, {"two runs have number 1"}, [&] { m_queue.waiting(); });
}

TEST_F(TheQueue, refusesWhatIsNestedWithoutEnd) {
    m_queue.add({named("a")});
    replaceLast("\"run\": {", "\"run\": {\"gates\": " + std::string(200'000, '[') + std::string(200'000, ']') + ",");
    testing::expectError(ErrorKind::kInvalidInput, {"queue.json", "nested more than 100 deep"},
                         [&] { m_queue.waiting(); });
}

TEST_F(TheQueue, movesAThousandRunsAtOnce) {
    std::vector<QueuedRun> runs;
    std::vector<int64_t> numbers;
    for (int i = 0; i < 1000; ++i) {
        runs.push_back(named("x" + std::to_string(i)));
        if (i >= 500) numbers.push_back(i + 1);
    }
    m_queue.add(runs);
    const auto begin = std::chrono::steady_clock::now();
    m_queue.moveBefore(numbers, 1);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << "one by one it takes minutes";
    EXPECT_EQ(m_queue.waiting().front().number, 501);
    EXPECT_EQ(m_queue.waiting()[500].number, 1);
    m_queue.moveBefore({3, 2}, std::nullopt);
    EXPECT_EQ(m_queue.waiting()[998].number, 3);
    EXPECT_EQ(m_queue.waiting()[999].number, 2);
    EXPECT_THROW(m_queue.moveBefore({1, 7777}, 501), Error);
    EXPECT_EQ(m_queue.waiting()[500].number, 1) << "all of them or none";
    std::vector<QueuedRun> some{named("a"), named("b")};
    some[0].number = 1;
    some[1].number = 2;
    moveBefore(some, std::array<int64_t, 3>{2, 9, 2}, 1);
    EXPECT_EQ(namesOf(some), "b2 a1 ") << "what is not there is passed over";
}

TEST_F(TheQueue, takesNoSecretWhereverItStands) {
    const std::string secret = "xoxb-123456789012-abcdefgh";
    QueuedRun inSetting = named("a"), inPrompt = named("b"), inSweep = named("c");
    inSetting.spec.name = inSetting.spec.data.datasets.front().promptTemplate = "{question} " + secret;
    inPrompt.prompts.push_back("Use " + secret);
    inSweep.sweep = secret;
    for (const QueuedRun& run : {inSetting, inPrompt, inSweep})
        testing::expectError(ErrorKind::kInvalidInput, {"xoxb-(hidden)"}, [&] { m_queue.add({run}); });
    EXPECT_TRUE(m_queue.waiting().empty());
}

// Of a version that took them.
TEST_F(TheQueue, hidesSecretsInNamesThatItHolds) {
    const auto putSecret = [&] {
        std::string content = text();
        for (std::size_t at = 0; (at = content.find("\"PLACE\"", at)) != std::string::npos;)
            content.replace(at, 7, "\"hf_aB3dEfGh1jKlMnOpQrStUvWx\"");
        writeFileAtomically(file(), content);
    };
    for (const char* const folder : {"/runs/a", "/runs/b"}) {
        QueuedRun run = named("PLACE");
        run.sweep = "PLACE";
        run.spec.output.folder = folder;
        m_queue.add({run});
    }
    ASSERT_TRUE(m_queue.take([](const QueuedRun&) { return true; }));
    putSecret();
    EXPECT_EQ(m_queue.waiting().front().spec.name, "hf_(hidden)");
    EXPECT_EQ(m_queue.waiting().front().sweep, "hf_(hidden)");
    EXPECT_EQ(m_queue.begun().front().name, "hf_(hidden)");
    EXPECT_EQ(m_queue.begun().front().sweep, "hf_(hidden)");
}

TEST_F(TheQueue, refusesAFolderThatIsAnothersAlready) {
    m_queue.add({named("a")});
    EXPECT_THROW(m_queue.add({named("b"), named("a")}), Error);
    EXPECT_EQ(namesOf(m_queue.waiting()), "a1 ") << "all of them or none";
    QueuedRun without = named("a");
    without.spec.output.folder.clear();
    EXPECT_NO_THROW(m_queue.add({without, without})) << "folders are found for these";
}

TEST_F(TheQueue, whatFailsInAnothersFolderHasNone) {
    const std::vector<BegunRun> begun{{1, "a", "", "/runs/a", "", ""},
                                      {2, "b", "", "/runs/a", "It holds the results of another run.", ""},
                                      {3, "c", "", "/runs/c", "NaN", ""}};
    EXPECT_TRUE(hasOwnFolder(begun[0], begun));
    EXPECT_FALSE(hasOwnFolder(begun[1], begun));
    EXPECT_TRUE(hasOwnFolder(begun[2], begun)) << "it may have trained for hours";
}

TEST_F(TheQueue, severalProgramsMayChangeItAtOnce) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([this, t] {
            RunQueue own(m_folder.path() / "queue");
            for (int i = 0; i < 10; ++i) {
                own.add({named("x" + std::to_string(10 * t + i))});
                own.take([](const QueuedRun&) { return true; });
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    std::set<int64_t> numbers;
    for (const BegunRun& run : m_queue.begun())
        EXPECT_TRUE(numbers.insert(run.number).second) << "taken twice";
    EXPECT_EQ(numbers.size(), 40U);
    EXPECT_TRUE(m_queue.waiting().empty());
}

TEST_F(TheQueue, aDamagedFileIsNamedAndNotReplaced) {
    m_queue.add({named("a")});
    const std::filesystem::path file = m_folder.path() / "queue" / "queue.json";
    const std::vector<std::pair<const char*, const char*>> damaged = {
        {"{\n \"next_number\": }", "line 2, column 17"},
        {"{", "ends"},
        {"[]", "not as it should be"},
        {R"({"next_number": 1, "waiting": [{}], "begun": []})", "'number'"},
        {R"({"next_number": "x", "waiting": [], "begun": []})", "number"}};
    for (const auto& [content, words] : damaged) {
        writeFileAtomically(file, content);
        try {
            m_queue.add({named("b")});
            FAIL() << content;
        } catch (const Error& error) {
            for (const char* part : {"queue.json", words})
                EXPECT_NE(error.message().find(part), std::string::npos) << part << " in " << error.message();
            for (const char* part : {"json.exception", "parse error", "_error"})
                EXPECT_EQ(error.message().find(part), std::string::npos) << "the library's words: " << error.message();
            EXPECT_NE(error.advice().find("move the file away"), std::string::npos) << error.advice();
        }
        EXPECT_EQ(readTextFile(file), content);
    }
}

TEST_F(TheQueue, remembersHowItIsToBeTrained) {
    EXPECT_EQ(m_queue.contents().choices, QueueChoices{});
    m_queue.choose([](QueueChoices& choices) { choices = {true, AfterError::kPause, WhenDone::kSleep}; });
    const RunQueue other(m_folder.path() / "queue");
    EXPECT_EQ(other.contents().choices, (QueueChoices{true, AfterError::kPause, WhenDone::kSleep}));
    QueuedRun known = named("a");
    known.expectedSeconds = 90.5;
    m_queue.add({known});
    EXPECT_EQ(other.waiting().front().expectedSeconds, 90.5);
}

TEST_F(TheQueue, ofAVersionThatKnewLessIsReadAsItIs) {
    m_queue.add({named("a")});
    const std::filesystem::path file = m_folder.path() / "queue" / "queue.json";
    writeFileAtomically(file, R"({"next_number": 8, "waiting": [],
        "begun": [{"number": 7, "sweep": "grid", "folder": "/runs/b"}], "choices": {"when_done": "dance"}})");
    EXPECT_EQ(m_queue.contents().choices, QueueChoices{});
    EXPECT_EQ(m_queue.begun().front().folder, "/runs/b");
    EXPECT_EQ(m_queue.add({named("c")}), 8);
}

TEST_F(TheQueue, givesNothingWhileItPauses) {
    m_queue.add({named("a")});
    const auto any = [](const QueuedRun&) { return true; };
    m_queue.choose([](QueueChoices& choices) { choices.isPaused = true; });
    EXPECT_FALSE(m_queue.take(any));
    m_queue.choose([](QueueChoices& choices) { choices.isPaused = false; });
    EXPECT_TRUE(m_queue.take(any));
}

TEST_F(TheQueue, keepsWhyARunFailedAndPausesWhereThatWasChosen) {
    m_queue.add({named("a"), named("b"), named("c")});
    const auto any = [](const QueuedRun&) { return true; };
    m_queue.take(any);
    m_queue.noteFailure(1, "No rows.", "Give some.");
    EXPECT_EQ(m_queue.begun().front().name, "a");
    EXPECT_EQ(m_queue.begun().front().problem, "No rows.");
    EXPECT_EQ(m_queue.begun().front().advice, "Give some.");
    EXPECT_FALSE(m_queue.contents().choices.isPaused);
    m_queue.choose([](QueueChoices& choices) { choices.afterError = AfterError::kPause; });
    m_queue.take(any);
    m_queue.noteFailure(2, "No rows.", "");
    EXPECT_TRUE(m_queue.contents().choices.isPaused);
    m_queue.noteFolder(2, "/moved/b");
    EXPECT_EQ(m_queue.begun().back().folder, "/moved/b");
    EXPECT_NO_THROW(m_queue.noteFolder(99, "/of one that is forgotten"));
    EXPECT_FALSE(m_queue.begun().back().hasEnded);
    m_queue.noteEnds(std::array<int64_t, 2>{2, 99});
    EXPECT_TRUE(m_queue.begun().back().hasEnded);
    EXPECT_FALSE(m_queue.begun().front().hasEnded);
}

TEST_F(TheQueue, isTrainedByOneAtATime) {
    EXPECT_FALSE(m_queue.isTrained()) << "of a folder that is not there";
    {
        const runs::RunLock lock = m_queue.lockForTraining();
        EXPECT_TRUE(m_queue.isTrained());
        EXPECT_THROW(m_queue.lockForTraining(), Error);
    }
    EXPECT_FALSE(m_queue.isTrained());
}

TEST(DeviceSets, runsThatMeetAreOfOneLine) {
    using Lines = std::vector<std::vector<std::size_t>>;
    EXPECT_EQ(linesOf({}), Lines{});
    EXPECT_EQ(linesOf({{"cuda:0"}, {"cuda:1"}, {"cuda:0"}}), (Lines{{0, 2}, {1}}));
    EXPECT_EQ(linesOf({{"cuda:0"}, {"cuda:1"}, {"cpu"}, {"cuda:1", "cuda:0"}}), (Lines{{0, 1, 3}, {2}}))
        << "the last one joins two";
    EXPECT_EQ(linesOf({{"cuda:0"}, {"cpu"}, {"auto"}}), (Lines{{0, 1, 2}}));
}

TEST(DeviceSets, runsMeetWhereTheyWantTheSameDevice) {
    EXPECT_TRUE(shareDevices({"auto"}, {"cuda:1"}));
    EXPECT_TRUE(shareDevices({}, {"cpu"}));
    EXPECT_TRUE(shareDevices({"cuda:0", "cuda:1"}, {"cuda:1@20GiB"}));
    EXPECT_TRUE(shareDevices({"cuda:0@4090"}, {"cuda:0@3090@20GiB"}));
    EXPECT_TRUE(shareDevices({"cpu:2"}, {"cpu"}));
    EXPECT_FALSE(shareDevices({"cuda:0"}, {"cuda:1", "cuda:2"}));
    EXPECT_FALSE(shareDevices({"cuda:1"}, {"cuda:10"}));
    EXPECT_FALSE(shareDevices({"cpu"}, {"cuda:0"}));
}

} // namespace
} // namespace roundpipe::queue
