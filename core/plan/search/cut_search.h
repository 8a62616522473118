// SPDX-License-Identifier: GPL-3.0-or-later
// The search behind choosePlan() for one shape of a step. Internal to this folder.
//
// Stages of equal cost leave no bubble, so the search walks the paces that a pipeline can have: for each cost that some
// even cut has, the fewest forward stages, the largest fused stage and the fewest backward stages that keep it. Then it
// looks around the best few of them, best first: one stage more or less, single cuts moved.
#pragma once

#include "plan/search/choose_plan.h"
#include "plan/search/host_saving.h"
#include "plan/search/lone_stage.h"
#include "plan/simulate/step_estimator.h"

#include <array>
#include <bit>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace roundpipe::plan {

class CutSearch {
public:
    struct Counts {
        int32_t fused = 1;    // layers
        int32_t forward = 0;  // stages
        int32_t backward = 0; // stages
        auto operator<=>(const Counts&) const = default;
    };

    // Keeps references.
    CutSearch(const Rig& rig, const Costs& costs, const StepShape& shape, const SearchOptions& options);
    // For a part of a step: `shape` decides times, and `held`, of which it is a part, memory.
    CutSearch(const Rig& rig, const Costs& costs, const StepShape& shape, const StepShape& held,
              const SearchOptions& options);

    struct Candidate {
        Plan plan;
        double seconds = 0; // estimated
        bool expanded = false;
    };
    // The best ones first, all of them within the memories; empty where nothing fits. `known`: plans to begin with.
    std::vector<Candidate> run(std::size_t numWanted, std::span<const Candidate> known = {});
    // Before all else: plans are sought whose backward stages find so much in host memory.
    void saveOnHost(HostSaving saving) { m_onHost = saving; }
    // Before run(): plans that do not fit are work, too. Where memory is short they are nearly all that are looked at.
    // `mustFind`: until the effort is spent for nothing; then as far as it takes.
    void countMisfits(bool mustFind) {
        m_countsMisfits = true;
        m_mustFind = mustFind;
    }
    // Of plans with about as many stages, to a power of two, the best each: estimates miss alike where plans are alike,
    // so that those of another kind may be better than they seem.
    std::vector<Candidate> bestOfSizes() const;
    static constexpr double kAlike = 1.1; // so much they miss
    static int sizeOf(const Plan& plan) { return std::bit_width(static_cast<uint32_t>(plan.numStages())); }
    // Even cuts for whoever replays all that he looks at: a few of very different ones; and those with some layers or
    // stages more or less than a plan's. As far as they fit, and each once.
    std::vector<Plan> coarse();
    std::vector<Plan> around(const Plan& plan);
    std::optional<Plan> evenPlan(const Counts& counts); // nothing where there is none, or it does not fit the devices
    static Counts countsOf(const Plan& plan);
    // What is said to be too large where nothing fits. One layer at a time takes the least of devices, and the most of
    // the host, for its packets: where that alone is in the way, larger stages, as few as the devices take.
    Plan smallest();
    int64_t numEstimates() const { return m_numEstimates; }
    static bool areEqual(const Rig& rig, const Costs& costs); // the devices, in all that counts
    bool devicesAreEqual() const { return m_devicesAreEqual; }

private:
    int32_t numLayers() const { return m_costs.numLayers(); }
    LayerRange forwardLayers(int32_t fused) const { return {0, numLayers() - fused}; }
    LayerRange backwardLayers(int32_t fused) const;
    double fusedCost(int32_t fused) const;
    std::vector<double> paces() const;
    Counts countsAt(double pace) const;
    std::array<Plan, 4> plansOf(const Counts& counts) const;
    void assignDevices(Plan& plan);
    std::optional<Plan> pacedPlan(double pace, int32_t fused, int32_t firstDevice) const;
    void repeatTable(Plan& plan) const;
    bool isTooLarge(const Plan& plan); // a long stage, for any device, even alone and with the least saved
    bool fits(const Plan& plan) const; // on all devices
    bool fitsHost(const Plan& plan) const;
    bool spent() const { return m_effortLeft <= 0 || m_options.stop.stop_requested(); }

    // Estimates a plan that has not been seen yet and fits, and keeps it if it is among the best.
    void consider(Plan plan);
    bool complete(Plan& plan); // with devices, what is saved and what stays; false: it does not fit
    bool areThere(const Counts& counts) const;
    std::vector<Plan> plansAt(std::span<const Counts> all);
    void considerCounts(const Counts& counts);
    void considerLargeFused();
    void walkPaces();
    void lookAround(Plan plan);
    void improve();
    void varyCounts(const Plan& plan);
    void considerNeighbours(const Plan& plan);

    const Rig& m_rig;
    const Costs& m_costs;
    const StepShape& m_shape; // whose time counts
    const StepShape& m_held;  // which memory must hold
    const SearchOptions& m_options;
    StepEstimator m_estimator;
    LoneStage m_loneStage;
    bool m_devicesAreEqual;
    int64_t m_mostOwnBytes = 0;                // of the roomiest device
    std::vector<double> m_forward, m_backward; // [layer + 1]: sums of what a stage costs; a fused one as a backward one
    std::set<Counts> m_seenCounts;
    std::set<Counts> m_givenCounts; // by coarse() and around()
    std::set<std::vector<int32_t>> m_seen;
    std::vector<Candidate> m_best; // ascending
    std::map<int, Candidate> m_bestOfSize;
    std::optional<HostSaving> m_onHost; // what is saved there
    bool m_countsMisfits = false, m_mustFind = false;
    int64_t m_effortLeft;
    int64_t m_numEstimates = 0;
};

} // namespace roundpipe::plan
