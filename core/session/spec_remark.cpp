// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec_remark.h"

#include "session/spec/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace roundpipe::session {
namespace {

constexpr double kMostForWeights = 5e-5; // 1e-5 to 2e-5 are usual
constexpr double kForWeights = 2e-5;
constexpr double kLeastForAdapters = 2e-5; // 1e-4 to 5e-4 are usual
constexpr double kForAdapters = 2e-4;
constexpr double kMostForTables = 1e-4; // that are trained whole beside adapters
constexpr double kForTables = 5e-5;

// "0.00002", as people write rates.
std::string rateText(double rate) {
    std::string text = fmt::format("{:.8f}", rate);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

bool trainsTables(const RunSpec& spec) {
    return std::ranges::any_of(spec.lora.modulesToSave,
                               [](const std::string& name) { return !name.ends_with("norm"); });
}

// With the value that the setting has where nobody set it.
SpecRemark idle(RunTextCode code, const char* key, std::size_t dataset = 0) {
    const FieldValue usual = fieldByKey(key).get(RunSpec());
    return {RunText(code, textOf(usual)), key, usual, dataset};
}

void addIdleOf(const RunSpec& spec, std::size_t index, std::vector<SpecRemark>& all) {
    const DatasetSection &dataset = spec.data.datasets[index], usual;
    const auto isWeighted = [](const DatasetSection& one) { return one.share == ShareKind::kWeight; };
    if (dataset.subset != usual.subset && dataset.maxRows == 0)
        all.push_back(idle(RunTextCode::kSubsetIdle, "data.subset", index));
    if (dataset.systemPromptUse != usual.systemPromptUse && dataset.systemPrompt.empty())
        all.push_back(idle(RunTextCode::kPromptUseIdle, "data.system_prompt_use", index));
    if (!dataset.turnBegin.empty() && dataset.trainOn == TrainOn::kAll)
        all.push_back(idle(RunTextCode::kMarkersIdle, "data.train_on", index));
    if (isWeighted(dataset) && dataset.shareAmount != usual.shareAmount &&
        std::ranges::count_if(spec.data.datasets, isWeighted) == 1)
        all.push_back(idle(RunTextCode::kWeightIdle, "data.share_amount", index));
}

// What was said of adapters, where none is trained. (One to go on from is refused.)
void addIdleOfAdapters(const RunSpec& spec, bool goesOn, std::vector<SpecRemark>& all) {
    if (spec.method != Method::kFull) return;
    const RunTextCode why = goesOn ? RunTextCode::kAdapterIdleFromBeginning : RunTextCode::kAdapterIdle;
    const RunSpec usual;
    for (const Field& field : runSpecFields())
        if (field.key.starts_with("lora.") && field.key != "lora.init_from" && field.get(spec) != field.get(usual)) {
            const FieldValue value = field.get(usual);
            all.push_back({RunText(why, field.key, textOf(value)), field.key, value});
        }
}

} // namespace

std::optional<SpecRemark> remarkOnLearningRate(const RunSpec& spec) {
    const double rate = spec.optimizer.learningRate;
    const auto say = [&](RunTextCode code, double better) {
        return SpecRemark{RunText(code, rateText(rate), rateText(better)), "optimizer.learning_rate", better};
    };
    if (spec.method == Method::kFull && rate > kMostForWeights) return say(RunTextCode::kRateOfAdapters, kForWeights);
    if (spec.method == Method::kLora && rate > 0 && rate <= kLeastForAdapters)
        return say(RunTextCode::kRateOfWeights, kForAdapters);
    if (spec.method == Method::kLora && rate > kMostForTables && trainsTables(spec))
        return say(RunTextCode::kRateOfAdaptersForTables, kForTables);
    return std::nullopt;
}

std::optional<SpecRemark> remarkOnPositions(int64_t maxPositions, int64_t longestExample) {
    if (maxPositions <= 0 || longestExample <= maxPositions) return std::nullopt;
    return SpecRemark{RunText(RunTextCode::kBeyondPositions, longestExample, maxPositions), "data.max_length",
                      maxPositions};
}

std::optional<SpecRemark> remarkOnStep(const RunSpec& spec, const LengthsSource& lengths) {
    constexpr int64_t kFew = 4;     // of more, one is no great part
    constexpr double kAlike = 0.95; // else no step is of whole examples for long
    const int64_t tokens = spec.batch.tokensPerStep, length = lengths.longest;
    const bool areAlike = lengths.averageLength >= kAlike * static_cast<double>(length);
    if (tokens == 0 || length <= 0 || !areAlike || tokens >= kFew * length || tokens % length == 0) return std::nullopt;
    const int64_t whole = (tokens + length - 1) / length * length;
    return SpecRemark{RunText(RunTextCode::kStepOfFewExamples, length, tokens, whole), "batch.tokens_per_step", whole};
}

std::vector<SpecRemark> remarksOnIdleData(const RunSpec& spec) {
    const DataSection &data = spec.data, usual;
    std::vector<SpecRemark> all;
    if (data.overlap > 0 && data.overLength != OverLength::kSplit)
        all.push_back({RunText(RunTextCode::kOverlapIdle, spellingOf(data.overLength), usual.overlap), "data.overlap",
                       usual.overlap});
    for (std::size_t i = 0; i < data.datasets.size(); ++i)
        addIdleOf(spec, i, all);
    const bool hasFile = !data.validationFile.empty();
    if (hasFile && data.validationFraction != usual.validationFraction && data.validationFraction > 0)
        all.push_back(idle(RunTextCode::kValidationShareIdle, "data.validation_fraction"));
    if (data.maxValidationRows != usual.maxValidationRows && (hasFile || data.validationFraction == 0))
        all.push_back(idle(RunTextCode::kValidationRowsIdle, "data.max_validation_rows"));
    return all;
}

std::vector<SpecRemark> remarksOn(const RunSpec& spec, int64_t maxPositions, const LengthsSource& lengths,
                                  bool goesOn) {
    std::vector<SpecRemark> all;
    for (auto& remark :
         {remarkOnPositions(maxPositions, lengths.longest), remarkOnStep(spec, lengths), remarkOnLearningRate(spec)})
        if (remark) all.push_back(*remark);
    for (SpecRemark& remark : remarksOnIdleData(spec))
        all.push_back(std::move(remark));
    addIdleOfAdapters(spec, goesOn, all);
    if (spec.batch.tokensPerStep > 0 && spec.batch.rounds != RunSpec().batch.rounds)
        all.push_back(idle(RunTextCode::kRoundsIdle, "batch.rounds"));
    return all;
}

} // namespace roundpipe::session
