// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/residents.h"

#include "plan/cost/memory_table.h"
#include "plan/program.h"

#include <algorithm>

namespace roundpipe::plan {
namespace {

// Of a GPU's memory, what bases may fill up: what is counted was off by 1 % at most where it was measured
// (tests/bench/RESULTS.md). A run that finds it too tight plans anew, and a desktop has room of its own.
constexpr double kMostlyFull = 0.97;

// Layers that the device uses, the most often used first; of those, small ones first.
std::vector<int32_t> byUse(const Plan& plan, const Costs& costs, const DeviceRound& turns) {
    std::vector<int32_t> uses(static_cast<std::size_t>(plan.numLayers));
    for (const Slot& slot : turns.slots)
        for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l)
            ++uses[static_cast<std::size_t>(l)];
    std::vector<int32_t> order;
    for (int32_t l = 0; l < plan.numLayers; ++l)
        if (uses[static_cast<std::size_t>(l)] > 0) order.push_back(l);
    std::ranges::stable_sort(order, {}, [&](int32_t l) {
        return std::pair(-uses[static_cast<std::size_t>(l)], costs.layers[static_cast<std::size_t>(l)].weights);
    });
    return order;
}

// How many of them fit if no other layer had a slot.
std::size_t mostWithin(int64_t bytes, const std::vector<int32_t>& order, const Costs& costs) {
    std::size_t count = 0;
    while (count < order.size() && (bytes -= costs.layers[static_cast<std::size_t>(order[count])].weights) >= 0)
        ++count;
    return count;
}

void fill(Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape, const DeviceRound& turns) {
    const std::vector<int32_t> order = byUse(plan, costs, turns);
    const DeviceMemoryTable none = deviceMemory(plan, costs, shape, turns);
    // What fits without any that stays has been found to fit: to keep all then costs nothing.
    const auto limit =
        std::max(static_cast<int64_t>(kMostlyFull * static_cast<double>(rig.devices[turns.device.index()].memoryBytes)),
                 none.total());
    std::vector<bool>& resident = plan.resident[turns.device.index()];
    const auto keepFirst = [&](std::size_t count) {
        resident.assign(resident.size(), false);
        for (std::size_t i = 0; i < count; ++i)
            resident[static_cast<std::size_t>(order[i])] = true;
    };
    // One layer more never takes less memory, or not enough less to matter: look for the most that fit.
    std::size_t fits = 0;
    const std::size_t most = mostWithin(limit - (none.total() - none.weights), order, costs);
    for (std::size_t tooMany = most + 1; fits + 1 < tooMany;) {
        const std::size_t tried = tooMany == most + 1 ? most : (fits + tooMany) / 2;
        keepFirst(tried);
        (deviceMemory(plan, costs, shape, turns).total() <= limit ? fits : tooMany) = tried;
    }
    keepFirst(fits);
}

} // namespace

void addResidents(Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape) {
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
            fill(plan, rig, costs, shape, roundOn(plan, round, DeviceId(d)));
    }
    const auto keepsNone = [](const std::vector<bool>& layers) {
        return std::ranges::find(layers, true) == layers.end();
    };
    if (std::ranges::all_of(plan.resident, keepsNone)) plan.resident.clear();
}

} // namespace roundpipe::plan
