// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/saving.h"

#include "plan/cost/memory_table.h"
#include "plan/program.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace roundpipe::plan {
namespace {

using geometry::alignUp;
using geometry::LayerSaving;
using geometry::Saving;

// What a device holds of a stage's saved activations: what is left beside everything else.
int64_t roomOn(const DeviceRound& turns, const Plan& least, const Rig& rig, const Costs& costs,
               const StepShape& shape) {
    const geometry::DeviceNeeds needs = deviceNeeds(least, costs, shape, turns);
    return rig.devices[turns.device.index()].memoryBytes - deviceMemory(needs, costs, turns.device).total() +
           alignUp(needs.saved);
}

constexpr double kSame = 1e-12; // seconds: sums that differ by less are the same

struct StageRoom {
    int64_t bytes = std::numeric_limits<int64_t>::max(); // on the fullest of the devices that take the stage
    DeviceId device;                                     // it
};

// [stage]; `plan` has all saved on devices that is not saved in host memory.
std::vector<StageRoom> roomOfStages(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape) {
    Plan least = plan;
    least.saving = leastSaving(costs);
    for (int32_t l = 0; l < plan.numLayers; ++l)
        if (plan.isOnHost(l)) least.saving[static_cast<std::size_t>(l)] = plan.savingOf(l);
    const std::vector<Slot> round = slotsOfRound(plan, costs.firstTrainable);
    std::vector<StageRoom> rooms(static_cast<std::size_t>(plan.numStages()));
    for (int32_t d = 0; d < rig.numDevices(); ++d) {
        const auto i = static_cast<std::size_t>(d);
        const bool likeTheLast = d > 0 && !plan.tableRestarts && plan.resident.empty() &&
                                 rig.devices[i - 1].memoryBytes == rig.devices[i].memoryBytes &&
                                 costs.contextBytes[i - 1] == costs.contextBytes[i];
        if (likeTheLast) continue;
        const DeviceRound turns = roundOn(plan, round, DeviceId(d));
        const int64_t bytes = roomOn(turns, least, rig, costs, shape);
        for (const Slot& slot : turns.slots)
            if (StageRoom& room = rooms[slot.stage.index()]; bytes < room.bytes) room = {bytes, DeviceId(d)};
    }
    return rooms;
}

// The blocks of a stage that are trained and not saved in host memory, the deepest first.
class SavedBlocks {
public:
    SavedBlocks(const Plan& plan, const Stage& stage, const Costs& costs, DeviceId device) {
        for (int32_t l = stage.layers.end - 1; l >= std::max(stage.layers.begin, costs.firstTrainable); --l) {
            const auto i = static_cast<std::size_t>(l);
            const geometry::LayerSizes& sizes = costs.layers[i];
            if (plan.savingOf(l) == LayerSaving(Saving::kInput, true))
                m_inTurns = std::max(m_inTurns, alignUp(sizes.savedWithoutGateUp));
            if (!sizes.isBlock || plan.isOnHost(l)) continue;
            m_layers.push_back(l);
            m_all = std::max(m_all, alignUp(sizes.saved));
            m_less = std::max(m_less, alignUp(sizes.savedWithoutGateUp));
            const auto seconds = [&](Saving saving) {
                const PassTimes pass = passTimes(costs.times[device.index()][i], saving,
                                                 makesOutput(stage.kind, stage.layers, l, plan.saving));
                return pass.forward + pass.backward;
            };
            const double all = seconds(Saving::kAll);
            m_withoutGateUp.push_back(m_withoutGateUp.back() + seconds(Saving::kWithoutGateUp) - all);
            m_input.push_back(m_input.back() + seconds(Saving::kInput) - all);
        }
    }

    // As if all were as large as the largest: then they fit whatever they are.
    void save(std::vector<LayerSaving>& saving, int64_t room) const {
        std::size_t input = m_layers.size(), less = 0;
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k <= m_layers.size(); ++k) {
            const std::optional<std::size_t> needed = fewestWithoutGateUp(k, room);
            if (!needed) continue;
            const double seconds = m_input[k] + m_withoutGateUp[k + *needed] - m_withoutGateUp[k];
            if (seconds > best - kSame) continue;
            best = seconds;
            input = k;
            less = *needed;
        }
        for (std::size_t i = 0; i < input + less; ++i)
            saving[static_cast<std::size_t>(m_layers[i])] = i < input ? Saving::kInput : Saving::kWithoutGateUp;
    }

private:
    // How many must leave gate and up out where `input` save their input alone; nothing: not even all are enough.
    std::optional<std::size_t> fewestWithoutGateUp(std::size_t input, int64_t room) const {
        const auto others = static_cast<int64_t>(m_layers.size() - input);
        const int64_t inTurns = std::max(input > 0 ? m_less : 0, m_inTurns);
        const int64_t missing = others * m_all + inTurns - room;
        if (missing <= 0) return 0;
        const int64_t gain = m_all - m_less; // of each
        if (gain <= 0 || missing > others * gain) return std::nullopt;
        return static_cast<std::size_t>((missing + gain - 1) / gain);
    }

    std::vector<int32_t> m_layers;
    int64_t m_all = 0, m_less = 0;                            // bytes of the largest
    int64_t m_inTurns = 0;                                    // of those whose input alone is saved in host memory
    std::vector<double> m_withoutGateUp = {0}, m_input = {0}; // [i]: seconds that it takes more for the first i
};

} // namespace

std::vector<LayerSaving> leastSaving(const geometry::ModelSizes& sizes) {
    std::vector<LayerSaving> saving;
    for (const geometry::LayerSizes& layer : sizes.layers)
        saving.emplace_back(layer.isBlock ? Saving::kInput : Saving::kAll);
    return saving;
}

void chooseSaving(Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape) {
    plan.saving.resize(static_cast<std::size_t>(plan.numLayers));
    for (LayerSaving& saving : plan.saving)
        if (!saving.onHost) saving = Saving::kAll;
    const std::vector<StageRoom> rooms = roomOfStages(plan, rig, costs, shape);
    for (const Stage& stage : plan.stages()) {
        const StageRoom& room = rooms[stage.id.index()];
        if (stage.kind != StageKind::kForward && room.device.valid())
            SavedBlocks(plan, stage, costs, room.device).save(plan.saving, room.bytes);
    }
    if (std::ranges::count(plan.saving, LayerSaving()) == std::ssize(plan.saving)) plan.saving.clear();
}

} // namespace roundpipe::plan
