// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/choose_plan.h"

#include "base/counted.h"
#include "plan/search/cut_search.h"
#include "plan/search/host_saving.h"
#include "plan/search/least_memory.h"
#include "plan/search/lone_polish.h"
#include "plan/search/polish.h"
#include "plan/search/residents.h"
#include "plan/search/saving.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <ranges>
#include <utility>

namespace roundpipe::plan {
namespace {

using geometry::Saving;

// Microbatch-slots that are replayed on the rig at most, the last plan's excepted: a replay takes far longer than an
// estimate. Of a part of the effort a part.
constexpr int64_t kGlanced = 1; // so that a single plan is
int64_t replayedSlots(int64_t effort) {
    constexpr int64_t kEffortForEach = 300; // 5,000 of them with the default
    return std::max(kGlanced, effort / kEffortForEach);
}
constexpr std::size_t kNumReplayed = 16;
constexpr int64_t kReplaysOfOne = 4; // times as many: a replay on one device takes little longer than an estimate
constexpr std::size_t kNumKnown = 4; // of a part of a round
constexpr double kHopeful = 1.3;     // an estimate, or a part of the effort, may miss so much
constexpr double kMissed = 0.99;     // so much at most is a plan that saves in host memory shorter than estimated

// A share of idle time that what stays on devices may have to do with.
constexpr double kWaits = 0.03;

constexpr double kNever = std::numeric_limits<double>::infinity();

// The plan with the bases spread that stay, as its uploads look so many layers ahead; none where all stay or none does.
std::vector<Plan> withSpreadResidents(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape) {
    const auto staysInPart = [](const std::vector<bool>& layers) {
        const auto count = std::ranges::count(layers, true);
        return count > 0 && count < std::ssize(layers);
    };
    std::vector<Plan> spread;
    if (std::ranges::none_of(plan.resident, staysInPart)) return spread;
    for (const int32_t depth : {1, 2}) {
        spread.push_back(plan);
        spread.back().prefetchDepth = depth;
        addResidents(spread.back(), rig, costs, shape, Residents::kSpread);
    }
    return spread;
}

} // namespace

DoesNotFit::DoesNotFit(Misfit misfit, Plan smallest)
    : Error(ErrorKind::kOutOfMemory, misfit.text(),
            "Make microbatches or sequences smaller, stream the weights in fewer bits, or add memory.")
    , m_misfit(std::move(misfit))
    , m_smallest(std::move(smallest)) {}

namespace {

// The best plan for the first `numDevices` devices of `order`, whose ids stay those of the rig.
class PlanChooser {
public:
    PlanChooser(const Rig& rig, const Costs& costs, const SearchOptions& options)
        : m_rig(rig), m_costs(costs), m_options(options), m_estimator(costs, rig) {}

    // For the best of all shapes, on all devices and on fewer.
    void searchIn(std::span<const StepShape> shapes) {
        validate(m_rig);
        validate(m_costs);
        if (m_rig.numDevices() != m_costs.numDevices())
            throw invalidInput("The rig has " + counted(m_rig.numDevices(), "device") + ", the costs are of " +
                               std::to_string(m_costs.numDevices()) + ".");
        RP_CHECK(!shapes.empty());
        std::vector<int32_t> all(m_rig.devices.size());
        std::iota(all.begin(), all.end(), 0);
        const auto hopeless = [&](const StepShape& shape) { return fitsNowhere(m_rig, m_costs, shape); };
        if (std::ranges::all_of(shapes, hopeless)) return;
        for (const StepShape& shape : searchAll(shapes, all))
            searchFewer(shape, m_options.effort / 8);
        for (const StepShape& shape : shapes)
            takeLeastOf(shape);
        polishBest();
    }

    void polishBest() {
        if (isHasty(m_options)) return;
        if (m_rig.numDevices() == 1)
            polishAlone();
        else if (!CutSearch::areEqual(m_rig, m_costs))
            polishAmongUnequal();
        if (m_options.stop.stop_requested()) throw Error(ErrorKind::kCancelled, "Planning was cancelled.");
    }

    // Of which a search finds good plans by luck.
    void polishAmongUnequal() {
        for (const EvaluatedPlan& start : m_starts.best())
            if (const auto plan = polished(start, m_rig, m_costs, m_options, m_options.effort))
                takeBetter(savesOnHost(*plan) ? m_onHost : m_best, *plan, start.shape);
    }
    // Cuts are found there as if nothing were saved in host memory. And the best plan need not be the best once more
    // stays on the device, which is looked at of each.
    void polishAlone() {
        const int64_t slots = kReplaysOfOne * replayedSlots(m_options.effort);
        const auto take = [&](const EvaluatedPlan& found) {
            EvaluatedPlan plan = withMoreStaying(found);
            std::optional<EvaluatedPlan>& best = savesOnHost(plan.plan) ? m_onHost : m_best;
            if (!best || plan.step.stepSeconds < best->step.stepSeconds) best = std::move(plan);
        };
        for (const EvaluatedPlan& start : m_starts.best()) {
            take(start);
            if (!savesOnHost(start.plan)) continue;
            if (const auto better = polishedAlone(start, m_rig, m_costs, m_options, slots)) take(*better);
        }
    }
    // With packets that stay, and bases spread, where that is faster.
    EvaluatedPlan withMoreStaying(EvaluatedPlan found) const {
        std::optional<EvaluatedPlan> best = std::move(found);
        if (m_options.engine.residency)
            if (const auto kept = withPacketsKept(best->plan, m_rig, m_costs, best->shape))
                takeBetter(best, *kept, best->shape);
        if (best->step.bubbleShare > kWaits)
            for (const Plan& spread : withSpreadResidents(best->plan, m_rig, m_costs, best->shape))
                takeBetter(best, spread, best->shape);
        return *std::move(best);
    }

    double search(const StepShape& shape, const std::vector<int32_t>& devices, int64_t effort) {
        return search(shape, devices, effort, replayedSlots(effort));
    }

    // `replayed`: microbatch-slots at most, but a plan at least, and another one that saves in host memory. Returns the
    // seconds of a step by the best plan that was found; infinite where none was that may be the best of all.
    double search(const StepShape& shape, const std::vector<int32_t>& devices, int64_t effort, int64_t replayed) {
        const auto [rig, costs] = partOf(devices);
        SearchOptions options = m_options;
        options.effort = effort;
        CutSearch cutSearch(rig, costs, shape, options);
        if (isHasty(m_options)) cutSearch.countMisfits(replayed > kGlanced && !m_best);
        if (m_costs.hostBytes > m_rig.host.memoryBytes) return kNever; // no plan helps
        int64_t left = replayed;
        const auto known = cutSearch.devicesAreEqual() ? std::vector<CutSearch::Candidate>()
                                                       : candidatesOfShorter(rig, costs, shape, options);
        std::vector<CutSearch::Candidate> candidates = cutSearch.run(kNumReplayed, known);
        FoundPlans found;
        for (CutSearch::Candidate& candidate : candidates) {
            if (m_options.stop.stop_requested()) break;
            if (m_best && candidate.seconds > kHopeful * m_best->step.stepSeconds) break;
            const Plan plan = rename(std::move(candidate.plan), devices);
            left -= slotsReplayed(plan, m_costs, shape, m_options);
            if (replay(found, plan, shape) < kNever && left <= 0) break;
        }
        if (!found.empty() && replayed > kGlanced)
            for (CutSearch::Candidate& candidate : cutSearch.bestOfSizes())
                if (candidate.seconds <= CutSearch::kAlike * candidates.front().seconds &&
                    !found.contains(CutSearch::sizeOf(candidate.plan)))
                    replay(found, rename(std::move(candidate.plan), devices), shape);
        const bool isAlone = devices.size() == 1 && rig.devices.front().isGpu && replayed > kGlanced;
        if (isAlone) replayAround(found, cutSearch, shape, devices, kReplaysOfOne * replayed);
        if (m_options.stop.stop_requested()) throw Error(ErrorKind::kCancelled, "Planning was cancelled.");
        m_numEstimates += cutSearch.numEstimates();
        std::vector<EvaluatedPlan> plans;
        for (auto& [size, one] : found.best)
            plans.push_back(std::move(one));
        const bool mayGain = std::ranges::any_of(plans, [&](const EvaluatedPlan& one) { return mayGainOnHost(one); });
        if (mayGain && replayed > kGlanced && devices.size() > 1)
            addCutForHost(plans, rig, costs, options, devices, cutSearch.devicesAreEqual());
        std::ranges::stable_sort(plans, {}, [](const EvaluatedPlan& one) { return one.step.stepSeconds; });
        if (plans.empty()) return kNever;
        double seconds = plans.front().step.stepSeconds;
        if (!m_best || seconds < m_best->step.stepSeconds) m_best = plans.front();
        for (const EvaluatedPlan& one : plans)
            m_starts.add(one);
        for (const EvaluatedPlan& one : plans) // fewer stages have more to save on the host
            seconds = std::min(seconds, saveOnHost(one, replayed));
        if (!isAlone) return seconds;
        m_close = found.closest(plans.front().step.stepSeconds);
        for (const EvaluatedPlan& one : m_close) // and so may other cuts, where those are compared closely
            seconds = std::min(seconds, saveOnHost(one, replayed));
        std::ranges::move(plans, std::back_inserter(m_close));
        return seconds;
    }

    // On all devices, or as many of the fastest as have room for it; and without those of the slowest kind, where that
    // may be faster, unless in haste. Then it is a shorter one, too: it says which rounds are to be searched, and most
    // of its time was spent on plans that end up there anyway.
    double glanceAt(const StepShape& shape) {
        double best = kNever;
        std::vector<int32_t> devices = fastestFirst();
        while (!devices.empty() && (best == kNever || fastestOn(devices, shape) < best)) {
            const double seconds = search(shape, devices, m_options.effort / (isHasty(m_options) ? 8 : 2), kGlanced);
            best = std::min(best, seconds);
            if (isHasty(m_options) && best < kNever) break;
            dropSlowest(devices, seconds < kNever);
        }
        return std::min(best, takeLeastOf(shape));
    }

    // Each shape with a part of the effort, then the best of them with all of it. Returns those.
    std::vector<StepShape> searchAll(std::span<const StepShape> shapes, const std::vector<int32_t>& devices) {
        constexpr std::size_t kInFull = 4;
        const int64_t part = m_options.effort / static_cast<int64_t>(shapes.size());
        std::vector<std::pair<double, const StepShape*>> found;
        for (const StepShape& shape : shapes)
            found.emplace_back(search(shape, devices, part), &shape);
        if (shapes.size() == 1) return {shapes.front()};
        std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
        found.resize(std::min(found.size(), kInFull));
        std::vector<StepShape> inFull;
        for (const auto& [seconds, shape] : found) {
            if (seconds > kHopeful * found.front().first) break;
            if (seconds < kNever) search(*shape, devices, m_options.effort);
            inFull.push_back(*shape);
        }
        return inFull;
    }

    // Fewer devices may do better: in short steps, or without one that holds up the others. Only where they could.
    void searchFewer(const StepShape& shape, int64_t effort) {
        std::vector<int32_t> devices = fastestFirst();
        while (devices.size() > 1) {
            devices.pop_back();
            if (m_best && fastestOn(devices, shape) >= m_best->step.stepSeconds) return;
            search(shape, devices, effort);
        }
    }

    // Where no search finds a plan, or for a short host none on all devices, one that takes the least memory may fit:
    // on all of them, without the slowest, or on those of one kind, as each needs memory of the host as well. Returns
    // the seconds of the best of these.
    double takeLeastOf(const StepShape& shape) {
        if (m_best && hostHoldsAnyCuts(m_rig, m_costs, shape)) return kNever;
        double best = kNever;
        for (std::vector<int32_t> devices = fastestFirst(); !devices.empty();) {
            const double seconds = takeLeastOf(shape, devices);
            best = std::min(best, seconds);
            dropSlowest(devices, seconds < kNever);
        }
        for (std::vector<int32_t> devices = fastestFirst(); !devices.empty(); dropSlowest(devices, true)) {
            const auto isOfKind = [&](int32_t d) { return workOn(d) == workOn(devices.back()); };
            std::vector<int32_t> kind;
            std::ranges::copy_if(devices, std::back_inserter(kind), isOfKind);
            if (kind.size() < devices.size()) best = std::min(best, takeLeastOf(shape, kind));
        }
        return best;
    }
    // Infinite: it does not fit there, or could not be faster than what is known.
    double takeLeastOf(const StepShape& shape, const std::vector<int32_t>& devices) {
        if (m_best && fastestOn(devices, shape) >= m_best->step.stepSeconds) return kNever;
        const auto [rig, costs] = partOf(devices);
        Plan least = planOfLeastMemory(rig, costs, shape);
        if (!fits(least, rig, costs, shape)) return kNever;
        chooseSaving(least, rig, costs, shape);
        return takeBetter(m_best, rename(std::move(least), devices), shape);
    }
    // One device, or all of its kind.
    void dropSlowest(std::vector<int32_t>& devices, bool allOfItsKind) const {
        const double slowest = workOn(devices.back());
        do
            devices.pop_back();
        while (allOfItsKind && !devices.empty() && workOn(devices.back()) == slowest);
    }

    // Of the last search of one device: the best of each size, and a few others that take hardly longer than the best.
    std::vector<EvaluatedPlan> takeClose() { return std::move(m_close); }

    // Where nothing fits, what the least of `shape` would take is the reason.
    EvaluatedPlan best(const StepShape& shape) const {
        if (!m_best) {
            const EvaluatedPlan least = leastOf(shape);
            Misfit misfit = misfitOf(least, m_rig);
            misfit.obstacle = Misfit::Obstacle::kSmallestPlan;
            throw DoesNotFit(std::move(misfit), least.plan);
        }
        const bool isWorthIt = m_onHost && kHostSavingWorth * m_onHost->step.stepSeconds < m_best->step.stepSeconds;
        EvaluatedPlan choice = withMoreStaying(isWorthIt ? *m_onHost : *m_best);
        choice.numEstimates = m_numEstimates;
        return choice;
    }

private:
    double workOn(int32_t device) const { return secondsOfMicrobatch(m_costs, static_cast<std::size_t>(device)); }
    // If they shared the work perfectly and computed nothing twice.
    double fastestOn(const std::vector<int32_t>& devices, const StepShape& shape) const {
        double rate = 0;
        for (const int32_t d : devices)
            rate += 1 / workOn(d);
        return shape.numMicrobatches() / rate;
    }
    std::vector<int32_t> fastestFirst() const {
        std::vector<int32_t> devices(m_rig.devices.size());
        std::iota(devices.begin(), devices.end(), 0);
        std::ranges::stable_sort(devices, {}, [&](int32_t d) { return workOn(d); });
        return devices;
    }
    // Of the plans that may be the least, the one that the host needs less for, if it is no device that is in the way.
    EvaluatedPlan leastOf(const StepShape& shape) const {
        const EvaluatedPlan cut =
            memoryOf(CutSearch(m_rig, m_costs, shape, m_options).smallest(), m_rig, m_costs, shape);
        const EvaluatedPlan equal = memoryOf(planOfLeastMemory(m_rig, m_costs, shape), m_rig, m_costs, shape);
        const bool isLess = equal.hostMemory.total() < cut.hostMemory.total();
        return isLess && !misfitOf(equal, m_rig).isOfDevices() ? equal : cut;
    }
    // The seconds of a step; infinite: it does not fit, and was not replayed.
    double takeBetter(std::optional<EvaluatedPlan>& best, const Plan& plan, const StepShape& shape) const {
        if (!misfitOf(memoryOf(plan, m_rig, m_costs, shape), m_rig).empty()) return kNever;
        EvaluatedPlan choice = evaluatePlan(plan, m_rig, m_costs, shape, m_options);
        const double seconds = choice.step.stepSeconds;
        if (!best || seconds < best->step.stepSeconds) best = std::move(choice);
        return seconds;
    }
    // What was replayed: the best of each size, and the others.
    struct FoundPlans {
        std::map<int, EvaluatedPlan> best;
        std::vector<EvaluatedPlan> others;

        bool contains(int size) const { return best.contains(size); }
        bool empty() const { return best.empty(); }
        // The few others that take hardly longer than so many seconds.
        std::vector<EvaluatedPlan> closest(double seconds) {
            constexpr double kHardly = 1.02;
            constexpr std::size_t kFew = 4;
            std::ranges::stable_sort(others, {}, [](const EvaluatedPlan& one) { return one.step.stepSeconds; });
            std::vector<EvaluatedPlan> few;
            for (EvaluatedPlan& one : others)
                if (few.size() < kFew && one.step.stepSeconds <= kHardly * seconds) few.push_back(std::move(one));
            return few;
        }
    };
    // The seconds of a step; infinite: it does not fit.
    double replay(FoundPlans& found, const Plan& plan, const StepShape& shape) const {
        std::optional<EvaluatedPlan> one;
        const double seconds = takeBetter(one, plan, shape);
        if (seconds == kNever) return seconds;
        const auto [best, isNew] = found.best.try_emplace(CutSearch::sizeOf(plan), *one);
        if (isNew) return seconds;
        if (seconds < best->second.step.stepSeconds) std::swap(best->second, *one);
        found.others.push_back(std::move(*one));
        return seconds;
    }
    // One GPU finds much of what a large stage needs where it lay a step before, and uploads far ahead, neither of
    // which an estimate knows (it was up to 30 % too long, of the best plan of all, too): so that plans around the best
    // ones, and a few very different ones, are compared by their replays. `left`: microbatch-slots of them at most.
    void replayAround(FoundPlans& found, CutSearch& cutSearch, const StepShape& shape,
                      const std::vector<int32_t>& devices, int64_t left) const {
        std::multimap<double, Plan> open;
        for (const auto& [size, one] : found.best)
            open.emplace(one.step.stepSeconds, one.plan);
        const auto replayAll = [&](std::vector<Plan> plans) {
            for (Plan& other : plans) {
                if (m_options.stop.stop_requested() || left <= 0) return;
                const Plan plan = rename(std::move(other), devices);
                left -= slotsReplayed(plan, m_costs, shape, m_options);
                if (const double seconds = replay(found, plan, shape); seconds < kNever) open.emplace(seconds, plan);
            }
        };
        replayAll(cutSearch.coarse());
        while (left > 0 && !open.empty())
            replayAll(cutSearch.around(open.extract(open.begin()).mapped()));
    }
    // What is good for a part of a long round is nearly so for all of it, and looked at in a part of the effort: where
    // each slot is tried on every device, little of it is left for long rounds.
    static std::vector<CutSearch::Candidate> candidatesOfShorter(const Rig& rig, const Costs& costs,
                                                                 const StepShape& shape, SearchOptions options) {
        constexpr int32_t kLong = 16; // microbatches
        StepShape part = shape;
        while (part.mostMicrobatches() >= kLong)
            (part.rounds > 1 ? part.rounds : part.roundSize) /= 2;
        if (part.mostMicrobatches() == shape.mostMicrobatches()) return {};
        const double share = static_cast<double>(part.mostMicrobatches()) / shape.mostMicrobatches();
        part.usual = static_cast<int32_t>(std::ceil(share * shape.usual));
        options.effort /= 2;
        return CutSearch(rig, costs, part, shape, options).run(kNumKnown);
    }
    // Whether saving in host memory is worth a try: on GPUs, if devices are not busy with what must be anyway.
    bool mayGainOnHost(const EvaluatedPlan& found) const {
        return std::ranges::any_of(m_rig.devices, &DeviceSpec::isGpu) &&
               found.step.stepSeconds >= kHostSavingWorth * found.fastestThinkable;
    }
    // Stages that compute less, as nothing is computed again, are as long as others where they hold more layers, and
    // devices that differ share a step by what each computes: so there are other cuts, and other devices for them, that
    // are good once they save in host memory. They are sought as if all were saved there, with half of the effort where
    // devices are equal; how much of it is best, saveOnHost() finds.
    void addCutForHost(std::vector<EvaluatedPlan>& plans, const Rig& rig, const Costs& costs,
                       const SearchOptions& options, const std::vector<int32_t>& devices, bool devicesAreEqual) {
        const StepShape shape = plans.front().shape;
        SearchOptions part = options;
        if (devicesAreEqual) part.effort /= 2;
        CutSearch search(rig, costs, shape, part);
        search.saveOnHost({Saving::kWithoutGateUp, kHostParts});
        const auto best = search.run(1);
        m_numEstimates += search.numEstimates();
        double shortest = m_best ? m_best->step.stepSeconds : kNever;
        for (const EvaluatedPlan& one : plans)
            shortest = std::min(shortest, one.step.stepSeconds);
        for (CutSearch::Candidate& candidate : search.bestOfSizes()) {
            if (candidate.seconds > CutSearch::kAlike * best.front().seconds) continue;
            if (devicesAreEqual && kMissed * kHostSavingWorth * candidate.seconds >= shortest) continue;
            Plan plan = withoutHostSaving(rename(std::move(candidate.plan), devices));
            const auto hasItsCuts = [&](const EvaluatedPlan& one) {
                return one.plan.forward == plan.forward && one.plan.backward == plan.backward &&
                       one.plan.deviceTable == plan.deviceTable;
            };
            if (std::ranges::any_of(plans, hasItsCuts)) continue;
            if (!misfitOf(memoryOf(plan, m_rig, m_costs, shape), m_rig).empty())
                chooseSaving(plan, m_rig, m_costs, shape);
            if (m_options.engine.residency) addResidents(plan, m_rig, m_costs, shape);
            std::optional<EvaluatedPlan> one;
            if (takeBetter(one, plan, shape) != kNever) plans.push_back(std::move(*one));
        }
    }
    // Where what is computed again takes time that links may have left; the less of a layer is saved, the less they
    // carry, and the more is computed again. Returns the seconds of a step; infinite where it is not worth a try, as on
    // CPU workers, whose memory is the host's anyway.
    double saveOnHost(const EvaluatedPlan& found, int64_t replayed) {
        if (!mayGainOnHost(found) || (isHasty(m_options) && replayed <= kGlanced)) return kNever;
        std::optional<EvaluatedPlan> best;
        const double before = m_estimator.seconds(found.plan, found.shape);
        saveOnHost(best, found, before, Saving::kAll, replayed);
        saveOnHost(best, found, before, Saving::kWithoutGateUp, replayed);
        if (replayed > kGlanced) saveOnHost(best, found, before, Saving::kInput, replayed);
        if (!best) return kNever;
        const double seconds = best->step.stepSeconds;
        m_starts.add(*best);
        if (!m_onHost || seconds < m_onHost->step.stepSeconds) m_onHost = std::move(best);
        return seconds;
    }
    // What a plan must take less than to be chosen for what it saves in host memory.
    double toBeat() const {
        const double onHost = m_onHost ? m_onHost->step.stepSeconds : kNever;
        return std::min(onHost, m_best->step.stepSeconds / kHostSavingWorth);
    }
    // Nothing must come back later than a step takes: by what it saves, whatever stays.
    bool linksCarry(const Plan& plan, const EvaluatedPlan& found) const {
        const auto saved = std::ranges::count_if(std::views::iota(0, plan.numLayers),
                                                 [&](int32_t layer) { return plan.sendsSaved(layer); });
        double bytes = static_cast<double>(saved * savedOnHostBytes(plan, m_costs) * found.shape.numMicrobatches());
        double rate = 0;
        for (std::size_t d = 0; d < m_rig.links.size(); ++d) {
            bytes += static_cast<double>(found.step.bytesUp[d]);
            rate += m_rig.links[d].upBytesPerSecond;
        }
        return bytes / rate < found.step.stepSeconds;
    }
    // By an estimate less must be computed. How much shorter the step gets only a replay tells; it is seldom more than
    // an estimate has it, and hardly ever by a hundredth: what even so would not be chosen is left out. `before`: the
    // estimate of what was found.
    bool mayBeFaster(const Plan& plan, const EvaluatedPlan& found, double before) {
        constexpr double kLess = 0.999;
        const double after = m_estimator.seconds(plan, found.shape);
        return after <= kLess * before && kMissed * found.step.stepSeconds * after / before < toBeat();
    }
    // From the most layers to the fewest, as long as a step gets shorter.
    void saveOnHost(std::optional<EvaluatedPlan>& best, const EvaluatedPlan& found, double before, Saving what,
                    int64_t replayed) {
        constexpr int kPatience = 2; // amounts in a row that are no better
        double shortest = kNever;
        int numWorse = 0;
        std::vector<Plan> plans = plansSavedOnHost(found.plan, what, m_costs);
        for (; replayed > 0 && numWorse < kPatience && !plans.empty(); plans.pop_back()) {
            if (m_options.stop.stop_requested()) return;
            Plan& plan = plans.back();
            if (!linksCarry(plan, found)) continue;
            if (!misfitOf(memoryOf(plan, m_rig, m_costs, found.shape), m_rig).empty())
                chooseSaving(plan, m_rig, m_costs, found.shape);
            if (m_options.engine.residency) addResidents(plan, m_rig, m_costs, found.shape);
            if (!mayBeFaster(plan, found, before)) return; // nor with fewer, of which more is computed again
            const double seconds = takeBetter(best, plan, found.shape);
            if (seconds == kNever) continue;
            replayed -= slotsReplayed(plan, m_costs, found.shape, m_options);
            numWorse = seconds < shortest ? 0 : numWorse + 1;
            shortest = std::min(shortest, seconds);
        }
    }
    template <class T>
    static void pick(const std::vector<T>& all, const std::vector<int32_t>& which, std::vector<T>& picked) {
        picked.clear();
        for (const int32_t i : which)
            picked.push_back(all[static_cast<std::size_t>(i)]);
    }
    std::pair<Rig, Costs> partOf(const std::vector<int32_t>& devices) const {
        Rig rig = m_rig;
        pick(m_rig.devices, devices, rig.devices);
        pick(m_rig.links, devices, rig.links);
        rig.peers.clear(); // the estimate knows none
        Costs costs = m_costs;
        pick(m_costs.times, devices, costs.times);
        pick(m_costs.contextBytes, devices, costs.contextBytes);
        return {std::move(rig), std::move(costs)};
    }
    Plan rename(Plan plan, const std::vector<int32_t>& devices) const {
        for (DeviceId& device : plan.deviceTable)
            device = DeviceId(devices[device.index()]);
        if (!plan.resident.empty()) {
            std::vector<std::vector<bool>> resident(m_rig.devices.size(), std::vector<bool>(plan.resident[0].size()));
            for (std::size_t i = 0; i < devices.size(); ++i)
                resident[static_cast<std::size_t>(devices[i])] = plan.resident[i];
            plan.resident = std::move(resident);
        }
        return plan;
    }

    const Rig& m_rig;
    const Costs& m_costs;
    const SearchOptions& m_options;
    std::optional<EvaluatedPlan> m_best;   // of those that save nothing in host memory
    std::optional<EvaluatedPlan> m_onHost; // and of those that do
    std::vector<EvaluatedPlan> m_close;
    PolishStarts m_starts;
    int64_t m_numEstimates = 0;
    StepEstimator m_estimator; // on all devices
};

} // namespace

double glance(const Rig& rig, const Costs& costs, const StepShape& shape, const SearchOptions& options) {
    return fitsNowhere(rig, costs, shape) ? kNever : PlanChooser(rig, costs, options).glanceAt(shape);
}

EvaluatedPlan choosePlan(const Rig& rig, const Costs& costs, std::span<const StepShape> shapes,
                         const SearchOptions& options) {
    PlanChooser chooser(rig, costs, options);
    chooser.searchIn(shapes);
    return chooser.best(shapes.front());
}

ChosenAlone chooseAlone(const Rig& rig, const Costs& costs, const StepShape& shape, const SearchOptions& options) {
    RP_CHECK(rig.numDevices() == 1);
    PlanChooser chooser(rig, costs, options);
    chooser.searchIn({&shape, 1});
    return {chooser.best(shape), chooser.takeClose()};
}

} // namespace roundpipe::plan
