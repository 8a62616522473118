// SPDX-License-Identifier: GPL-3.0-or-later
// Several datasets in one run: what is loaded, what is reported, which batches come of it.
#include "byte_tokenizer.h"
#include "data/batches/batcher.h"
#include "data/report/row_browser.h"
#include "data/report/survey.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace roundpipe::data {
namespace {

using testing::expectError;

class MixtureOfDatasets : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& content) {
        const auto path = m_folder.path() / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    // A dataset of chats, of texts in a CSV, and of prompts in columns of other names.
    DataOptions chats(int count) {
        std::string rows;
        for (int i = 0; i < count; ++i)
            rows += R"({"messages":[{"role":"user","content":"question )" + std::to_string(i) +
                    R"("},{"role":"assistant","content":")" +
                    std::string(static_cast<std::size_t>(1 + i * 7 % 40), 'a') + "\"}]}\n";
        return of({write("chats.jsonl", rows)});
    }
    DataOptions texts(int count) {
        std::string rows = "text\n";
        for (int i = 0; i < count; ++i)
            rows += "text number " + std::to_string(i) + "\n";
        DataOptions options = of({write("texts.csv", rows)});
        options.trainOn = TrainOn::kAll;
        return options;
    }
    DataOptions prompts(int count) {
        std::string rows;
        for (int i = 0; i < count; ++i)
            rows += R"({"q":"ask )" + std::to_string(i) + R"(","a":"say )" + std::to_string(i) + "\"}\n";
        DataOptions options = of({write("prompts.jsonl", rows)});
        options.format = DataFormat::kCompletion;
        options.format.columns = {{"prompt", "q"}, {"completion", "a"}};
        return options;
    }
    DataOptions of(std::vector<std::filesystem::path> files) const {
        DataOptions options;
        options.files = std::move(files);
        options.maxLength = 200;
        options.validationFraction = 0.2;
        options.numThreads = 2;
        return options;
    }
    Dataset load(const std::vector<DataOptions>& datasets) const {
        return Dataset::load(datasets, m_tokenizer, m_template);
    }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path());
    const text::ChatTemplate m_template = text::ChatTemplate::fromSource(kChatMl);
};

std::set<int64_t> idsOf(const ExampleSet& examples) {
    std::set<int64_t> ids;
    for (int64_t i = 0; i < examples.size(); ++i)
        ids.insert(examples.idOf(i));
    return ids;
}

// As each alone has them: tokens, sides, dropped rows; ids and files count on.
TEST_F(MixtureOfDatasets, areLoadedAsEachAloneIs) {
    std::vector<DataOptions> datasets = {chats(31), texts(20), prompts(12)};
    datasets[0].files.push_back(
        write("broken.jsonl", "{]\n"
                              R"({"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]})"
                              "\n"));
    const Dataset all = load(datasets);
    int64_t firstId = 0, firstIndex = 0;
    int32_t firstFile = 0;
    std::size_t firstDropped = 0;
    std::set<int64_t> sides[2];
    for (std::size_t d = 0; d < datasets.size(); ++d) {
        const Dataset alone = load({datasets[d]});
        const auto part = all.training().lengths().datasets()[d];
        ASSERT_EQ(part.first, firstIndex);
        ASSERT_EQ(part.size, alone.training().size());
        ASSERT_EQ(all.validation().lengths().datasets()[d].size, alone.validation().size());
        for (int64_t i = 0; i < part.size; ++i) {
            const Example expected = alone.training()[i], found = all.training()[firstIndex + i];
            ASSERT_EQ(found.ids, expected.ids);
            ASSERT_EQ(found.trained, expected.trained);
            ASSERT_EQ(found.id, expected.id + firstId);
            ASSERT_EQ(all.training().idOf(firstIndex + i), found.id);
            ASSERT_EQ(all.where(found.place), alone.where(expected.place));
            ASSERT_EQ(found.place.file, expected.place.file + firstFile);
        }
        for (std::size_t i = 0; i < alone.dropped().size(); ++i)
            EXPECT_EQ(all.dropped().at(firstDropped + i).text, alone.dropped()[i].text);
        firstId += alone.stats().numRows;
        firstIndex += part.size;
        firstFile += static_cast<int32_t>(alone.files().size());
        firstDropped += alone.dropped().size();
    }
    EXPECT_EQ(all.dropped().size(), firstDropped);
    EXPECT_EQ(all.dropped().front().place.file, 1);
    EXPECT_EQ(all.stats().numRows, firstId);
    EXPECT_EQ(idsOf(all.training()).size() + idsOf(all.validation()).size(),
              static_cast<std::size_t>(firstId) - firstDropped);
}

TEST_F(MixtureOfDatasets, keepATokenStoreEachWhateverTheOthersAreAndWhateverIsTaken) {
    DataOptions one = chats(20), other = texts(10);
    one.cacheFolder = other.cacheFolder = m_folder.path() / "cache";
    one.modelFolder = other.modelFolder = m_folder.path();
    EXPECT_EQ(load({one}).stats().numEncoded, 20);
    EXPECT_EQ(load({other, one}).stats().numEncoded, 10);
    one.maxRows = 3;
    one.subset = Subset::kFirst;
    EXPECT_EQ(load({one, other}).stats().numEncoded, 0);
}

TEST_F(MixtureOfDatasets, areReportedInAllAsTheyAreLoaded) {
    std::vector<DataOptions> datasets = {chats(30), texts(25), prompts(8)};
    datasets[1].maxRows = 6;
    datasets[0].leaveOut = {LeaveOut::kDuplicates};
    datasets[0].files.push_back(datasets[0].files.front()); // each row twice
    datasets.push_back(of({write("bad.jsonl", "{]\n"
                                              R"({"text":"good enough to be used"})"
                                              "\n"
                                              R"({"text":"and another"})"
                                              "\n")}));
    const Dataset all = load(datasets);
    const session::DatasetReport report = surveyOf(datasets, m_tokenizer, m_template);
    EXPECT_TRUE(report.isComplete);
    EXPECT_TRUE(report.training == all.training().lengths());
    EXPECT_TRUE(report.validation == all.validation().lengths());
    EXPECT_EQ(report.numRows, all.stats().numRows);
    EXPECT_EQ(report.numNotTaken, all.stats().numNotTaken);
    EXPECT_EQ(report.numNotTaken, 25 - 5 - 6);
    ASSERT_EQ(report.dropped.size(), all.dropped().size());
    ASSERT_GT(report.dropped.size(), 1u);
    for (std::size_t i = 0; i < report.dropped.size(); ++i) {
        EXPECT_EQ(report.dropped[i].text, all.dropped()[i].text);
        EXPECT_EQ(report.dropped[i].place.file, all.dropped()[i].place.file);
    }
    EXPECT_EQ(report.dropped.back().place.file, 4);
    ASSERT_EQ(report.datasets.size(), 4u);
    session::DatasetReport sum;
    std::vector<std::string> files;
    for (std::size_t d = 0; d < datasets.size(); ++d) {
        const session::DatasetReport alone = surveyOf(datasets[d], m_tokenizer, m_template);
        const session::DatasetPart& part = report.datasets[d];
        EXPECT_EQ(part.firstFile, std::ssize(files));
        EXPECT_EQ(part.numFiles, std::ssize(alone.files));
        EXPECT_EQ(part.numRows, alone.numRows);
        EXPECT_EQ(part.numUsed, alone.numUsed);
        EXPECT_EQ(part.numDropped, std::ssize(alone.dropped));
        sum.numUsed += alone.numUsed;
        sum.numTokens += alone.numTokens;
        sum.numTrained += alone.numTrained;
        sum.lengths.numRows += alone.lengths.numRows;
        sum.lengths.max = std::max(sum.lengths.max, alone.lengths.max);
        files.insert(files.end(), alone.files.begin(), alone.files.end());
    }
    EXPECT_EQ(report.files, files);
    EXPECT_EQ(report.numUsed, sum.numUsed);
    EXPECT_EQ(report.numTokens, sum.numTokens);
    EXPECT_EQ(report.numTrained, sum.numTrained);
    EXPECT_EQ(report.lengths.numRows, sum.lengths.numRows);
    EXPECT_EQ(report.lengths.max, sum.lengths.max);
    int64_t inBins = 0;
    for (const session::LengthBin& bin : report.lengths.histogram)
        inBins += bin.numRows;
    EXPECT_EQ(inBins, report.lengths.numRows);
}

TEST_F(MixtureOfDatasets, areLookedAtEachByItsOwnFormat) {
    const std::vector<DataOptions> datasets = {chats(3), prompts(2)};
    RowBrowser browser(datasets);
    browser.useModel(m_tokenizer, m_template);
    EXPECT_EQ(browser.lens({0, 2}).messages.size(), 2u);
    const session::TokenLens prompt = browser.lens({1, 2});
    EXPECT_NE(prompt.text.find("ask 1"), std::string::npos);
    EXPECT_GT(prompt.numTrained, 0);
    const session::FilesResult files = browser.files();
    ASSERT_EQ(files.files.size(), 2u);
    EXPECT_EQ(files.files[0].dataset, 0);
    EXPECT_EQ(files.files[1].dataset, 1);
    EXPECT_EQ(files.files[1].format, DataFormat::kCompletion);
}

// The rows to validate on stay what they are, so that losses with and without a limit can be compared.
TEST_F(MixtureOfDatasets, takeASubsetOfTheRowsToTrainOn) {
    DataOptions options = chats(60);
    const Dataset whole = load({options});
    for (const Subset subset : {Subset::kFirst, Subset::kRandom}) {
        options.subset = subset;
        options.maxRows = 7;
        const Dataset some = load({options});
        EXPECT_EQ(some.training().size(), 7);
        EXPECT_EQ(some.stats().numNotTaken, whole.training().size() - 7);
        EXPECT_EQ(idsOf(some.validation()), idsOf(whole.validation()));
        const std::set<int64_t> ids = idsOf(some.training()), all = idsOf(whole.training());
        EXPECT_TRUE(std::ranges::includes(all, ids));
        EXPECT_EQ(ids == std::set<int64_t>(all.begin(), std::next(all.begin(), 7)), subset == Subset::kFirst);
        options.maxRows = 8; // one row more beside the same
        EXPECT_TRUE(std::ranges::includes(idsOf(load({options}).training()), ids));
    }
    options.seed = 43;
    options.maxRows = 7;
    options.validationFraction = 0;
    const auto other = idsOf(load({options}).training());
    options.seed = 44;
    EXPECT_NE(idsOf(load({options}).training()), other);
}

TEST_F(MixtureOfDatasets, sayWhichOneCannotBeUsed) {
    DataOptions bad = of({write("none.jsonl", "{]\n")});
    expectError(ErrorKind::kInvalidInput, {"Dataset 2", "none.jsonl"}, [&] { load({chats(3), bad}); });
    expectError(ErrorKind::kIo, {"Dataset 2", "none"}, [&] { load({chats(3), of({m_folder.path() / "none"})}); });
}

TEST_F(MixtureOfDatasets, tellProgressOfAllTheirFiles) {
    const std::vector<DataOptions> datasets = {chats(3000), texts(2000)};
    std::vector<double> fractions;
    std::vector<int64_t> rows;
    Dataset::load(datasets, m_tokenizer, m_template, [&](const LoadProgress& progress) {
        fractions.push_back(progress.fraction);
        rows.push_back(progress.numRows);
        return true;
    });
    EXPECT_TRUE(std::ranges::is_sorted(fractions));
    EXPECT_TRUE(std::ranges::is_sorted(rows));
    EXPECT_DOUBLE_EQ(fractions.back(), 1);
    EXPECT_EQ(rows.back(), 5000);
    expectError(ErrorKind::kCancelled, {}, [&] {
        Dataset::load(datasets, m_tokenizer, m_template,
                      [](const LoadProgress& progress) { return progress.numRows < 3500; });
    });
}

// Random mixtures: the token batches of the whole stream are those of a stream that is entered anywhere, and each
// dataset has in each epoch what was asked within an example.
TEST_F(MixtureOfDatasets, giveTheSameBatchesWhereverTheStreamIsEntered) {
    std::mt19937_64 random(7);
    const auto upTo = [&](int most) { return 1 + static_cast<int>(random() % static_cast<uint64_t>(most)); };
    for (int i = 0; i < 12; ++i) {
        const std::vector<DataOptions> datasets = {chats(upTo(40)), texts(upTo(40)), prompts(upTo(40))};
        const Dataset all = load(datasets);
        const double rows = upTo(60);
        const double weight = upTo(5);
        const std::vector<batch::Share> shares = {
            {ShareKind::kRows, rows}, {ShareKind::kWeight, weight}, {ShareKind::kWeight, 1}};
        batch::StepRules rules{.microbatchSize = upTo(4), .microbatches = upTo(3), .rounds = upTo(2)};
        if (i % 3 > 0) rules.microbatchTokens = 200 + upTo(300);
        if (i % 3 > 1) rules.tokensPerStep = 200 + upTo(1000);
        const batch::DrawOrder order{i % 4 > 0, random()};
        const Batcher whole(all.training(), rules, order, shares);
        const int64_t perEpoch = whole.steps().perEpoch();
        std::vector<std::vector<TokenBatch>> steps;
        for (int64_t s = 0; s < 2 * perEpoch; ++s)
            steps.push_back(whole.step(s));
        for (int64_t s = 2 * perEpoch - 1; s >= 0; s -= upTo(3)) {
            const Dataset again = load(datasets);
            const Batcher entered(again.training(), rules, order, shares);
            const std::vector<TokenBatch> step = entered.step(s);
            const auto& expected = steps[static_cast<std::size_t>(s)];
            ASSERT_EQ(step.size(), expected.size());
            for (std::size_t m = 0; m < step.size(); ++m) {
                ASSERT_EQ(step[m].ids, expected[m].ids);
                ASSERT_EQ(step[m].labels, expected[m].labels);
                ASSERT_EQ(step[m].starts, expected[m].starts);
                ASSERT_EQ(step[m].exampleIds, expected[m].exampleIds);
            }
        }
        const auto numRows = [&](std::size_t d) { return load({datasets[d]}).stats().numRows; };
        const int64_t firstTexts = numRows(0), firstPrompts = firstTexts + numRows(1);
        const auto parts = all.training().lengths().datasets();
        const auto pool = static_cast<double>(parts[1].size + parts[2].size);
        for (int64_t epoch = 0; epoch < 2; ++epoch) {
            std::map<int, double> counts;
            for (int64_t s = epoch * perEpoch; s < (epoch + 1) * perEpoch; ++s)
                for (const TokenBatch& batch : steps[static_cast<std::size_t>(s)])
                    for (const int64_t id : batch.exampleIds)
                        ++counts[id < firstTexts ? 0 : id < firstPrompts ? 1 : 2];
            EXPECT_EQ(counts[0], rows);
            EXPECT_NEAR(counts[1], pool * weight / (weight + 1), 1);
            EXPECT_NEAR(counts[2], pool / (weight + 1), 1);
        }
    }
}

} // namespace
} // namespace roundpipe::data
