// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/cut_search.h"

#include "plan/program.h"
#include "plan/search/even_cuts.h"
#include "plan/search/least_memory.h"
#include "plan/search/residents.h"
#include "plan/search/saving.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace roundpipe::plan {
namespace {

constexpr double kEqual = 1 + 1e-9; // times that differ by less are the same
constexpr int64_t kOverhead = 40;   // of a stage: making and checking a plan takes as long as so many microbatches

bool sameTimes(const LayerTimes& a, const LayerTimes& b) {
    return a.forward == b.forward && a.recompute == b.recompute && a.backward == b.backward && a.output == b.output &&
           a.gateUp == b.gateUp && a.unpack == b.unpack;
}

bool sameLinks(const Link& a, const Link& b) {
    return a.upBytesPerSecond == b.upBytesPerSecond && a.downBytesPerSecond == b.downBytesPerSecond;
}

// What tells plans apart: sizes of stages, and devices where they are not in turn.
std::vector<int32_t> keyOf(const Plan& plan) {
    std::vector<int32_t> key;
    key.reserve(plan.forward.size() + 1 + plan.backward.size() + plan.deviceTable.size());
    for (const LayerRange& stage : plan.forward)
        key.push_back(stage.end);
    key.push_back(-1);
    for (const LayerRange& stage : plan.backward)
        key.push_back(stage.begin);
    if (plan.tableRestarts)
        for (const DeviceId device : plan.deviceTable)
            key.push_back(device.value);
    return key;
}

// The fast paces are of many stages, which take most of the effort; the slow ones, of few, next to none.
std::vector<double> fromBothEnds(const std::vector<double>& values) {
    std::vector<double> order;
    for (std::size_t low = 0, high = values.size(); low < high;) {
        order.push_back(values[low++]);
        if (low < high) order.push_back(values[--high]);
    }
    return order;
}

} // namespace

bool CutSearch::areEqual(const Rig& rig, const Costs& costs) {
    for (std::size_t d = 1; d < rig.devices.size(); ++d)
        if (!std::ranges::equal(costs.times[0], costs.times[d], sameTimes) || !sameLinks(rig.links[0], rig.links[d]) ||
            rig.devices[0].memoryBytes != rig.devices[d].memoryBytes || costs.contextBytes[0] != costs.contextBytes[d])
            return false;
    return true;
}

CutSearch::CutSearch(const Rig& rig, const Costs& costs, const StepShape& shape, const SearchOptions& options)
    : CutSearch(rig, costs, shape, shape, options) {}

CutSearch::CutSearch(const Rig& rig, const Costs& costs, const StepShape& shape, const StepShape& held,
                     const SearchOptions& options)
    : m_rig(rig)
    , m_costs(costs)
    , m_shape(shape)
    , m_held(held)
    , m_options(options)
    , m_estimator(costs, rig)
    , m_loneStage(costs, held)
    , m_devicesAreEqual(areEqual(rig, costs))
    , m_effortLeft(options.effort) {
    for (std::size_t d = 0; d < rig.devices.size(); ++d)
        m_mostOwnBytes = std::max(m_mostOwnBytes, rig.devices[d].memoryBytes - costs.contextBytes[d]);
    // Unequal devices: stages are cut by the mean of what they take, then each goes to the device that ends it first.
    for (std::vector<double>* sums : {&m_forward, &m_backward})
        sums->assign(1, 0);
    for (int32_t l = 0; l < numLayers(); ++l) {
        LayerTimes mean;
        for (const auto& times : costs.times) {
            const LayerTimes& t = times[static_cast<std::size_t>(l)];
            mean.forward += t.forward / costs.numDevices();
            mean.recompute += t.recompute / costs.numDevices();
            if (l >= costs.firstTrainable) mean.backward += t.backward / costs.numDevices();
        }
        m_forward.push_back(m_forward.back() + mean.forward);
        m_backward.push_back(m_backward.back() + mean.recompute + mean.backward);
    }
}

LayerRange CutSearch::backwardLayers(int32_t fused) const {
    return {std::min(m_costs.firstTrainable, numLayers() - fused), numLayers() - fused};
}

double CutSearch::fusedCost(int32_t fused) const {
    return m_backward.back() - m_backward[static_cast<std::size_t>(numLayers() - fused)];
}

// Every cost that the dearest stage can have, ascending.
std::vector<double> CutSearch::paces() const {
    std::vector<double> paces;
    for (int32_t fused = 1; fused <= numLayers(); ++fused)
        paces.push_back(fusedCost(fused));
    const auto addCuts = [&](const std::vector<double>& sums, LayerRange layers) {
        for (int32_t n = 1; n <= layers.size(); ++n)
            paces.push_back(paceOfEvenCuts(sums, layers, n));
    };
    addCuts(m_forward, forwardLayers(1));
    addCuts(m_backward, backwardLayers(1));
    std::ranges::sort(paces);
    const auto same = [](double a, double b) { return b <= a * kEqual; };
    paces.erase(std::unique(paces.begin(), paces.end(), same), paces.end());
    return paces;
}

CutSearch::Counts CutSearch::countsAt(double pace) const {
    Counts counts;
    while (counts.fused < numLayers() && fusedCost(counts.fused + 1) <= pace * kEqual)
        ++counts.fused;
    counts.forward = fewestStages(m_forward, forwardLayers(counts.fused), pace);
    counts.backward = fewestStages(m_backward, backwardLayers(counts.fused), pace);
    return counts;
}

// Even cuts may begin at either end of the layers: the first plan does so at the first layer, both ways.
std::array<Plan, 4> CutSearch::plansOf(const Counts& counts) const {
    const auto cut = [](const std::vector<double>& sums, LayerRange layers, int32_t numStages) {
        std::array<std::vector<LayerRange>, 2> cuts;
        if (numStages > 0) cuts = {evenCuts(sums, layers, numStages), evenCutsFromEnd(sums, layers, numStages)};
        return cuts;
    };
    const auto forward = cut(m_forward, forwardLayers(counts.fused), counts.forward);
    auto backward = cut(m_backward, backwardLayers(counts.fused), counts.backward);
    for (std::vector<LayerRange>& stages : backward)
        std::ranges::reverse(stages);
    std::array<Plan, 4> plans;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        plans[i].numLayers = numLayers();
        plans[i].fused = {numLayers() - counts.fused, numLayers()};
        plans[i].forward = forward[i / 2];
        plans[i].backward = backward[i % 2];
    }
    return plans;
}

void CutSearch::assignDevices(Plan& plan) {
    const auto numSlots = static_cast<std::size_t>(plan.numStages()) * static_cast<std::size_t>(m_shape.numRounds());
    if (plan.tableRestarts && plan.deviceTable.size() == numSlots) return; // made for these stages
    plan.deviceTable.clear();
    plan.tableRestarts = !m_devicesAreEqual;
    if (m_devicesAreEqual)
        for (int32_t d = 0; d < m_rig.numDevices(); ++d)
            plan.deviceTable.emplace_back(d);
    else
        plan.deviceTable = m_estimator.listSchedule(plan, m_shape, m_loneStage.fittingDevices(plan, m_rig));
}

// Devices in turn, each with as many layers as it takes in `pace` seconds; one that takes longer for a single layer is
// passed over. For unequal devices: stages then take the same time although they differ in size.
std::optional<Plan> CutSearch::pacedPlan(double pace, int32_t fused, int32_t firstDevice) const {
    Plan plan;
    plan.numLayers = numLayers();
    plan.tableRestarts = true;
    plan.fused = {numLayers() - fused, numLayers()};
    int32_t next = firstDevice;
    // The next device that finishes in time what `seconds` says of it; invalid if none does.
    const auto takeDevice = [&](const auto& seconds) {
        for (int32_t i = 0; i < m_rig.numDevices(); ++i) {
            const DeviceId device((next + i) % m_rig.numDevices());
            if (seconds(device) > pace * kEqual) continue;
            next = device.value + 1;
            plan.deviceTable.push_back(device);
            return device;
        }
        return DeviceId();
    };
    const auto forward = [&](DeviceId d, LayerRange layers) { return m_estimator.forward(d, layers); };
    const auto both = [&](DeviceId d, LayerRange layers) {
        return m_estimator.recompute(d, layers) + m_estimator.backward(d, layers);
    };
    for (int32_t begin = 0; begin < plan.fused.begin; begin = plan.forward.back().end) {
        const DeviceId device = takeDevice([&](DeviceId d) { return forward(d, {begin, begin + 1}); });
        if (!device.valid()) return std::nullopt;
        int32_t end = begin + 1;
        while (end < plan.fused.begin && forward(device, {begin, end + 1}) <= pace * kEqual)
            ++end;
        plan.forward.push_back({begin, end});
    }
    if (!takeDevice([&](DeviceId d) { return both(d, plan.fused); }).valid()) return std::nullopt;
    const int32_t lowest = backwardLayers(fused).begin;
    for (int32_t end = plan.fused.begin; end > lowest; end = plan.backward.back().begin) {
        const DeviceId device = takeDevice([&](DeviceId d) { return both(d, {end - 1, end}); });
        if (!device.valid()) return std::nullopt;
        int32_t begin = end - 1;
        while (begin > lowest && both(device, {begin - 1, end}) <= pace * kEqual)
            --begin;
        plan.backward.push_back({begin, end});
    }
    repeatTable(plan);
    return plan;
}

// The rounds of a step go on with the same devices.
void CutSearch::repeatTable(Plan& plan) const {
    const std::vector<DeviceId> round = plan.deviceTable;
    for (int32_t r = 1; r < m_shape.numRounds(); ++r)
        plan.deviceTable.insert(plan.deviceTable.end(), round.begin(), round.end());
}

// Of the longest stages alone: looking at all of them takes longer than the plan's memory, which is counted then.
bool CutSearch::isTooLarge(const Plan& plan) {
    const auto tooLarge = [&](StageKind kind, LayerRange layers) {
        return layers.size() > 0 && m_loneStage.ownBytes(kind, layers) > m_mostOwnBytes;
    };
    const auto longest = [](const std::vector<LayerRange>& stages) {
        return stages.empty() ? LayerRange() : *std::ranges::max_element(stages, {}, &LayerRange::size);
    };
    LayerRange backward = longest(plan.backward);
    backward.begin = std::max(backward.begin, m_costs.firstTrainable);
    return tooLarge(StageKind::kFused, plan.fused) || tooLarge(StageKind::kForward, longest(plan.forward)) ||
           tooLarge(StageKind::kBackward, backward);
}

bool CutSearch::fits(const Plan& plan) const {
    const bool takeTurns = m_devicesAreEqual && !plan.tableRestarts; // then all of them meet all stages
    const int32_t numDifferent = takeTurns ? 1 : m_rig.numDevices();
    const std::vector<Slot> round = slotsOfRound(plan, m_costs.firstTrainable);
    for (int32_t d = 0; d < numDifferent; ++d)
        if (deviceMemory(plan, m_costs, m_held, roundOn(plan, round, DeviceId(d))).total() >
            m_rig.devices[static_cast<std::size_t>(d)].memoryBytes)
            return false;
    return true;
}

// Packets between stages lie in host memory: many small stages may need more of it than there is.
bool CutSearch::fitsHost(const Plan& plan) const {
    return hostHolds(m_onHost ? withoutHostSaving(plan) : plan, m_rig, m_costs, m_held); // some of it fits
}

bool CutSearch::complete(Plan& plan) {
    if (m_onHost) plan = savedOnHost(std::move(plan), *m_onHost, m_costs);
    assignDevices(plan);
    if (plan.deviceTable.empty()) return false;
    if (!fits(plan)) {
        chooseSaving(plan, m_rig, m_costs, m_held);
        if (!fits(plan)) return false;
    }
    m_effortLeft -= plan.numStages() * kOverhead;
    if (!fitsHost(plan)) return false;
    if (m_options.engine.residency) addResidents(plan, m_rig, m_costs, m_held);
    return true;
}

void CutSearch::consider(Plan plan) {
    if (spent() || isTooLarge(plan) || !m_seen.insert(keyOf(plan)).second) return;
    constexpr std::ptrdiff_t kNumKept = 16;
    if (!complete(plan)) {
        if (m_countsMisfits) m_effortLeft -= plan.numStages() * kOverhead;
        return;
    }
    const double seconds = m_estimator.seconds(plan, m_shape);
    const int64_t numTried = m_devicesAreEqual ? 0 : m_rig.numDevices(); // listSchedule() tries every device in a step
    const int64_t numMicrobatches = (numTried + m_estimator.numStepsRun()) * m_shape.numMicrobatches();
    m_effortLeft -= plan.numStages() * numMicrobatches;
    ++m_numEstimates;
    const auto place = std::ranges::upper_bound(m_best, seconds, {}, &Candidate::seconds);
    const auto ofSize = m_bestOfSize.find(sizeOf(plan));
    const bool isBestOfSize = ofSize == m_bestOfSize.end() || seconds < ofSize->second.seconds;
    const bool isKept = place - m_best.begin() < kNumKept;
    if (isBestOfSize) m_bestOfSize.insert_or_assign(sizeOf(plan), Candidate{plan, seconds, false});
    if (!isKept) return;
    m_best.insert(place, {std::move(plan), seconds, false});
    if (std::ssize(m_best) > kNumKept) m_best.pop_back();
}

bool CutSearch::areThere(const Counts& counts) const {
    if (counts.fused < 1 || counts.fused > numLayers()) return false;
    const auto isThere = [](int32_t numStages, LayerRange layers) {
        return numStages >= std::min(1, layers.size()) && numStages <= layers.size();
    };
    return isThere(counts.forward, forwardLayers(counts.fused)) &&
           isThere(counts.backward, backwardLayers(counts.fused));
}

void CutSearch::considerCounts(const Counts& counts) {
    if (!areThere(counts) || spent() || !m_seenCounts.insert(counts).second) return;
    for (Plan& plan : plansOf(counts))
        consider(std::move(plan));
}

// Alone no stage waits for another: the more the fused one holds the less is computed twice, whatever the others hold.
void CutSearch::considerLargeFused() {
    const auto numOf = [](LayerRange layers, int32_t size) { return (layers.size() + size - 1) / size; };
    for (int32_t fused = 1; fused <= numLayers(); fused *= 2)
        for (int32_t size = 2; size <= numLayers(); size *= 2)
            considerCounts({fused, numOf(forwardLayers(fused), size), numOf(backwardLayers(fused), size)});
}

void CutSearch::walkPaces() {
    considerCounts({numLayers(), 0, 0});                            // replicas: each round is one device's
    considerCounts({1, numLayers() - 1, backwardLayers(1).size()}); // the smallest stages
    if (m_rig.numDevices() == 1) considerLargeFused();
    for (const double pace : fromBothEnds(paces())) {
        if (spent()) return;
        const Counts counts = countsAt(pace);
        considerCounts(counts);
        considerCounts({1, counts.forward, counts.backward});
        if (m_devicesAreEqual) continue;
        for (int32_t first = 0; first < m_rig.numDevices(); ++first)
            for (const int32_t fused : {counts.fused, 1})
                if (auto plan = pacedPlan(pace, fused, first)) consider(std::move(*plan));
    }
}

// One stage more or less, one fused layer more or less, cut evenly.
void CutSearch::varyCounts(const Plan& plan) {
    const Counts from = countsOf(plan);
    const int32_t quarter = from.fused / 4 + 1;
    for (const int32_t fused : {0, -1, 1, -quarter, quarter})
        for (const int32_t forward : {0, -1, 1})
            for (const int32_t backward : {0, -1, 1})
                considerCounts({from.fused + fused, from.forward + forward, from.backward + backward});
}

std::optional<Plan> CutSearch::evenPlan(const Counts& counts) {
    if (!areThere(counts)) return std::nullopt;
    Plan plan = plansOf(counts).front();
    if (isTooLarge(plan) || !complete(plan)) return std::nullopt;
    return plan;
}

std::vector<Plan> CutSearch::plansAt(std::span<const Counts> all) {
    std::vector<Plan> plans;
    for (const Counts& counts : all) {
        if (!m_givenCounts.insert(counts).second) continue;
        if (auto plan = evenPlan(counts)) plans.push_back(std::move(*plan));
    }
    return plans;
}

CutSearch::Counts CutSearch::countsOf(const Plan& plan) {
    return {plan.fused.size(), static_cast<int32_t>(plan.forward.size()), static_cast<int32_t>(plan.backward.size())};
}

std::vector<Plan> CutSearch::coarse() {
    const auto numOf = [](LayerRange layers, int32_t size) { return (layers.size() + size - 1) / size; };
    std::vector<Counts> counts;
    for (const int32_t quarters : {3, 2, 1})
        for (const int32_t size : {4, 2}) {
            const int32_t fused = std::max(1, quarters * numLayers() / 4);
            counts.push_back({fused, numOf(forwardLayers(fused), size), numOf(backwardLayers(fused), size)});
        }
    return plansAt(counts);
}

std::vector<Plan> CutSearch::around(const Plan& plan) {
    const auto forward = static_cast<int32_t>(plan.forward.size());
    const auto backward = static_cast<int32_t>(plan.backward.size());
    const int32_t quarter = plan.fused.size() / 4 + 1;
    std::vector<Counts> counts;
    const auto add = [&](int32_t moreFused, int32_t numForward, int32_t numBackward) {
        const int32_t fused = plan.fused.size() + moreFused;
        if (fused < 1 || fused > numLayers()) return;
        const auto within = [](int32_t numStages, LayerRange layers) {
            return std::clamp(numStages, std::min(1, layers.size()), layers.size());
        };
        counts.push_back({fused, within(numForward, forwardLayers(fused)), within(numBackward, backwardLayers(fused))});
    };
    for (const int32_t fused : {-quarter, -1, 1, quarter})
        for (const int32_t more : {backward, 2 * backward, backward / 2})
            add(fused, forward, more);
    for (const int32_t by : {-1, 1}) {
        add(0, forward + by, backward);
        add(0, forward, backward + by);
    }
    add(0, forward / 2, backward);
    add(0, 2 * forward, backward);
    add(0, forward, backward / 2);
    add(0, forward, 2 * backward);
    return plansAt(counts);
}

// All plans that differ in one cut by one layer, in one cut that is not there, or in one fused layer.
void CutSearch::considerNeighbours(const Plan& plan) {
    const auto vary = [&](std::vector<LayerRange> Plan::*stages) {
        const auto size = (plan.*stages).size();
        for (std::size_t i = 0; i + 1 < size && !spent(); ++i) {
            for (const int32_t by : {-1, 1}) {
                Plan moved = plan;
                LayerRange& a = (moved.*stages)[i];
                LayerRange& b = (moved.*stages)[i + 1];
                int32_t& endOfLower = a.begin < b.begin ? a.end : b.end;
                int32_t& beginOfUpper = a.begin < b.begin ? b.begin : a.begin;
                endOfLower += by;
                beginOfUpper += by;
                if (a.size() > 0 && b.size() > 0) consider(std::move(moved));
            }
            Plan merged = plan;
            LayerRange& a = (merged.*stages)[i];
            const LayerRange b = (merged.*stages)[i + 1];
            a = {std::min(a.begin, b.begin), std::max(a.end, b.end)};
            (merged.*stages).erase((merged.*stages).begin() + static_cast<std::ptrdiff_t>(i) + 1);
            consider(std::move(merged));
        }
    };
    vary(&Plan::forward);
    vary(&Plan::backward);
    for (const int32_t by : {-1, 1}) {
        Plan moved = plan;
        moved.fused.begin += by;
        if (moved.fused.size() < 1 || moved.forward.empty() || moved.backward.empty()) continue;
        moved.forward.back().end += by;
        moved.backward.front().end += by;
        if (moved.forward.back().size() > 0 && moved.backward.front().size() > 0) consider(std::move(moved));
    }
}

void CutSearch::lookAround(Plan plan) {
    plan.resident.clear();
    plan.saving.clear();
    if (m_devicesAreEqual) plan.tableRestarts = false;
    varyCounts(plan);
    considerNeighbours(plan);
}

// The best plan whose surroundings have not been looked at is next, as long as it is among the best few. A part of the
// effort is left for the best of other sizes that are nearly as good: surroundings of many stages take all there is.
void CutSearch::improve() {
    const int64_t forSizes = m_options.effort / 5;
    while (m_effortLeft > forSizes) {
        const auto next = std::ranges::find(m_best, false, &Candidate::expanded);
        if (next == m_best.end() || spent()) break;
        next->expanded = true;
        lookAround(next->plan); // a copy: the list changes under us
    }
    for (bool isNew = true; std::exchange(isNew, false) && !spent();)
        for (auto& [size, best] : m_bestOfSize) {
            if (best.expanded || best.seconds > kAlike * m_best.front().seconds || spent()) continue;
            best.expanded = isNew = true;
            lookAround(best.plan);
        }
}

std::vector<CutSearch::Candidate> CutSearch::run(std::size_t numWanted, std::span<const Candidate> known) {
    for (Candidate candidate : known) {
        candidate.plan.resident.clear();
        candidate.plan.saving.clear();
        consider(std::move(candidate.plan));
    }
    walkPaces();
    if (m_best.empty() && m_mustFind && std::exchange(m_countsMisfits, false)) {
        m_seen.clear();
        m_seenCounts.clear();
        m_effortLeft = m_options.effort;
        walkPaces();
    }
    improve();
    if (m_best.size() > numWanted) m_best.resize(numWanted);
    return m_best;
}

std::vector<CutSearch::Candidate> CutSearch::bestOfSizes() const {
    std::vector<Candidate> best;
    for (const auto& [size, candidate] : m_bestOfSize)
        best.push_back(candidate);
    return best;
}

Plan CutSearch::smallest() {
    Plan single = plansOf({1, numLayers() - 1, backwardLayers(1).size()}).front();
    single.saving = leastSaving(m_costs);
    for (int32_t d = 0; d < m_rig.numDevices(); ++d)
        single.deviceTable.emplace_back(d);
    if (!fits(single) || fitsHost(single)) return single;
    std::vector<Counts> byPackets{{numLayers(), 0, 0}};
    for (const double pace : paces())
        byPackets.push_back(countsAt(pace));
    std::ranges::stable_sort(byPackets, {}, [](const Counts& counts) { return counts.forward + counts.backward; });
    for (const Counts& counts : byPackets) {
        Plan plan = plansOf(counts).front();
        plan.saving = single.saving;
        assignDevices(plan);
        if (!plan.deviceTable.empty() && fits(plan)) return plan;
    }
    return single;
}

} // namespace roundpipe::plan
