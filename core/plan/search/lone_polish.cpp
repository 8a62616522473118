// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/lone_polish.h"

#include "plan/search/cut_search.h"
#include "plan/search/host_saving.h"
#include "plan/simulate/step_estimator.h"

#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace roundpipe::plan {
namespace {

using geometry::Saving;

// What is open of an evenly cut plan.
struct CutAndSaving {
    CutSearch::Counts counts;
    HostSaving saving;

    auto key() const { return std::tuple(counts, saving.what, saving.parts); }
};

std::vector<CutAndSaving> near(const CutAndSaving& from) {
    std::vector<CutAndSaving> all;
    const auto add = [&](int32_t fused, int32_t forward, int32_t backward, Saving what, int32_t parts) {
        if (parts >= 1 && parts <= kHostParts) all.push_back({{fused, forward, backward}, {what, parts}});
    };
    const auto& [fused, forward, backward] = from.counts;
    const auto& [what, parts] = from.saving;
    for (const Saving other : {Saving::kAll, Saving::kWithoutGateUp, Saving::kInput})
        for (const int32_t more : {0, -1, 1, -2})
            add(fused, forward, backward, other, parts + more);
    const int32_t quarter = fused / 4 + 1;
    for (const int32_t more : {-1, 1, -quarter, quarter})
        add(fused + more, forward, backward, what, parts);
    for (const int32_t number : {backward - 1, backward + 1, backward / 2, 2 * backward})
        add(fused, forward, number, what, parts);
    for (const int32_t number : {forward - 1, forward + 1, forward / 2, 2 * forward})
        add(fused, number, backward, what, parts);
    return all;
}

class LonePolish {
public:
    LonePolish(const EvaluatedPlan& found, const Rig& rig, const Costs& costs, const SearchOptions& options,
               int64_t slots)
        : m_rig(rig)
        , m_costs(costs)
        , m_options(options)
        , m_estimator(costs, rig)
        , m_cutSearch(rig, costs, found.shape, options)
        , m_slotsLeft(slots)
        , m_best(found) {}

    std::optional<EvaluatedPlan> run() {
        const double before = m_best.step.stepSeconds;
        CutAndSaving choice{CutSearch::countsOf(m_best.plan), *hostSavingOf(m_best.plan, m_costs)};
        for (bool isBetter = true; std::exchange(isBetter, false);)
            for (const CutAndSaving& other : near(choice)) {
                if (m_slotsLeft <= 0 || m_options.stop.stop_requested()) break;
                if (!m_tried.insert(other.key()).second || !tryPlan(other)) continue;
                choice = other;
                isBetter = true;
                break;
            }
        return m_best.step.stepSeconds < before ? std::optional(m_best) : std::nullopt;
    }

private:
    bool tryPlan(const CutAndSaving& choice) {
        constexpr double kMissed = 0.98; // so much at most is a replay shorter than an estimate
        m_cutSearch.saveOnHost(choice.saving);
        const auto plan = m_cutSearch.evenPlan(choice.counts);
        if (!plan || kMissed * m_estimator.seconds(*plan, m_best.shape) >= m_best.step.stepSeconds) return false;
        if (!misfitOf(memoryOf(*plan, m_rig, m_costs, m_best.shape), m_rig).empty()) return false;
        m_slotsLeft -= slotsReplayed(*plan, m_costs, m_best.shape, m_options);
        EvaluatedPlan replayed = evaluatePlan(*plan, m_rig, m_costs, m_best.shape, m_options);
        if (replayed.step.stepSeconds >= m_best.step.stepSeconds) return false;
        m_best = std::move(replayed);
        return true;
    }

    const Rig& m_rig;
    const Costs& m_costs;
    const SearchOptions& m_options;
    StepEstimator m_estimator;
    CutSearch m_cutSearch;
    int64_t m_slotsLeft;
    EvaluatedPlan m_best;
    std::set<decltype(std::declval<CutAndSaving>().key())> m_tried;
};

} // namespace

std::optional<EvaluatedPlan> polishedAlone(const EvaluatedPlan& found, const Rig& rig, const Costs& costs,
                                           const SearchOptions& options, int64_t slots) {
    return LonePolish(found, rig, costs, options, slots).run();
}

} // namespace roundpipe::plan
