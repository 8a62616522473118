#include "plan_question.h"

#include "base/error.h"
#include "plan/measured_times.h"

#include <algorithm>
#include <optional>

namespace roundpipe::cli {
namespace {

std::vector<int64_t> divisorsOf(int64_t number) {
    std::vector<int64_t> divisors;
    for (int64_t d = 1; d <= number; ++d)
        if (number % d == 0) divisors.push_back(d);
    return divisors;
}

plan::LayerRange nextRange(int32_t begin, int64_t size) {
    return {begin, begin + static_cast<int32_t>(size)};
}

// As RunSpec writes it: forward stages from the embedding up, backward ones from the head down.
plan::Plan givenPlan(const PlanQuestion& question, const plan::Costs& costs) {
    plan::Plan plan;
    plan.numLayers = costs.numLayers();
    for (const int64_t size : question.forwardStages)
        plan.forward.push_back(nextRange(plan.forward.empty() ? 0 : plan.forward.back().end, size));
    int32_t end = plan.numLayers;
    for (const int64_t size : question.backwardStages) {
        const int32_t begin = end - static_cast<int32_t>(size);
        if (plan.fused.size() == 0)
            plan.fused = {begin, end};
        else
            plan.backward.push_back({begin, end});
        end = begin;
    }
    for (int32_t d = 0; d < question.rig.numDevices(); ++d)
        plan.deviceTable.push_back(DeviceId(d));
    plan::validate(plan, costs.firstTrainable);
    return plan;
}

PlanAnswer answerFor(const PlanQuestion& question, const plan::TrainingShape& training,
                     const std::vector<plan::StepShape>& steps) {
    PlanAnswer result;
    result.training = training;
    result.costs = plan::modelCosts(question.model, training, question.rig);
    if (question.usesMeasured) {
        const plan::MeasuredTimes measured = plan::loadMeasured(question.model, training, question.rig);
        plan::applyMeasured(result.costs, measured);
        result.timesFrom = plan::describe(measured, question.rig);
    }
    if (question.backwardStages.empty()) {
        result.choice = plan::choosePlan(question.rig, result.costs, steps, question.planner);
    } else {
        result.choice = plan::evaluatePlan(givenPlan(question, result.costs), question.rig, result.costs, steps.front(),
                                           question.planner);
        result.problem = plan::whatDoesNotFit(result.choice, question.rig).value_or("");
    }
    return result;
}

// All ways to run `numMicrobatches` in equal rounds that give every device work.
std::vector<plan::StepShape> stepsOf(int64_t numMicrobatches, const PlanQuestion& question) {
    std::vector<plan::StepShape> steps;
    const auto least = std::min<int64_t>(numMicrobatches, question.rig.numDevices());
    for (const int64_t roundSize : divisorsOf(numMicrobatches))
        if (roundSize >= least)
            steps.push_back({static_cast<int32_t>(roundSize), static_cast<int32_t>(numMicrobatches / roundSize),
                             question.step.oneStepStale});
    return steps;
}

PlanAnswer fastestGrouping(const PlanQuestion& question) {
    constexpr int64_t kMostSequences = 64; // of a microbatch: more gains nothing and takes memory
    const int64_t length = question.training.maxLength;
    if (question.tokensPerStep % length != 0)
        throw invalidInput("A step of " + std::to_string(question.tokensPerStep) +
                               " tokens makes no whole number of sequences of " + std::to_string(length) + ".",
                           "Give a multiple of --max-length.");
    const int64_t numSequences = question.tokensPerStep / length;
    std::optional<PlanAnswer> best;
    std::optional<Error> smallest; // why not even microbatches of one sequence fit
    for (const int64_t sequences : divisorsOf(numSequences)) {
        if (sequences > kMostSequences) break;
        plan::TrainingShape training = question.training;
        training.sequences = sequences;
        try {
            PlanAnswer each = answerFor(question, training, stepsOf(numSequences / sequences, question));
            if (!best || each.choice.step.stepSeconds < best->choice.step.stepSeconds) best = std::move(each);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::kOutOfMemory) throw;
            if (!smallest) smallest = error;
        }
    }
    if (!best) throw *smallest;
    return *best;
}

} // namespace

plan::TrainingShape trainingOf(const session::RunSpec& spec, bool allGpus) {
    plan::TrainingShape training;
    training.maxLength = spec.data.maxLength;
    training.sequences = spec.batch.microbatchSize;
    training.operandType = spec.engine.precision != "auto" ? *dtypeFromTorchName(spec.engine.precision)
                           : allGpus                       ? DType::kBF16
                                                           : DType::kF32;
    training.lora = {spec.lora.rank, spec.lora.alpha, spec.lora.dropout, spec.lora.rsLora, spec.lora.targets};
    training.deterministic = spec.engine.determinism == "strict";
    return training;
}

PlanAnswer answer(const PlanQuestion& question) {
    if (question.tokensPerStep > 0) return fastestGrouping(question);
    return answerFor(question, question.training, {question.step});
}

} // namespace roundpipe::cli
