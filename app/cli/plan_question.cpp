#include "plan_question.h"

#include "base/error.h"
#include "plan/cost/cost_model.h"

#include <algorithm>

namespace roundpipe::cli {
namespace {

// As RunSpec writes it: forward stages from the embedding up, backward ones from the head down.
plan::Plan givenPlan(const PlanQuestion& question, const plan::Costs& costs) {
    plan::Plan plan;
    plan.numLayers = costs.numLayers();
    int32_t begin = 0;
    for (const int64_t size : question.forwardStages) {
        const int32_t end = begin + static_cast<int32_t>(size);
        plan.forward.push_back({begin, end});
        begin = end;
    }
    int32_t end = plan.numLayers;
    for (const int64_t size : question.backwardStages) {
        plan.backward.push_back({end - static_cast<int32_t>(size), end});
        end = plan.backward.back().begin;
    }
    plan.fused = plan.backward.front();
    plan.backward.erase(plan.backward.begin());
    for (int32_t d = 0; d < question.request.rig.numDevices(); ++d)
        plan.deviceTable.push_back(DeviceId(d));
    plan::validate(plan, costs.firstTrainable);
    return plan;
}

// The step that the request fixes.
plan::StepShape shapeOf(const plan::ModelRequest& request) {
    const int64_t numMicrobatches = request.sequencesPerStep / request.training.sequences;
    const int32_t rounds = std::max(1, request.rounds);
    return {static_cast<int32_t>(numMicrobatches / rounds), rounds, request.oneStepStale};
}

PlanAnswer evaluateGiven(const PlanQuestion& question) {
    const plan::ModelRequest& request = question.request;
    PlanAnswer result;
    result.training = request.training;
    result.costs = plan::modelCosts(request.model, request.training, request.rig);
    if (request.correct) request.correct(result.costs, request.training);
    result.choice = plan::evaluatePlan(givenPlan(question, result.costs), request.rig, result.costs, shapeOf(request),
                                       question.planner);
    result.tokensPerSecond = static_cast<double>(result.tokensPerStep()) / result.choice.step.stepSeconds;
    result.problem = plan::whatDoesNotFit(result.choice, request.rig).value_or("");
    return result;
}

PlanAnswer choose(const PlanQuestion& question) {
    PlanAnswer result;
    try {
        static_cast<plan::ModelChoice&>(result) = plan::chooseForModel(question.request, question.planner);
        result.explanation = plan::explain(result, question.request.rig, question.planner);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kOutOfMemory) throw;
        result.hasPlan = false;
        result.problem = error.message();
        result.fixes = plan::smallestFixes(question.request, question.planner);
    }
    return result;
}

} // namespace

plan::ModelRequest requestOf(const session::RunSpec& spec, const arch::ModelSpec& model, const plan::Rig& rig) {
    const bool allGpus = std::ranges::all_of(rig.devices, &plan::DeviceSpec::isGpu);
    plan::ModelRequest request;
    request.model = model;
    request.rig = rig;
    request.training.maxLength = spec.data.maxLength;
    request.training.sequences = spec.batch.microbatchSize;
    request.training.operandType = operandTypeOf(spec.engine.precision, allGpus);
    request.training.lora = {spec.lora.rank, spec.lora.alpha, spec.lora.dropout, spec.lora.rsLora, spec.lora.targets};
    request.training.deterministic = spec.engine.determinism == Determinism::kStrict;
    request.sequencesPerStep = spec.batch.microbatchSize * spec.batch.microbatches * spec.batch.rounds;
    request.rounds = static_cast<int32_t>(spec.batch.rounds);
    return request;
}

PlanAnswer answer(PlanQuestion question, bool compares) {
    plan::ModelRequest& request = question.request;
    if (question.usesMeasured)
        request.correct = [model = request.model, rig = request.rig](plan::Costs& costs,
                                                                     const plan::TrainingShape& training) {
            plan::applyMeasured(costs, plan::loadMeasured(model, training, rig));
        };
    PlanAnswer result = question.backwardStages.empty() ? choose(question) : evaluateGiven(question);
    if (!result.hasPlan) return result;
    if (question.usesMeasured)
        result.timesFrom = plan::describe(plan::loadMeasured(request.model, result.training, request.rig), request.rig);
    if (compares)
        result.rivals = plan::compareSchedules(request.rig, result.costs, result.choice.shape, question.planner);
    return result;
}

} // namespace roundpipe::cli
