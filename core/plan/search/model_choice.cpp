// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/model_choice.h"

#include "base/error.h"
#include "plan/cost/cost_model.h"
#include "plan/cost/measured_times.h"
#include "plan/search/host_saving.h"
#include "plan/search/least_memory.h"
#include "plan/search/replicas.h"
#include "plan/search/residents.h"
#include "plan/search/saving.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace roundpipe::plan {
namespace {

std::vector<int64_t> microbatchSizes(const ModelRequest& request) {
    if (!request.choosesMicrobatch || request.given) return {request.training.sequences};
    std::vector<int64_t> sizes;
    for (int64_t size = 1; size <= request.sequencesPerStep; ++size)
        if (request.sequencesPerStep % size == 0) sizes.push_back(size);
    return sizes;
}

std::vector<geometry::WeightFormat> formatsOf(const ModelRequest& request) {
    std::vector<geometry::WeightFormat> formats{request.training.weights};
    formats.insert(formats.end(), request.allowedWeights.begin(), request.allowedWeights.end());
    return formats;
}

int32_t numMicrobatchesOf(const ModelRequest& request, int64_t microbatchSize) {
    if (microbatchSize < 1 || request.sequencesPerStep % microbatchSize != 0)
        throw invalidInput(fmt::format("A step of {} sequences cannot be cut into microbatches of {}.",
                                       request.sequencesPerStep, microbatchSize),
                           "Choose a microbatch size that divides the step.");
    return static_cast<int32_t>(request.sequencesPerStep / microbatchSize);
}

StepShape fixedShape(const ModelRequest& request, int32_t numMicrobatches) {
    if (numMicrobatches % request.rounds != 0)
        throw invalidInput(
            fmt::format("{} microbatches cannot be shared evenly by {} rounds.", numMicrobatches, request.rounds),
            "Choose a number of rounds that divides them.");
    return {numMicrobatches / request.rounds, request.rounds, request.oneStepStale, request.usualMicrobatches};
}

std::vector<StepShape> shapesOf(const ModelRequest& request, int64_t microbatchSize) {
    const int32_t numMicrobatches = numMicrobatchesOf(request, microbatchSize);
    if (request.rounds == 0) return groupings(numMicrobatches, request.oneStepStale);
    return {fixedShape(request, numMicrobatches)};
}

bool mayBeReplicas(const ModelRequest& request) {
    if (request.replicas == Replicas::kNever || request.rig.numDevices() < 2) return false;
    return request.replicas == Replicas::kAlways || std::ranges::all_of(request.rig.devices, &DeviceSpec::isGpu);
}

EvaluatedPlan evaluateGiven(const ModelRequest& request, const Costs& costs, const StepShape& shape,
                            const SearchOptions& options) {
    Plan plan = *request.given;
    const bool isMeant = plan.numStages() == 1 || request.replicas == Replicas::kAlways;
    if (plan.replicas == 1 && isMeant && mayBeReplicas(request))
        plan = withReplicas(std::move(plan), request.rig, costs, shape, options.engine);
    if (plan.saving.empty()) chooseSaving(plan, request.rig, costs, shape);
    if (options.engine.residency && plan.resident.empty()) addResidents(plan, request.rig, costs, shape);
    return evaluatePlan(plan, request.rig, costs, shape, options);
}

// Stages that go round, or replicas, whichever is faster.
EvaluatedPlan chooseEither(const ModelRequest& request, const Costs& costs, const std::vector<StepShape>& shapes,
                           const SearchOptions& options) {
    if (!mayBeReplicas(request)) return choosePlan(request.rig, costs, shapes, options);
    const auto chooseRunnable = [&]() -> std::optional<EvaluatedPlan> {
        EvaluatedPlan choice = chooseReplicas(request.rig, costs, shapes.front(), options);
        Misfit misfit = misfitOf(choice, request.rig);
        if (misfit.empty()) return choice;
        if (request.replicas == Replicas::kAlways) throw DoesNotFit(std::move(misfit), choice.plan);
        return std::nullopt;
    };
    if (request.replicas == Replicas::kAlways) return *chooseRunnable();
    EvaluatedPlan best = choosePlan(request.rig, costs, shapes, options);
    try {
        if (auto replicas = chooseRunnable(); replicas && replicas->step.stepSeconds < best.step.stepSeconds)
            best = std::move(*replicas);
    } catch (const DoesNotFit&) {
        // Some of the devices are too small to be alone with the model.
    }
    return best;
}

std::optional<ModelChoice> tryModel(const ModelRequest& request, const TrainingShape& training,
                                    const SearchOptions& options, std::optional<DoesNotFit>& lastError) {
    ModelChoice found{{}, modelCosts(request.model, training, request.rig), training, 0};
    if (!request.profiles.empty())
        applyMeasured(found.costs, loadMeasured(request.model, training, request.rig, request.profiles));
    const std::vector<StepShape> shapes = shapesOf(request, training.sequences);
    try {
        if (request.given) {
            validate(*request.given, found.costs.firstTrainable);
            found.choice = evaluateGiven(request, found.costs, shapes.front(), options);
        } else {
            found.choice = chooseEither(request, found.costs, shapes, options);
        }
    } catch (const DoesNotFit& error) {
        lastError = error;
        return std::nullopt;
    }
    found.tokensPerSecond = found.tokensPerStep() / found.choice.step.stepSeconds;
    return found;
}

// Those that were searched with a part of the effort only. What the wide search has found is kept where it is better.
void searchBestInFull(std::vector<ModelChoice>& found, const ModelRequest& request, const SearchOptions& options) {
    constexpr std::ptrdiff_t kInFull = 4;
    std::vector<ModelChoice*> best;
    for (ModelChoice& choice : found)
        best.push_back(&choice);
    std::ranges::stable_sort(best, std::greater<>(), &ModelChoice::tokensPerSecond);
    for (ModelChoice* choice : std::span(best).first(static_cast<std::size_t>(std::min(kInFull, std::ssize(best))))) {
        constexpr double kHopeful = 1.3; // a part of the effort may miss so much
        if (kHopeful * choice->tokensPerSecond < best.front()->tokensPerSecond) break;
        std::optional<DoesNotFit> ignored; // it has been found to fit
        auto again = tryModel(request, choice->training, options, ignored);
        if (again && again->tokensPerSecond > choice->tokensPerSecond) *choice = std::move(*again);
    }
}

// The fastest, in the order in which formats are given: fewer bits cost quality, so they must be clearly faster, not
// just by the estimate's error; and so must what takes host memory for activations.
std::vector<ModelChoice>::iterator preferred(std::vector<ModelChoice>& found) {
    constexpr double kWorthwhile = 1.02;
    const auto worth = [](const ModelChoice& choice) {
        return choice.tokensPerSecond / (savesOnHost(choice.choice.plan) ? kHostSavingWorth : 1);
    };
    auto best = found.begin();
    for (auto choice = best; choice != found.end(); ++choice) {
        const double needed = choice->training.weights == best->training.weights ? 1 : kWorthwhile;
        if (worth(*choice) > needed * worth(*best)) best = choice;
    }
    return best;
}

} // namespace

StepShape shapeOf(const ModelRequest& request) {
    RP_CHECK(request.rounds > 0);
    return fixedShape(request, numMicrobatchesOf(request, request.training.sequences));
}

bool fitsSurely(const ModelRequest& request, const SearchOptions& options) {
    if (request.replicas == Replicas::kAlways) { // each holds what would be fastest if it were alone
        try {
            chooseForModel(request, options);
            return true;
        } catch (const DoesNotFit&) {
            return false;
        }
    }
    for (const geometry::WeightFormat& format : formatsOf(request))
        for (const int64_t size : microbatchSizes(request)) {
            TrainingShape training = request.training;
            training.sequences = size;
            training.weights = format;
            const Costs costs = modelCosts(request.model, training, request.rig);
            for (const StepShape& shape : shapesOf(request, size))
                if (fits(planOfLeastMemory(request.rig, costs, shape), request.rig, costs, shape)) return true;
        }
    return false;
}

ModelChoice chooseForModel(const ModelRequest& request, const SearchOptions& options) {
    std::vector<TrainingShape> open;
    for (const geometry::WeightFormat& format : formatsOf(request))
        for (const int64_t size : microbatchSizes(request)) {
            open.push_back(request.training);
            open.back().sequences = size;
            open.back().weights = format;
        }
    SearchOptions each = options;
    each.effort = options.effort / static_cast<int64_t>(open.size());
    std::vector<ModelChoice> found;
    std::optional<DoesNotFit> lastError;
    for (const TrainingShape& training : open)
        if (auto choice = tryModel(request, training, each, lastError)) found.push_back(std::move(*choice));
    if (found.empty()) throw DoesNotFit(*lastError);
    if (open.size() > 1) searchBestInFull(found, request, options);
    return std::move(*preferred(found));
}

} // namespace roundpipe::plan
