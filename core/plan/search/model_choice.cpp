// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/model_choice.h"

#include "base/error.h"
#include "plan/cost/cost_model.h"
#include "plan/cost/measured_times.h"
#include "plan/search/evaluated_plan.h"
#include "plan/search/groupings.h"
#include "plan/search/host_saving.h"
#include "plan/search/least_memory.h"
#include "plan/search/replicas.h"
#include "plan/search/residents.h"
#include "plan/search/saving.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <ranges>
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

std::vector<WeightFormat> formatsOf(const ModelRequest& request) {
    std::vector<WeightFormat> formats{request.training.weights};
    formats.insert(formats.end(), request.allowedWeights.begin(), request.allowedWeights.end());
    return mostBitsFirst(std::move(formats));
}

int bitsOf(WeightFormat format) {
    constexpr int kOwn = 16; // or more
    if (!isPacked(format)) return kOwn;
    return format == WeightFormat::kNf4 || format == WeightFormat::kMxfp4 ? 4 : 8;
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

bool devicesAreAlike(const Rig& rig) {
    return std::ranges::all_of(
        rig.devices, [&](const DeviceSpec& device) { return device.matrixFlops == rig.devices.front().matrixFlops; });
}

// Rounds of any size will do.
bool isLoose(const ModelRequest& request) {
    return request.rounds == 0 && request.tokensPerStep > 0 && request.usualMicrobatches > 0;
}

// Of a step, if each device does as much as it is fast; none where all are alike.
std::optional<double> shareOfFastest(const ModelRequest& request, const Costs& costs) {
    if (devicesAreAlike(request.rig)) return std::nullopt;
    double fastest = 0, all = 0; // microbatches a second
    for (std::size_t d = 0; d < request.rig.devices.size(); ++d) {
        const double rate = 1 / secondsOfMicrobatch(costs, d);
        fastest = std::max(fastest, rate);
        all += rate;
    }
    return fastest / all;
}

// `costs`: of microbatches of that size.
std::vector<StepShape> shapesOf(const ModelRequest& request, const Costs& costs, int64_t microbatchSize) {
    const int32_t numMicrobatches = numMicrobatchesOf(request, microbatchSize);
    if (request.rounds > 0) return {fixedShape(request, numMicrobatches)};
    if (isLoose(request))
        return looseGroupings(numMicrobatches, request.usualMicrobatches, request.oneStepStale,
                              shareOfFastest(request, costs));
    std::vector<StepShape> shapes = groupings(numMicrobatches, request.oneStepStale);
    for (StepShape& shape : shapes)
        shape.usual = request.usualMicrobatches;
    return shapes;
}

bool mayBeReplicas(const ModelRequest& request) {
    if (request.replicas == Replicas::kNever || request.rig.numDevices() < 2) return false;
    return request.replicas == Replicas::kAlways || std::ranges::all_of(request.rig.devices, &DeviceSpec::isGpu);
}

// A single device is none, whoever asks for them.
bool mustBeReplicas(const ModelRequest& request) {
    return request.replicas == Replicas::kAlways && mayBeReplicas(request);
}

EvaluatedPlan evaluateGiven(const ModelRequest& request, const Costs& costs, const StepShape& shape,
                            const SearchOptions& options) {
    Plan plan = *request.given;
    const bool isMeant = plan.numStages() == 1 || request.replicas == Replicas::kAlways;
    if (plan.replicas == 1 && isMeant && mayBeReplicas(request))
        plan = withReplicas(std::move(plan), request.rig, costs, shape, options.engine);
    if (plan.saving.empty()) chooseSaving(plan, request.rig, costs, shape);
    if (!options.engine.residency || !plan.resident.empty())
        return evaluatePlan(plan, request.rig, costs, shape, options);
    const auto withPackets = withPacketsKept(plan, request.rig, costs, shape);
    addResidents(plan, request.rig, costs, shape);
    EvaluatedPlan choice = evaluatePlan(plan, request.rig, costs, shape, options);
    if (!withPackets) return choice;
    EvaluatedPlan other = evaluatePlan(*withPackets, request.rig, costs, shape, options);
    const bool isBetter = misfitOf(other, request.rig).empty() && other.step.stepSeconds < choice.step.stepSeconds;
    return isBetter ? other : choice;
}

// What is open of a step: a size of microbatches in a format, and the ways to group them.
struct OpenStep {
    std::size_t request = 0; // whose
    TrainingShape training;
    Costs costs;
    std::vector<StepShape> shapes;
    int32_t mostMicrobatches = 0;
};

OpenStep openStep(const ModelRequest& request, WeightFormat format, int64_t microbatchSize) {
    OpenStep step{0, request.training, {}, {}, numMicrobatchesOf(request, microbatchSize)};
    step.training.sequences = microbatchSize;
    step.training.weights = format;
    step.costs = modelCosts(request.model, step.training, request.rig);
    if (!request.profiles.empty())
        applyMeasured(step.costs, loadMeasured(request.model, step.training, request.rig, request.profiles));
    step.shapes = shapesOf(request, step.costs, microbatchSize);
    return step;
}

// All that chooseForModel() finds.
class ModelSearch {
public:
    ModelSearch(const ModelRequest& request, const SearchOptions& options)
        : m_request(request), m_options(options), m_devicesAreAlike(devicesAreAlike(request.rig)) {}

    // In all ways to do the step that fit; where none does, in that of the smallest rounds.
    void evaluateGiven(const OpenStep& step) {
        validate(*m_request.given, step.costs.firstTrainable);
        for (const StepShape& shape : step.shapes) {
            EvaluatedPlan choice = plan::evaluateGiven(m_request, step.costs, shape, m_options);
            const bool isLast = &shape == &step.shapes.back();
            if (misfitOf(choice, m_request.rig).empty() || (isLast && found.empty())) take(step, std::move(choice));
        }
    }

    // In tokens a second: the fastest of stages that go round, by a glance, and of replicas. 0: it shows nothing.
    double glanceAt(const OpenStep& step) {
        double rate = 0;
        if (!mustBeReplicas(m_request))
            rate = rateOf(step, step.shapes.front(), glance(m_request.rig, step.costs, step.shapes.front(), m_options));
        if (mayBeReplicas(m_request)) tryReplicas(step);
        for (const ModelChoice& replicas : found)
            rate = std::max(rate, replicas.tokensPerSecond);
        return rate;
    }

    // Stages that go round, in the shapes that are worth it, and replicas.
    void search(std::span<const OpenStep> steps) {
        std::vector<Way> ways;
        if (!mustBeReplicas(m_request)) ways = worthSearching(steps);
        keepBest(ways);
        Searched searched;
        for (const auto& [step, shape] : ways)
            searched.add({step, shape}, goRound(*step, {&shape, 1}, m_options));
        if (isLoose(m_request) && !isHasty(m_options)) lookBesideBest(searched);
        if (mayBeReplicas(m_request))
            for (const OpenStep& step : steps)
                tryReplicas(step);
        if (ways.empty() && found.empty()) // no glance shows what needs all of the effort, or what is too large
            for (const OpenStep& step : steps)
                goRound(step, step.shapes, m_options);
    }

    std::vector<ModelChoice> found;
    std::optional<DoesNotFit> lastError;

private:
    using Way = std::pair<const OpenStep*, StepShape>;

    // What was searched in full, and the fastest of it.
    struct Searched {
        std::vector<Way> all;
        Way best;
        double rate = 0;

        void add(const Way& way, double itsRate) {
            all.push_back(way);
            if (itsRate <= rate) return;
            best = way;
            rate = itsRate;
        }
    };

    // In tokens a second; 0: it does not fit.
    double goRound(const OpenStep& step, std::span<const StepShape> shapes, const SearchOptions& options) {
        if (mustBeReplicas(m_request)) return 0;
        try {
            take(step, choosePlan(m_request.rig, step.costs, shapes, options));
            return found.back().tokensPerSecond;
        } catch (const DoesNotFit& error) {
            lastError = error;
            return 0;
        }
    }

    // How many are searched with all of the effort.
    std::size_t numInFull() const { return isHasty(m_options) ? 1 : 8; }

    // Of more ways than are searched in full those of which a part of the effort makes the most: a glance knows one
    // cut, and little of what saving in host memory gains. All of them where devices differ: a part of the effort makes
    // up to 15 % less there than all of it, of one way more than of another.
    void keepBest(std::vector<Way>& ways) {
        if (!m_devicesAreAlike) return;
        const std::size_t inFull = numInFull();
        if (ways.size() <= inFull) return;
        SearchOptions part = m_options;
        part.effort /= 4;
        std::vector<std::pair<double, Way>> rated;
        for (const Way& way : ways)
            rated.emplace_back(goRound(*way.first, {&way.second, 1}, part), way);
        std::ranges::stable_sort(rated, std::greater(), [](const auto& one) { return one.first; });
        ways.clear();
        for (std::size_t i = 0; i < inFull; ++i)
            ways.push_back(rated[i].second);
    }

    // Rounds that are a microbatch or two larger or smaller are seldom glanced at, and which of such neighbours has a
    // good cut is luck (2 rounds of 19, 20 and 21 were 4 % apart): so those of the best way are searched in full, as
    // long as they are better.
    void lookBesideBest(Searched& searched) {
        constexpr std::array<int32_t, 4> kBeside{1, -1, 2, -2};
        const auto isKnown = [&](const OpenStep* step, int32_t roundSize) {
            return std::ranges::any_of(
                searched.all, [&](const Way& way) { return way.first == step && way.second.roundSize == roundSize; });
        };
        constexpr double kWorthMore = 1.001; // else a long step goes on and on
        for (double before = 0; kWorthMore * before < searched.rate;) {
            before = searched.rate;
            const auto [step, best] = searched.best;
            for (const int32_t more : kBeside) {
                const int32_t size = best.roundSize + more;
                if (size < 1 || size > best.usual || isKnown(step, size)) continue;
                const StepShape shape = looseGrouping(size, step->mostMicrobatches, best.usual, best.oneStepStale);
                searched.add({step, shape}, goRound(*step, {&shape, 1}, m_options));
            }
        }
    }

    // Wide first: of all ways to do the step those that a glance finds to be among the fastest; more of them on devices
    // that differ, of which a glance finds less.
    std::vector<Way> worthSearching(std::span<const OpenStep> steps) const {
        const std::size_t most = isHasty(m_options) ? 1 : steps.size() > 1 ? 24 : 16;
        const double hopeful = m_devicesAreAlike ? 1.3 : 1.5; // a glance may miss so much
        constexpr double kAlike = 1.1; // and so much a third of the ways to group microbatches of one size
        if (steps.size() == 1 && steps.front().shapes.size() == 1)
            return {{&steps.front(), steps.front().shapes.front()}};
        std::vector<std::pair<double, Way>> ways; // by the seconds of a token
        const auto look = [&](const OpenStep& step, std::size_t i) {
            const double seconds = glance(m_request.rig, step.costs, step.shapes[i], m_options);
            ways.push_back({1 / rateOf(step, step.shapes[i], seconds), {&step, step.shapes[i]}});
            return ways.back().first;
        };
        const bool haveMany = steps.size() > 1 && !m_request.choosesMicrobatch; // who asks for all of them waits
        // In haste, too, a part of the ways is looked at.
        const std::size_t stride = isHasty(m_options) || haveMany ? 3 : 1;
        std::vector<double> bestOf(steps.size(), std::numeric_limits<double>::infinity());
        for (std::size_t s = 0; s < steps.size(); ++s)
            for (std::size_t i = 0; i < steps[s].shapes.size(); i += stride)
                bestOf[s] = std::min(bestOf[s], look(steps[s], i));
        if (!isHasty(m_options)) // all of those of a size that may win
            for (std::size_t s = 0; s < steps.size(); ++s)
                for (std::size_t i = 0; bestOf[s] <= kAlike * std::ranges::min(bestOf) && i < steps[s].shapes.size();
                     ++i)
                    if (i % stride != 0) look(steps[s], i);
        // Where glances see no difference, the fewest rounds come first: those with many are much alike.
        std::ranges::stable_sort(ways, {}, [](const auto& way) {
            constexpr double kTold = 1000; // apart by a thousandth
            return std::pair(std::floor(kTold * std::log(way.first)), way.second.second.rounds);
        });
        std::erase_if(ways, [limit = ways.empty() ? 0 : hopeful * ways.front().first](const auto& way) {
            return !std::isfinite(way.first) || way.first > limit;
        });
        // Of rounds of one, by which each device that differs takes as many as it is fast, a glance sees the least.
        const auto isSmallest = [](const auto& way) { return way.second.second.roundSize == 1; };
        const auto smallest = std::ranges::find_if(ways, isSmallest);
        if (!m_devicesAreAlike && !isHasty(m_options) && smallest != ways.end() &&
            smallest - ways.begin() >= static_cast<std::ptrdiff_t>(most))
            std::swap(*smallest, ways[most - 1]);
        std::vector<Way> best;
        for (const auto& [seconds, way] : ways | std::views::take(most))
            best.push_back(way);
        return best;
    }

    void tryReplicas(const OpenStep& step) {
        try {
            EvaluatedPlan choice = chooseReplicas(m_request.rig, step.costs, step.shapes.front(), m_options);
            Misfit misfit = misfitOf(choice, m_request.rig);
            if (!misfit.empty()) throw DoesNotFit(std::move(misfit), choice.plan);
            take(step, std::move(choice));
        } catch (const DoesNotFit& error) { // what is said of stages that go round is said of the least
            if (mustBeReplicas(m_request)) lastError = error;
        }
    }

    void take(const OpenStep& step, EvaluatedPlan choice) {
        const double rate = rateOf(step, choice.shape, choice.step.stepSeconds);
        found.push_back({std::move(choice), step.costs, step.training, rate, step.request});
    }

    static double rateOf(const OpenStep& step, const StepShape& shape, double seconds) {
        return step.training.lengthOfSequences() * step.training.usualSequences() * shape.numMicrobatches() / seconds;
    }

    const ModelRequest& m_request;
    const SearchOptions& m_options;
    bool m_devicesAreAlike;
};

} // namespace

std::vector<WeightFormat> mostBitsFirst(std::vector<WeightFormat> formats) {
    std::ranges::sort(formats, {}, [](WeightFormat format) { return std::pair(-bitsOf(format), format); });
    const auto [unique, end] = std::ranges::unique(formats);
    formats.erase(unique, end);
    return formats;
}

std::size_t preferred(std::span<const ModelChoice> found) {
    // Host memory takes less here than beside the same step without it, which has been beaten by kHostSavingWorth.
    constexpr double kWorthwhile = 1.02, kHostMemory = 1.01;
    const auto worth = [](const ModelChoice& choice) {
        return choice.tokensPerSecond / (savesOnHost(choice.choice.plan) ? kHostMemory : 1);
    };
    std::optional<std::size_t> best;
    std::vector<WeightFormat> formats;
    for (const ModelChoice& choice : found)
        formats.push_back(choice.training.weights);
    for (const WeightFormat format : mostBitsFirst(std::move(formats)))
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (found[i].training.weights != format) continue;
            const bool hasFewerBits = best && bitsOf(format) < bitsOf(found[*best].training.weights);
            if (!best || worth(found[i]) > (hasFewerBits ? kWorthwhile : 1) * worth(found[*best])) best = i;
        }
    return *best;
}

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
    for (WeightFormat format : formatsOf(request))
        for (const int64_t size : microbatchSizes(request)) {
            TrainingShape training = request.training;
            training.sequences = size;
            training.weights = format;
            const Costs costs = modelCosts(request.model, training, request.rig);
            for (const StepShape& shape : shapesOf(request, costs, size))
                if (fits(planOfLeastMemory(request.rig, costs, shape), request.rig, costs, shape)) return true;
        }
    return false;
}

double glanceForModel(const ModelRequest& request, const SearchOptions& options) {
    RP_CHECK(request.rounds > 0 && !request.choosesMicrobatch);
    if (!request.given) {
        const double rate = ModelSearch(request, options)
                                .glanceAt(openStep(request, request.training.weights, request.training.sequences));
        if (rate > 0) return rate;
    }
    if (!request.given && !fitsSurely(request, options)) return 0;
    try { // a glance misses what fits by a hair, and knows no given plan
        const ModelChoice found = chooseForModel(request, options);
        return misfitOf(found.choice, request.rig).empty() ? found.tokensPerSecond : 0;
    } catch (const DoesNotFit&) {
        return 0;
    }
}

ModelChoice chooseForModel(const ModelRequest& request, const SearchOptions& options) {
    return chooseForModel({&request, 1}, options);
}

ModelChoice chooseForModel(std::span<const ModelRequest> requests, const SearchOptions& options) {
    ModelSearch search(requests.front(), options);
    for (WeightFormat format : formatsOf(requests.front())) {
        std::vector<OpenStep> steps;
        for (std::size_t i = 0; i < requests.size(); ++i)
            for (const int64_t size : microbatchSizes(requests[i])) {
                steps.push_back(openStep(requests[i], format, size));
                steps.back().request = i;
            }
        if (requests.front().given)
            search.evaluateGiven(steps.front());
        else
            search.search(steps);
    }
    if (search.found.empty()) throw DoesNotFit(*search.lastError);
    return std::move(search.found[preferred(search.found)]);
}

} // namespace roundpipe::plan
