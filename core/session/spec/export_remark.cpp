// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/export_remark.h"

#include "session/spec/run_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace roundpipe::session {
namespace {

constexpr std::array<int64_t, 9> kRanksOfVllm = {1, 8, 16, 32, 64, 128, 256, 320, 512};

using Remarks = std::vector<ExportRemark>;
using Note = CodedText<ExportNote>;
using Advice = CodedText<ExportAdvice>;

void addForVllm(Remarks& remarks, const AdapterFacts& adapter) {
    const auto refuse = [&](Note note, Advice advice) {
        remarks.push_back({Consumer::kVllm, true, std::move(note), std::move(advice)});
    };
    if (const int64_t limit = vllmRankFor(adapter.rank); limit == 0)
        refuse(Note(ExportNote::kRankTooLarge, adapter.rank, kRanksOfVllm.back()),
               Advice(ExportAdvice::kSmallerRank, kRanksOfVllm.back()));
    else
        remarks.push_back(
            {Consumer::kVllm,
             false,
             Note(ExportNote::kRankAsOption, adapter.rank, limit, fmt::format("{}", fmt::join(kRanksOfVllm, ", "))),
             {}});
    if (!adapter.wholeNames.empty())
        refuse(Note(ExportNote::kWholeModules, fmt::format("{}", fmt::join(adapter.wholeNames, ", "))),
               Advice(ExportAdvice::kNoWholeModules));
    if (adapter.adaptsHead)
        remarks.push_back(
            {Consumer::kVllm, false, Note(ExportNote::kHeadForSomeModels), Advice(ExportAdvice::kNoHeadForMerged)});
}

void addForLlamaCpp(Remarks& remarks, const arch::ModelSpec& model, const AdapterFacts& adapter) {
    const auto add = [&](bool refuses, Note note, ExportAdvice advice) {
        remarks.push_back({Consumer::kLlamaCpp, refuses, std::move(note), Advice(advice)});
    };
    if (!adapter.wholeNames.empty())
        add(true, Note(ExportNote::kNoPlaceForWholeModules, fmt::format("{}", fmt::join(adapter.wholeNames, ", "))),
            ExportAdvice::kMergedGguf);
    if (adapter.adaptsHead && model.config.tiedEmbeddings)
        add(true, Note(ExportNote::kHeadIsTied), ExportAdvice::kNoHeadForGguf);
    if (adapter.rsLora || adapter.hasStrengths)
        add(false, Note(ExportNote::kScalesNotRead), ExportAdvice::kOurGgufAdapter);
    add(false, Note(ExportNote::kBestOnItsBase), ExportAdvice::kBaseAsGguf);
}

void addForModel(Remarks& remarks, const arch::ModelConfig& config, int64_t tokenizerTokens) {
    if (config.family == arch::Family::kMistral &&
        std::ranges::any_of(config.slidingWindow, [](int64_t window) { return window > 0; }))
        remarks.push_back(
            {Consumer::kLlamaCpp, false, Note(ExportNote::kWindowNotKept), Advice(ExportAdvice::kShorterTexts)});
    if (tokenizerTokens > config.vocabSize)
        remarks.push_back({Consumer::kAll, true,
                           Note(ExportNote::kTokensWithoutRows, tokenizerTokens - config.vocabSize, tokenizerTokens),
                           Advice(ExportAdvice::kLargerEmbedding)});
    if (tokenizerTokens > 0 && tokenizerTokens < config.vocabSize)
        remarks.push_back(
            {Consumer::kLlamaCpp, false, Note(ExportNote::kUnusedTokens, config.vocabSize - tokenizerTokens), {}});
}

} // namespace

std::string ExportRemark::text() const {
    const std::string said = fmt::format("{} {}.", spellingOf(consumer), what.text());
    return advice.empty() ? said : said + ' ' + advice.text();
}

AdapterFacts factsOf(const arch::ModelSpec& model, const arch::LoraConfig& lora) {
    AdapterFacts facts{lora.rank, lora.rsLora, false, false, lora.modulesToSave};
    facts.adaptsHead = !arch::adaptedLinears(model, lora).back().empty();
    return facts;
}

int64_t vllmRankFor(int64_t rank) {
    const auto* limit = std::ranges::lower_bound(kRanksOfVllm, rank);
    return limit == kRanksOfVllm.end() ? 0 : *limit;
}

std::vector<ExportRemark> remarksOnExports(const arch::ModelSpec& model, const AdapterFacts* adapter,
                                           int64_t tokenizerTokens) {
    Remarks remarks;
    if (adapter != nullptr) {
        addForVllm(remarks, *adapter);
        addForLlamaCpp(remarks, model, *adapter);
        if (!adapter->wholeNames.empty() && model.config.tiedEmbeddings)
            remarks.push_back(
                {Consumer::kPeft, false, Note(ExportNote::kTablesTiedByNewer), Advice(ExportAdvice::kNewerPeft)});
    }
    addForModel(remarks, model.config, tokenizerTokens);
    return remarks;
}

std::vector<ExportRemark> refusalsOf(const RunSpec& spec, const arch::ModelSpec& model) {
    const arch::Trained trained = trainedOf(spec);
    std::optional<AdapterFacts> adapter;
    if (!trained.base) adapter = factsOf(model, trained.lora);
    Remarks remarks = remarksOnExports(model, adapter ? &*adapter : nullptr, 0);
    std::erase_if(remarks, [](const ExportRemark& remark) { return !remark.refuses; });
    return remarks;
}

} // namespace roundpipe::session
