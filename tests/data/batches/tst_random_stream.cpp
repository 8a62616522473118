// SPDX-License-Identifier: GPL-3.0-or-later
// From rows in a file to the microbatches of a run: random conversations, the fixtures' tokenizers and templates.
#include "data/batches/batch_feeder.h"
#include "data/report/row_browser.h"
#include "data/store/dataset.h"
#include "random_conversations.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

bool same(const TokenBatch& a, const TokenBatch& b) {
    return a.ids == b.ids && a.labels == b.labels && a.positions == b.positions && a.starts == b.starts &&
           a.exampleIds == b.exampleIds;
}

// One example as it must stand in a microbatch, laid out by hand.
struct Laid {
    std::vector<int32_t> ids, labels, positions;
    bool operator==(const Laid&) const = default;
};

Laid laid(const session::TokenLens& lens) {
    Laid example;
    for (std::size_t i = 0; i < static_cast<std::size_t>(lens.numKept); ++i) {
        const session::LensToken& token = lens.tokens[i];
        example.ids.push_back(token.id);
        example.positions.push_back(static_cast<int32_t>(i));
        if (i > 0) example.labels.push_back(token.isTrained ? token.id : kIgnoredLabel);
    }
    example.labels.push_back(kIgnoredLabel); // nothing follows the last one
    return example;
}

Laid laid(const TokenBatch& batch, std::size_t sequence) {
    const auto begin = batch.starts[sequence], end = batch.starts[sequence + 1];
    return {{batch.ids.begin() + begin, batch.ids.begin() + end},
            {batch.labels.begin() + begin, batch.labels.begin() + end},
            {batch.positions.begin() + begin, batch.positions.begin() + end}};
}

class RandomStream : public ::testing::Test {
protected:
    static constexpr int64_t kRows = 60;

    void SetUp() override {
        RP_REQUIRE_FIXTURES();
        m_options.files = {m_folder.path() / "rows.jsonl"};
        m_options.maxLength = 160; // which cuts some rows
        m_options.maxValidationRows = 0;
        m_options.numThreads = 3;
        std::ofstream file(m_options.files[0]);
        Texts texts(11);
        for (int64_t i = 0; i < kRows; ++i)
            file << texts.conversation(false).row.dump() << "\n";
    }
    template <class Check>
    void forEachModel(const Check& check) const {
        static constexpr const char* kModels[][2] = {{"qwen3", "trl/qwen3.jinja"},
                                                     {"qwen3", "trl/qwen3_training.jinja"},
                                                     {"llama3.1", "meta-llama-Llama-3.1-8B-Instruct.jinja"},
                                                     {"llama2", "trl/gemma3.jinja"}};
        for (const auto& [tokenizer, chatTemplate] : kModels) {
            SCOPED_TRACE(std::string(tokenizer) + ", " + chatTemplate);
            const fs::path folder = testing::fixtures() / "tokenizers" / tokenizer;
            check(text::Tokenizer::open(folder),
                  text::ChatTemplate::fromModelFolder(folder, testing::fixtures() / "chat_templates" / chatTemplate));
        }
    }
    template <class Check>
    static void forAllRules(const Check& check) {

        for (const Packing packing : {Packing::kNone, Packing::kByLength, Packing::kBestFit})
            for (const int64_t tokensPerStep : {0, 900}) {
                const bool byTokens = packing != Packing::kNone || tokensPerStep > 0;
                check(batch::StepRules{2, 3, 2, tokensPerStep, byTokens ? 400 : 0, packing});
            }
    }

    testing::TemporaryFolder m_folder;
    DataOptions m_options;
};

TEST_F(RandomStream, losesAndDoublesNoTokenOfAnyRow) {
    forEachModel([&](const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate) {
        const Dataset dataset = Dataset::load(m_options, tokenizer, chatTemplate);
        ASSERT_EQ(dataset.training().size() + static_cast<int64_t>(dataset.dropped().size()), kRows);
        ASSERT_GT(dataset.training().size(), kRows / 2);
        std::map<int64_t, Laid> rows; // by the example's id, each read and encoded by itself
        RowBrowser browser(m_options, tokenizer, chatTemplate);
        for (int64_t i = 0; i < dataset.training().size(); ++i)
            rows[dataset.training()[i].id] = laid(browser.lens({0, dataset.training()[i].place.number}));
        ASSERT_EQ(static_cast<int64_t>(rows.size()), dataset.training().size());
        forAllRules([&](const batch::StepRules& rules) {
            const Batcher batcher(dataset.training(), rules, {});
            for (int64_t epoch = 0; epoch < 2; ++epoch) {
                std::map<int64_t, int> times;
                for (int64_t s = 0; s < batcher.steps().perEpoch(); ++s)
                    for (const TokenBatch& batch : batcher.step(epoch * batcher.steps().perEpoch() + s)) {
                        ASSERT_EQ(batch.starts.front(), 0);
                        ASSERT_EQ(batch.starts.back(), batch.numTokens());
                        for (std::size_t q = 0; q < batch.exampleIds.size(); ++q) {
                            ASSERT_EQ(laid(batch, q), rows.at(batch.exampleIds[q]));
                            ++times[batch.exampleIds[q]];
                        }
                    }
                ASSERT_EQ(times.size(), rows.size());
                for (const auto& [id, count] : times)
                    ASSERT_EQ(count, 1) << id;
            }
        });
    });
}

// A run that ends behind any microbatch, and is started anew from the files, sees what it would have seen.
TEST_F(RandomStream, goesOnFromAnyMicrobatchOfAnEpoch) {
    forEachModel([&](const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate) {
        const Dataset dataset = Dataset::load(m_options, tokenizer, chatTemplate);
        DataOptions alone = m_options;
        alone.numThreads = 1;
        const Dataset again = Dataset::load(alone, tokenizer, chatTemplate);
        forAllRules([&](const batch::StepRules& rules) {
            const Batcher whole(dataset.training(), rules, {});
            const int64_t end = whole.steps().perEpoch() + 1; // into the next epoch
            std::vector<std::vector<TokenBatch>> steps;
            for (int64_t s = 0; s < end; ++s)
                steps.push_back(whole.step(s));
            for (int64_t first = 0; first < end; ++first)
                for (std::size_t done = 0; done < steps[static_cast<std::size_t>(first)].size(); ++done) {
                    const Batcher resumed(again.training(), rules, {});
                    BatchFeeder feeder(resumed, first, end);
                    for (int64_t s = first; s < end; ++s) {
                        const auto& expected = steps[static_cast<std::size_t>(s)];
                        const auto fed = feeder.next();
                        ASSERT_EQ(fed.size(), expected.size());
                        for (std::size_t m = s == first ? done : 0; m < fed.size(); ++m)
                            ASSERT_TRUE(same(fed[m], expected[m])) << "step " << s << ", microbatch " << m;
                    }
                }
        });
    });
}

} // namespace
} // namespace roundpipe::data
