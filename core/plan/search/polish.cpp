// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/polish.h"

#include "plan/program.h"
#include "plan/search/cut_search.h"
#include "plan/search/host_saving.h"
#include "plan/search/least_memory.h"
#include "plan/search/lone_stage.h"
#include "plan/search/residents.h"
#include "plan/search/saving.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace roundpipe::plan {
namespace {

using Stages = std::vector<LayerRange> Plan::*;
constexpr std::array<Stages, 2> kBothWays{&Plan::forward, &Plan::backward};

constexpr int64_t kOverhead = 40; // of a stage: checking a plan takes as long as so many microbatches

enum class Devices { kSame, kAnew }; // each slot anew to the device that ends it first

class Polish {
public:
    Polish(const EvaluatedPlan& found, const Rig& rig, const Costs& costs, const SearchOptions& options, int64_t effort)
        : m_rig(rig)
        , m_costs(costs)
        , m_shape(found.shape)
        , m_options(options)
        , m_estimator(costs, rig)
        , m_loneStage(costs, found.shape)
        , m_effortLeft(effort)
        , m_host(hostSavingOf(found.plan, costs))
        , m_best(found.plan)
        , m_seconds(m_estimator.seconds(found.plan, found.shape)) {}

    std::optional<Plan> run() {
        if (!isOfThisStep(m_best)) return std::nullopt;
        const double before = m_seconds;
        while (!spent() && pass()) {
        }
        return m_seconds < before ? std::optional(m_best) : std::nullopt;
    }

private:
    bool spent() const { return m_effortLeft <= 0 || m_options.stop.stop_requested(); }
    bool isOfThisStep(const Plan& plan) const {
        return plan.tableRestarts && plan.replicas == 1 &&
               std::ssize(plan.deviceTable) == int64_t{plan.numStages()} * m_shape.numRounds();
    }

    // All changes once, each to the best plan so far. Whether one helped.
    bool pass() {
        const double before = m_seconds;
        moveCuts();
        moveFused();
        changeNumbers();
        changeHostSaving();
        swapTurns();
        giveTurns();
        return m_seconds < before;
    }

    void moveCuts() {
        for (const Stages stages : kBothWays)
            for (std::size_t i = 0; i + 1 < (m_best.*stages).size(); ++i)
                for (const int32_t by : {-1, 1})
                    for (const Devices devices : {Devices::kSame, Devices::kAnew})
                        moveCut(stages, i, by, devices);
    }
    void moveCut(Stages stages, std::size_t i, int32_t by, Devices devices) {
        Plan plan = m_best;
        LayerRange& a = (plan.*stages)[i];
        LayerRange& b = (plan.*stages)[i + 1];
        (a.begin < b.begin ? a.end : b.end) += by;
        (a.begin < b.begin ? b.begin : a.begin) += by;
        if (a.size() > 0 && b.size() > 0) tryPlan(std::move(plan), devices);
    }
    void moveFused() {
        for (const int32_t by : {-1, 1})
            for (const Devices devices : {Devices::kSame, Devices::kAnew}) {
                Plan plan = m_best;
                if (plan.forward.empty() || plan.backward.empty()) return;
                plan.fused.begin += by;
                plan.forward.back().end += by;
                plan.backward.front().end += by;
                const auto isThere = [](const LayerRange& layers) { return layers.size() > 0; };
                if (isThere(plan.fused) && isThere(plan.forward.back()) && isThere(plan.backward.front()))
                    tryPlan(std::move(plan), devices);
            }
    }
    // A stage less, or one more.
    void changeNumbers() {
        for (const Stages stages : kBothWays) {
            for (std::size_t i = 0; i + 1 < (m_best.*stages).size(); ++i)
                merge(stages, i);
            for (std::size_t i = 0; i < (m_best.*stages).size(); ++i)
                split(stages, i);
        }
    }
    void merge(Stages stages, std::size_t i) {
        Plan plan = m_best;
        LayerRange& a = (plan.*stages)[i];
        const auto next = (plan.*stages).begin() + static_cast<std::ptrdiff_t>(i) + 1;
        a = {std::min(a.begin, next->begin), std::max(a.end, next->end)};
        (plan.*stages).erase(next);
        tryPlan(std::move(plan), Devices::kAnew);
    }
    void split(Stages stages, std::size_t i) {
        Plan plan = m_best;
        const LayerRange whole = (plan.*stages)[i];
        if (whole.size() < 2) return;
        const int32_t middle = whole.begin + whole.size() / 2;
        LayerRange first{whole.begin, middle}, second{middle, whole.end};
        if (stages == &Plan::backward) std::swap(first, second);
        (plan.*stages)[i] = first;
        (plan.*stages).insert((plan.*stages).begin() + static_cast<std::ptrdiff_t>(i) + 1, second);
        tryPlan(std::move(plan), Devices::kAnew);
    }
    void changeHostSaving() {
        if (!m_host) return;
        using geometry::Saving;
        for (const int32_t more : {-1, 1})
            tryHostSaving({m_host->what, m_host->parts + more});
        for (const Saving what : {Saving::kAll, Saving::kWithoutGateUp, Saving::kInput})
            tryHostSaving({what, m_host->parts});
    }
    void tryHostSaving(HostSaving other) {
        if (other.parts < 1 || other.parts > kHostParts) return;
        const HostSaving before = std::exchange(*m_host, other);
        if (!tryPlan(m_best, Devices::kSame)) m_host = before;
    }
    // Slots that are near each other change places.
    void swapTurns() {
        constexpr std::size_t kFarthest = 4;
        for (std::size_t i = 0; i < m_best.deviceTable.size(); ++i)
            for (std::size_t far = 1; far <= kFarthest && i + far < m_best.deviceTable.size(); ++far) {
                if (spent()) return;
                if (m_best.deviceTable[i] == m_best.deviceTable[i + far]) continue;
                Plan plan = m_best;
                std::swap(plan.deviceTable[i], plan.deviceTable[i + far]);
                tryDevices(std::move(plan));
            }
    }
    // A slot goes to another device.
    void giveTurns() {
        for (std::size_t i = 0; i < m_best.deviceTable.size(); ++i)
            for (int32_t d = 0; d < m_rig.numDevices(); ++d) {
                if (spent()) return;
                if (m_best.deviceTable[i] == DeviceId(d)) continue;
                Plan plan = m_best;
                plan.deviceTable[i] = DeviceId(d);
                tryDevices(std::move(plan));
            }
    }

    double estimate(const Plan& plan) {
        const double seconds = m_estimator.seconds(plan, m_shape);
        m_effortLeft -= int64_t{plan.numStages()} * m_estimator.numStepsRun() * m_shape.numMicrobatches();
        return seconds;
    }
    bool isShorter(double seconds) const {
        constexpr double kClearly = 1 - 1e-4;
        return seconds < kClearly * m_seconds;
    }
    // Other devices for the same stages: memory is looked at only where it would be faster.
    void tryDevices(Plan plan) {
        if (isShorter(estimate(plan))) tryPlan(std::move(plan), Devices::kSame);
    }
    bool tryPlan(Plan plan, Devices devices) {
        if (spent() || !complete(plan, devices)) return false;
        const double seconds = estimate(plan);
        if (!isShorter(seconds)) return false;
        m_best = std::move(plan);
        m_seconds = seconds;
        return true;
    }
    // With what is saved, devices and what stays; false: it does not fit.
    bool complete(Plan& plan, Devices devices) {
        plan = withoutHostSaving(std::move(plan));
        if (m_host) plan = savedOnHost(std::move(plan), *m_host, m_costs);
        if (devices == Devices::kAnew) {
            plan.deviceTable = m_estimator.listSchedule(plan, m_shape, m_loneStage.fittingDevices(plan, m_rig));
            m_effortLeft -= int64_t{plan.numStages()} * m_rig.numDevices() * m_shape.numMicrobatches();
            if (plan.deviceTable.empty()) return false;
        }
        m_effortLeft -= plan.numStages() * kOverhead;
        if (!fits(plan, m_rig, m_costs, m_shape)) {
            chooseSaving(plan, m_rig, m_costs, m_shape);
            if (!fits(plan, m_rig, m_costs, m_shape)) return false;
        }
        if (m_options.engine.residency) addResidents(plan, m_rig, m_costs, m_shape);
        return true;
    }

    const Rig& m_rig;
    const Costs& m_costs;
    StepShape m_shape;
    const SearchOptions& m_options;
    StepEstimator m_estimator;
    LoneStage m_loneStage;
    int64_t m_effortLeft;
    std::optional<HostSaving> m_host;
    Plan m_best;
    double m_seconds;
};

} // namespace

void PolishStarts::add(const EvaluatedPlan& found) {
    const std::pair kind(CutSearch::sizeOf(found.plan), savesOnHost(found.plan));
    const auto [best, isNew] = m_best.try_emplace(kind, found);
    if (!isNew && found.step.stepSeconds < best->second.step.stepSeconds) best->second = found;
}

std::vector<EvaluatedPlan> PolishStarts::best() const {
    constexpr std::size_t kFew = 4;
    std::vector<EvaluatedPlan> few;
    for (const auto& [kind, one] : m_best)
        few.push_back(one);
    std::ranges::stable_sort(few, {}, [](const EvaluatedPlan& one) { return one.step.stepSeconds; });
    std::erase_if(few, [limit = few.empty() ? 0 : CutSearch::kAlike * few.front().step.stepSeconds](
                           const EvaluatedPlan& one) { return one.step.stepSeconds > limit; });
    if (few.size() > kFew) few.resize(kFew);
    return few;
}

std::optional<Plan> polished(const EvaluatedPlan& found, const Rig& rig, const Costs& costs,
                             const SearchOptions& options, int64_t effort) {
    return Polish(found, rig, costs, options, effort).run();
}

} // namespace roundpipe::plan
