// SPDX-License-Identifier: GPL-3.0-or-later
// Long texts in pieces: whatever the lengths and the overlap, a text is trained once, and nothing else is split.
#include "byte_tokenizer.h"
#include "data/batches/batcher.h"
#include "data/report/lens.h"
#include "data/report/survey.h"
#include "data/store/dataset.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace roundpipe::data {
namespace {

class SplitRows : public ::testing::Test {
protected:
    SplitRows() {
        m_options.files = {m_folder.path() / "rows.jsonl"};
        m_options.maxLength = 32;
        m_options.overLength = OverLength::kSplit;
    }
    // Texts of so many bytes, whose tokens all differ from their neighbours; with EOS each has one token more.
    void writeTexts(const std::vector<int64_t>& lengths, const std::string& more = {}) {
        std::ofstream file(m_options.files[0], std::ios::binary);
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            std::string text;
            for (int64_t k = 0; k < lengths[i]; ++k)
                text += static_cast<char>('a' + (k * 7 + k / 26 + static_cast<int64_t>(i)) % 26);
            file << R"({"text":")" << text << "\"}\n";
        }
        file << more;
    }
    Dataset load() const { return Dataset::load(m_options, m_tokenizer, text::ChatTemplate::fromSource(kChatMl)); }
    session::DatasetReport survey() const {
        return surveyOf(m_options, m_tokenizer, text::ChatTemplate::fromSource(kChatMl));
    }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path());
    DataOptions m_options;
};

constexpr int64_t kRowBits = 32; // of an example's id; above them stands where the piece begins

// How often each token of each row is trained, by the rows' numbers; the pieces must be of the row's own tokens.
std::map<int64_t, std::vector<int>> timesTrained(const std::vector<const ExampleSet*>& sets,
                                                 const std::map<int64_t, std::vector<int32_t>>& rows) {
    std::map<int64_t, std::vector<int>> times;
    for (const auto& [number, ids] : rows)
        times[number].resize(ids.size());
    for (const ExampleSet* set : sets)
        for (int64_t i = 0; i < set->size(); ++i) {
            const TokenBatch batch = makeTokenBatch(*set, std::vector{i});
            const Example example = (*set)[i];
            EXPECT_EQ(example.id, set->idOf(i));
            EXPECT_EQ(batch.numTokens(), set->lengths().lengthOf(i));
            EXPECT_EQ(batch.numTrained(), set->lengths().trained()[static_cast<std::size_t>(i)]);
            const auto begin = static_cast<std::size_t>(example.id >> kRowBits);
            const std::vector<int32_t>& row = rows.at(example.place.number);
            for (std::size_t k = 0; k < batch.ids.size(); ++k) {
                EXPECT_EQ(batch.ids[k], row.at(begin + k));
                EXPECT_EQ(batch.positions[k], static_cast<int32_t>(k));
                if (batch.labels[k] == kIgnoredLabel) continue;
                EXPECT_EQ(batch.labels[k], row.at(begin + k + 1));
                ++times[example.place.number][begin + k + 1];
            }
        }
    return times;
}

TEST_F(SplitRows, trainEachTokenOfATextOnceWhateverTheOverlap) {
    std::mt19937_64 random(3);
    const auto upTo = [&](int64_t most) { return static_cast<int64_t>(random() % static_cast<uint64_t>(most + 1)); };
    for (int round = 0; round < 60; ++round) {
        SCOPED_TRACE(round);
        std::vector<int64_t> lengths;
        for (int i = 0; i < 8; ++i)
            lengths.push_back(1 + upTo(i % 2 == 0 ? 300 : 40));
        writeTexts(lengths);
        m_options.validationFraction = round % 3 == 0 ? 0.3 : 0;
        m_options.maxLength = 1 << 20;
        std::map<int64_t, std::vector<int32_t>> rows;
        const Dataset whole = load();
        for (const ExampleSet* set : {&whole.training(), &whole.validation()})
            for (int64_t i = 0; i < set->size(); ++i)
                rows[(*set)[i].place.number] = (*set)[i].ids;
        m_options.maxLength = 2 + upTo(60);
        m_options.overlap = upTo(m_options.maxLength / 2);
        SCOPED_TRACE(std::to_string(m_options.maxLength) + " tokens, overlap " + std::to_string(m_options.overlap));
        const Dataset split = load();
        EXPECT_EQ(split.stats().numTruncated, 0);
        for (const auto& [number, times] : timesTrained({&split.training(), &split.validation()}, rows)) {
            EXPECT_EQ(times[0], 0); // nothing stands before it
            EXPECT_TRUE(std::all_of(times.begin() + 1, times.end(), [](int count) { return count == 1; })) << number;
        }
        std::set<int64_t> ids, training, validation;
        for (int64_t i = 0; i < split.training().size(); ++i) {
            EXPECT_TRUE(ids.insert(split.training().idOf(i)).second);
            training.insert(split.training()[i].place.number);
        }
        for (int64_t i = 0; i < split.validation().size(); ++i) {
            EXPECT_TRUE(ids.insert(split.validation().idOf(i)).second);
            validation.insert(split.validation()[i].place.number);
        }
        for (const int64_t row : validation)
            EXPECT_FALSE(training.contains(row)) << "row " << row << " is on both sides";
    }
}

TEST_F(SplitRows, overlapByTheTokensThatWereAskedFor) {
    writeTexts({75}); // 76 tokens with its end
    m_options.overlap = 8;
    const Dataset dataset = load();
    const ExampleSet& pieces = dataset.training();
    ASSERT_EQ(pieces.size(), 3); // of 32, then 24 new ones each
    EXPECT_EQ(pieces.idOf(0) >> kRowBits, 0);
    EXPECT_EQ(pieces.idOf(1) >> kRowBits, 24);
    EXPECT_EQ(pieces.idOf(2) >> kRowBits, 48);
    const Example first = pieces[0], second = pieces[1];
    EXPECT_TRUE(std::equal(first.ids.end() - 8, first.ids.end(), second.ids.begin()));
    EXPECT_EQ(std::ranges::count(second.trained, 0), 8);
    EXPECT_EQ(pieces[2].ids.size(), 28u);
    m_options.overlap = 0; // the one that the next is learnt from
    EXPECT_EQ(load().training().idOf(1) >> kRowBits, 31);
}

// A piece of a chat, or of an answer, has lost what it answers.
TEST_F(SplitRows, areTextsOnly) {
    const std::string answer(60, 'x');
    const std::string chat =
        R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":")" + answer + "\"}]}\n";
    const std::string pair =
        R"({"segments":[{"text":"qq","label":false},{"text":")" + answer + R"(","label":true}]})" + "\n";
    for (const std::string& row : {chat, pair}) {
        writeTexts({}, row);
        const Dataset dataset = load();
        EXPECT_EQ(dataset.stats().numSplit, 0);
        EXPECT_EQ(dataset.stats().lengthSummary(), "1 row is cut off");
        ASSERT_EQ(dataset.training().size(), 1);
        EXPECT_EQ(dataset.training()[0].ids.size(), 32u);
    }
    m_options.trainOn = TrainOn::kAll; // a chat that is trained whole is a text
    writeTexts({}, chat);
    EXPECT_EQ(load().stats().numSplit, 1);
}

TEST_F(SplitRows, areCountedInTheReportAsInTheRun) {
    writeTexts({100, 31, 64, 20, 90});
    m_options.validationFraction = 0.2;
    for (const int64_t maxRows : {0, 2}) {
        m_options.maxRows = maxRows;
        const Dataset dataset = load();
        const session::DatasetReport report = survey();
        EXPECT_GT(report.numSplit, 0);
        EXPECT_GT(report.numPieces, 2 * report.numSplit);
        EXPECT_TRUE(report.training == dataset.training().lengths());
        EXPECT_TRUE(report.validation == dataset.validation().lengths());
        EXPECT_EQ(report.numTruncated, 0);
        EXPECT_GT(report.lengths.choices.front().numOver, 0);
        EXPECT_EQ(report.lengths.choices.front().lostTokens, 0); // pieces hold all of them
        if (maxRows > 0) continue;
        EXPECT_EQ(report.numSplit, 3);
        EXPECT_EQ(report.numPieces, 4 + 3 + 3);
        EXPECT_EQ(dataset.stats().lengthSummary(), "3 rows become 10 pieces");
        EXPECT_EQ(report.numTokens, report.training.numTokens() + report.validation.numTokens());
        EXPECT_EQ(report.numTrained, report.training.numTrained() + report.validation.numTrained());
    }
}

// The lens shows the row whole: nothing is cut, and it says what becomes of it.
TEST_F(SplitRows, areSeenWholeInTheLens) {
    m_options.overlap = 4;
    const text::ChatTemplate chatTemplate = text::ChatTemplate::fromSource(kChatMl);
    const LensMaker maker(m_options, m_tokenizer, chatTemplate);
    RawRow raw;
    raw.number = 1;
    raw.json = R"({"text":")" + std::string(99, 'y') + "\"}";
    const session::TokenLens lens = maker.lensOf(raw, DataFormat::kText, {0, 1}, "line 1");
    EXPECT_EQ(lens.numKept, 100);
    EXPECT_EQ(lens.numTrained, 99);
    EXPECT_TRUE(std::ranges::none_of(lens.tokens, &session::LensToken::isCut));
    ASSERT_FALSE(lens.notes.empty());
    EXPECT_EQ(lens.notes.back().text(), "The text becomes 4 pieces of at most 32 tokens; each but the first begins "
                                        "with 4 of the one before, as context.");
}

// The stream of pieces is a function of seed and step, wherever it is entered.
TEST_F(SplitRows, makeTheSameStreamWhereverItIsEntered) {
    writeTexts({100, 31, 64, 20, 90, 7, 7, 200});
    const Dataset dataset = load();
    for (const Packing packing : {Packing::kNone, Packing::kBestFit}) {
        const batch::StepRules rules{2, 2, 1, 0, 64, packing};
        const Batcher batcher(dataset.training(), rules, {true, 9});
        const int64_t numSteps = 3 * batcher.steps().perEpoch();
        const Dataset again = load();
        for (int64_t step = numSteps - 1; step >= 0; --step) {
            const Batcher entered(again.training(), rules, {true, 9});
            const std::vector<TokenBatch> there = entered.step(step), here = batcher.step(step);
            ASSERT_EQ(there.size(), here.size());
            for (std::size_t m = 0; m < here.size(); ++m) {
                EXPECT_EQ(there[m].ids, here[m].ids);
                EXPECT_EQ(there[m].labels, here[m].labels);
                EXPECT_EQ(there[m].exampleIds, here[m].exampleIds);
            }
        }
    }
}

} // namespace
} // namespace roundpipe::data
