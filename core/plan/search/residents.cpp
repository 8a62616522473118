// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/residents.h"

#include "plan/cost/memory_table.h"
#include "plan/program.h"
#include "plan/search/saving.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace roundpipe::plan {
namespace {

// Of a GPU's memory, what bases may fill up: what is counted was off by 1 % at most where it was measured
// (tests/bench/RESULTS.md). A run that finds it too tight plans anew, and a desktop has room of its own.
constexpr double kMostlyFull = 0.97;

// Layers that the device uses, those together that are used equally often and equally large: the most often used first;
// of those, small ones first. Each group in the order of layers.
using Groups = std::map<std::pair<int32_t, int64_t>, std::vector<int32_t>>;

Groups byUse(const Plan& plan, const Costs& costs, const DeviceRound& turns) {
    std::vector<int32_t> uses(static_cast<std::size_t>(plan.numLayers));
    for (const Slot& slot : turns.slots)
        for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l)
            ++uses[static_cast<std::size_t>(l)];
    Groups groups;
    for (int32_t l = 0; l < plan.numLayers; ++l)
        if (const int32_t count = uses[static_cast<std::size_t>(l)]; count > 0)
            groups[{-count, costs.layers[static_cast<std::size_t>(l)].weights}].push_back(l);
    return groups;
}

// How many of them fit if no other layer had a slot.
std::size_t mostWithin(int64_t bytes, const Groups& groups) {
    std::size_t count = 0;
    for (const auto& [key, layers] : groups)
        for (std::size_t i = 0; i < layers.size() && (bytes -= key.second) >= 0; ++i)
            ++count;
    return count;
}

// The first `count`.
std::vector<bool> firstOf(const Groups& groups, std::size_t count, Residents order, int32_t numLayers) {
    std::vector<bool> stays(static_cast<std::size_t>(numLayers));
    for (const auto& [key, layers] : groups) {
        const std::size_t kept = std::min(count, layers.size());
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const bool isOfSpread = (i + 1) * kept / layers.size() > i * kept / layers.size();
            if (order == Residents::kSpread ? isOfSpread : i < kept) stays[static_cast<std::size_t>(layers[i])] = true;
        }
        count -= kept;
    }
    return stays;
}

void fill(Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape, Residents order,
          const DeviceRound& turns) {
    const Groups groups = byUse(plan, costs, turns);
    const DeviceMemoryTable none = deviceMemory(plan, costs, shape, turns);
    // What fits without any that stays has been found to fit: to keep all then costs nothing.
    const auto limit =
        std::max(static_cast<int64_t>(kMostlyFull * static_cast<double>(rig.devices[turns.device.index()].memoryBytes)),
                 none.total());
    const int64_t beside = none.total() - none.weights - none.residents;
    std::vector<bool>& resident = plan.resident[turns.device.index()];
    const auto keepFirst = [&](std::size_t count) { resident = firstOf(groups, count, order, plan.numLayers); };
    // One layer more never takes less memory, or not enough less to matter: look for the most that fit.
    std::size_t fits = 0;
    const std::size_t most = mostWithin(limit - beside, groups);
    for (std::size_t tooMany = most + 1; fits + 1 < tooMany;) {
        const std::size_t tried = tooMany == most + 1 ? most : (fits + tooMany) / 2;
        keepFirst(tried);
        geometry::Workspace counting; // all else that it needs is the same
        const geometry::WeightBuffers weights(weightRoom(plan, costs, turns), counting);
        (beside + counting.usedBytes() <= limit ? fits : tooMany) = tried;
    }
    keepFirst(fits);
}

} // namespace

void addResidents(Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape, Residents order) {
    const auto table = plan.deviceTable.size();
    const std::vector<Slot> round = slotsOfRound(plan, costs.firstTrainable);
    if (round.size() * static_cast<std::size_t>(shape.numRounds()) % table == 0) plan.tableRestarts = true;
    plan.resident.assign(rig.devices.size(), std::vector<bool>(static_cast<std::size_t>(plan.numLayers)));
    for (int32_t d = 0; d < rig.numDevices(); ++d) {
        const auto i = static_cast<std::size_t>(d);
        if (!rig.devices[i].isGpu) continue;
        const bool likeTheLast = d > 0 && !plan.tableRestarts && rig.devices[i - 1].isGpu &&
                                 rig.devices[i - 1].memoryBytes == rig.devices[i].memoryBytes &&
                                 costs.contextBytes[i - 1] == costs.contextBytes[i];
        if (likeTheLast)
            plan.resident[i] = plan.resident[i - 1];
        else
            fill(plan, rig, costs, shape, order, roundOn(plan, round, DeviceId(d)));
    }
    const auto keepsNone = [](const std::vector<bool>& layers) {
        return std::ranges::find(layers, true) == layers.end();
    };
    if (std::ranges::all_of(plan.resident, keepsNone)) plan.resident.clear();
}

std::optional<Plan> withPacketsKept(Plan plan, const Rig& rig, const Costs& costs, const StepShape& shape) {
    const auto isOnGpu = [&](DeviceId device) { return rig.devices[device.index()].isGpu; };
    if (!plan.roundsStay() || plan.numStages() == 1 || !std::ranges::all_of(plan.deviceTable, isOnGpu)) return {};
    plan.keepsPackets = true;
    plan.resident.clear();
    const auto fitsOn = [&](DeviceId device) {
        return deviceMemory(plan, costs, shape, device).total() <= rig.devices[device.index()].memoryBytes;
    };
    if (!std::ranges::all_of(plan.deviceTable, fitsOn)) chooseSaving(plan, rig, costs, shape);
    addResidents(plan, rig, costs, shape);
    return plan;
}

} // namespace roundpipe::plan
