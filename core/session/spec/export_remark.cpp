// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/export_remark.h"

#include "arch/text_part.h"
#include "session/spec/run_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace roundpipe::session {
namespace {

constexpr std::array<int64_t, 9> kRanksOfVllm = {1, 8, 16, 32, 64, 128, 256, 320, 512};

using NoteText = CodedText<ExportNote>;
using AdviceText = CodedText<ExportAdvice>;

void addForVllm(std::vector<ExportRemark>& remarks, const AdapterFacts& adapter) {
    const auto refuse = [&](NoteText note, AdviceText advice) {
        remarks.push_back({Consumer::kVllm, true, std::move(note), std::move(advice)});
    };
    if (const int64_t limit = vllmRankFor(adapter.rank); limit == 0)
        refuse(NoteText(ExportNote::kRankTooLarge, adapter.rank, kRanksOfVllm.back()),
               AdviceText(ExportAdvice::kSmallerRank, kRanksOfVllm.back()));
    else
        remarks.push_back(
            {Consumer::kVllm,
             false,
             NoteText(ExportNote::kRankAsOption, adapter.rank, limit, fmt::format("{}", fmt::join(kRanksOfVllm, ", "))),
             {}});
    if (!adapter.wholeNames.empty())
        refuse(NoteText(ExportNote::kWholeModules, fmt::format("{}", fmt::join(adapter.wholeNames, ", "))),
               AdviceText(ExportAdvice::kNoWholeModules));
    if (adapter.adaptsHead)
        remarks.push_back({Consumer::kVllm, false, NoteText(ExportNote::kHeadForSomeModels),
                           AdviceText(ExportAdvice::kNoHeadForMerged)});
}

void addForLlamaCpp(std::vector<ExportRemark>& remarks, const arch::ModelSpec& model, const AdapterFacts& adapter) {
    const auto add = [&](bool refuses, NoteText note, ExportAdvice advice) {
        remarks.push_back({Consumer::kLlamaCpp, refuses, std::move(note), AdviceText(advice)});
    };
    if (!adapter.wholeNames.empty())
        add(true, NoteText(ExportNote::kNoPlaceForWholeModules, fmt::format("{}", fmt::join(adapter.wholeNames, ", "))),
            ExportAdvice::kMergedGguf);
    if (adapter.adaptsHead && model.config.tiedEmbeddings)
        add(true, NoteText(ExportNote::kHeadIsTied), ExportAdvice::kNoHeadForGguf);
    if (adapter.rsLora || adapter.hasStrengths)
        add(false, NoteText(ExportNote::kScalesNotRead), ExportAdvice::kOurGgufAdapter);
    add(false, NoteText(ExportNote::kBestOnItsBase), ExportAdvice::kBaseAsGguf);
}

void addForModel(std::vector<ExportRemark>& remarks, const arch::ModelConfig& config, int64_t tokenizerTokens) {
    if ((config.family == arch::Family::kMistral || config.family == arch::Family::kPhi3) &&
        std::ranges::any_of(config.slidingWindow, [](int64_t window) { return window > 0; }))
        remarks.push_back({Consumer::kLlamaCpp, false, NoteText(ExportNote::kWindowNotKept),
                           AdviceText(ExportAdvice::kShorterTexts)});
    if (arch::isTextPartAlone(config))
        remarks.push_back(
            {Consumer::kLlamaCpp, false, NoteText(ExportNote::kTextAlone), AdviceText(ExportAdvice::kProjectorOfBase)});
    if (tokenizerTokens > config.vocabSize)
        remarks.push_back(
            {Consumer::kAll, true,
             NoteText(ExportNote::kTokensWithoutRows, tokenizerTokens - config.vocabSize, tokenizerTokens),
             AdviceText(ExportAdvice::kLargerEmbedding)});
    if (tokenizerTokens > 0 && tokenizerTokens < config.vocabSize)
        remarks.push_back(
            {Consumer::kLlamaCpp, false, NoteText(ExportNote::kUnusedTokens, config.vocabSize - tokenizerTokens), {}});
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
    std::vector<ExportRemark> remarks;
    if (adapter != nullptr) {
        addForVllm(remarks, *adapter);
        addForLlamaCpp(remarks, model, *adapter);
        if (!adapter->wholeNames.empty() && model.config.tiedEmbeddings)
            remarks.push_back({Consumer::kPeft, false, NoteText(ExportNote::kTablesTiedByNewer),
                               AdviceText(ExportAdvice::kNewerPeft)});
    }
    addForModel(remarks, model.config, tokenizerTokens);
    return remarks;
}

std::vector<ExportRemark> refusalsOf(const RunSpec& spec, const arch::ModelSpec& model) {
    const arch::Trained trained = trainedOf(spec);
    std::optional<AdapterFacts> adapter;
    if (!trained.base) adapter = factsOf(model, trained.lora);
    std::vector<ExportRemark> remarks = remarksOnExports(model, adapter ? &*adapter : nullptr, 0);
    std::erase_if(remarks, [](const ExportRemark& remark) { return !remark.refuses; });
    return remarks;
}

} // namespace roundpipe::session
