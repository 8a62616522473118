// SPDX-License-Identifier: GPL-3.0-or-later
// How full microbatches are: the fixtures' datasets, unpacked and packed, by the number of tokens that a step packs.
// Prints tables in markdown. Fill is the data's tokens over microbatches × sequence length.
#include "batch/steps.h"
#include "data/store/dataset.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

using namespace roundpipe;
namespace fs = std::filesystem;

namespace {

struct Source {
    const char* file;
    std::vector<session::ColumnChoice> columns = {};
};

const std::vector<Source>& sources() {
    static const std::vector<Source> list = {{"gsm8k_train.jsonl"},
                                             {"mlx_prompt_completion_train.jsonl"},
                                             {"dolly_subset_prompt_answer.jsonl", {{"completion", "answer"}}},
                                             {"fastchat_dummy_conversation_sharegpt.json"},
                                             {"llama_factory/alpaca_en_demo.json"},
                                             {"llama_factory/alpaca_zh_demo.json"},
                                             {"llama_factory/glaive_toolcall_en_demo.json"},
                                             {"llama_factory/c4_demo.jsonl"}};
    return list;
}

int64_t numMicrobatches(const data::ExampleSet& examples, const batch::StepRules& rules) {
    const batch::Steps steps(examples.lengths(), rules, {});
    int64_t count = 0;
    for (int64_t step = 0; step < steps.perEpoch(); ++step)
        count += static_cast<int64_t>(steps.microbatchesOf(step).size());
    return count;
}

void printRow(const fs::path& fixtures, const Source& source, int64_t length, const text::Tokenizer& tokenizer,
              const text::ChatTemplate& chatTemplate) {
    data::DataOptions options;
    options.files = {fixtures / "datasets" / source.file};
    options.format.columns = source.columns;
    options.maxLength = length;
    const data::Dataset dataset = data::Dataset::load(options, tokenizer, chatTemplate);
    const data::ExampleSet& examples = dataset.training();
    std::printf("| %s | %lld | %lld |", fs::path(source.file).stem().c_str(), static_cast<long long>(examples.size()),
                static_cast<long long>(examples.numTokens() / examples.size()));
    const auto printCell = [&](int64_t count) {
        const auto room = static_cast<double>(count * length);
        std::printf(" %lld · %.1f %% |", static_cast<long long>(count),
                    100 * static_cast<double>(examples.numTokens()) / room);
    };
    printCell(examples.size());
    batch::StepRules rules; // 8 examples in a step
    rules.microbatchTokens = length;
    rules.packing = Packing::kBestFit;
    printCell(numMicrobatches(examples, rules));
    for (const int64_t fullMicrobatches : {8, 32, 1 << 20}) { // the last one: the epoch is one step
        rules.tokensPerStep = fullMicrobatches * length;
        printCell(numMicrobatches(examples, rules));
    }
    std::printf("\n");
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 2) {
        std::fprintf(stderr, "usage: packing_fill FIXTURES\n");
        return 2;
    }
    const fs::path fixtures = argv[1], model = fixtures / "tokenizers/qwen3";
    const auto tokenizer = text::Tokenizer::open(model);
    const auto chatTemplate = text::ChatTemplate::fromModelFolder(model);
    for (const int64_t length : {2048, 4096}) {
        std::printf(
            "\n| length %lld | rows | tokens a row | one row each | step of 8 rows | of 8 × length | of 32 × length "
            "| whole epoch |\n|---|---|---|---|---|---|---|---|\n",
            static_cast<long long>(length));
        for (const Source& source : sources())
            printRow(fixtures, source, length, tokenizer, chatTemplate);
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
