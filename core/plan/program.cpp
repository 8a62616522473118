// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/program.h"

#include <numeric>

namespace roundpipe::plan {
namespace {

template <class Use>
void forEachInput(const Plan& plan, const Slot& slot, const Use& use) {
    const bool finds = plan.keepsPackets && (slot.work == Work::kForward || slot.work == Work::kFused);
    if (slot.layers.begin > 0 && !finds) use(slot.layers.begin);
    if (slot.work == Work::kBackward)
        for (int32_t l = std::max(plan.firstOnHost(slot.layers), slot.layers.begin + 1); l < slot.layers.end; ++l)
            use(l);
}

class Builder {
public:
    Builder(const Plan& plan, int32_t numMicrobatches, int32_t microbatchesPerRound, int64_t slotsBefore)
        : m_plan(plan), m_slotsBefore(slotsBefore) {
        m_program.numRounds = (numMicrobatches + microbatchesPerRound - 1) / microbatchesPerRound;
        m_program.microbatchesPerRound = microbatchesPerRound;
        m_program.numMicrobatches = numMicrobatches;
        m_program.inputReaders.assign(static_cast<std::size_t>(plan.numLayers) + 1, 0);
        m_program.gradientReaders = m_program.inputReaders;
        m_program.slots.reserve(static_cast<std::size_t>(m_program.numRounds) *
                                static_cast<std::size_t>(plan.numStages()));
    }

    void add(Work work, StageId stage, LayerRange layers, int32_t round) {
        const int32_t index = m_program.numSlots();
        const DeviceId device = m_plan.deviceTable.empty() ? DeviceId() : m_plan.deviceOf(m_slotsBefore, index, round);
        m_program.slots.push_back({index, work, stage, layers, round, device});
        if (round > 0) return; // every round has the same readers
        forEachInput(m_plan, m_program.slots.back(),
                     [&](int32_t layer) { ++m_program.inputReaders[static_cast<std::size_t>(layer)]; });
        if (work == Work::kBackward && !m_plan.keepsPackets)
            ++m_program.gradientReaders[static_cast<std::size_t>(layers.end)];
    }

    int32_t numRounds() const { return m_program.numRounds; }
    Program take() { return std::move(m_program); }

private:
    const Plan& m_plan;
    int64_t m_slotsBefore;
    Program m_program;
};

} // namespace

std::vector<int32_t> inputsRead(const Plan& plan, const Slot& slot) {
    std::vector<int32_t> layers;
    forEachInput(plan, slot, [&](int32_t layer) { layers.push_back(layer); });
    return layers;
}

Program trainingProgram(const Plan& plan, int32_t firstTrainable, int32_t numMicrobatches, int32_t microbatchesPerRound,
                        int64_t slotsBefore) {
    Builder builder(plan, numMicrobatches, plan.roundSize(numMicrobatches, microbatchesPerRound), slotsBefore);
    const std::vector<Stage> stages = plan.stages();
    for (int32_t round = 0; round < builder.numRounds(); ++round)
        for (const Stage& stage : stages) {
            LayerRange layers = stage.layers;
            if (stage.kind == StageKind::kBackward) layers.begin = std::max(layers.begin, firstTrainable);
            if (layers.size() > 0) builder.add(static_cast<Work>(stage.kind), stage.id, layers, round);
        }
    Program program = builder.take();
    program.keepsPackets = plan.keepsPackets;
    return program;
}

Program trainingProgram(const Plan& plan, int32_t firstTrainable, const StepShape& shape, int64_t slotsBefore) {
    return trainingProgram(plan, firstTrainable, shape.numMicrobatches(), shape.roundSize, slotsBefore);
}

void dispatchLater(Program& program, const Plan& plan, int64_t slotsBefore) {
    if (plan.tableRestarts || plan.replicas > 1) return; // the same in every step
    const std::vector<DeviceId>& table = plan.deviceTable;
    auto next = static_cast<std::size_t>(slotsBefore) % table.size();
    for (Slot& slot : program.slots) {
        slot.device = table[next];
        if (++next == table.size()) next = 0;
    }
}

Program evaluationProgram(const Plan& plan, int32_t microbatches, int64_t slotsBefore) {
    Builder builder(plan, microbatches, plan.roundSize(microbatches, microbatches), slotsBefore);
    for (int32_t round = 0; round < builder.numRounds(); ++round)
        for (const Stage& stage : plan.stages())
            if (stage.kind != StageKind::kBackward) builder.add(Work::kEvaluate, stage.id, stage.layers, round);
    return builder.take();
}

std::vector<Slot> slotsOfRound(const Plan& plan, int32_t firstTrainable) {
    return trainingProgram(plan, firstTrainable, 1, 1, 0).slots;
}

DeviceRound roundOn(const Plan& plan, int32_t firstTrainable, DeviceId device) {
    return roundOn(plan, slotsOfRound(plan, firstTrainable), device);
}

DeviceRound roundOn(const Plan& plan, std::span<const Slot> round, DeviceId device) {
    DeviceRound turns{device, {}, {}};
    const std::size_t table = plan.deviceTable.size();
    if (plan.replicas > 1) {
        if (std::ranges::find(plan.deviceTable, device) == plan.deviceTable.end()) return turns;
        turns.slots.assign(round.begin(), round.end());
        turns.orders = {turns.slots};
        turns.everyRoundIsAlike = true;
        return turns;
    }
    // Rounds that were dispatched before only turn an order; other numbers of slots make others.
    const std::size_t numOrders = plan.tableRestarts ? 1 : std::gcd(table, round.size());
    const std::size_t numDifferent = std::lcm(table, round.size()); // slots, after which all recurs
    std::vector<bool> meets(round.size(), !plan.tableRestarts);     // evaluations shift a table that goes on
    for (std::size_t before = 0; before < numOrders; ++before) {
        std::vector<Slot> order;
        std::size_t inTable = before, inRound = 0;
        for (std::size_t n = 0; n < numDifferent; ++n) {
            if (plan.deviceTable[inTable] == device) {
                order.push_back(round[inRound]);
                meets[inRound] = true;
            }
            if (++inTable == table) inTable = 0;
            if (++inRound == round.size()) inRound = 0;
        }
        if (!order.empty()) turns.orders.push_back(std::move(order));
    }
    for (const Slot& slot : round)
        if (meets[static_cast<std::size_t>(slot.index)]) turns.slots.push_back(slot);
    const std::size_t numRounds = numDifferent / round.size();
    turns.everyRoundIsAlike = turns.orders.size() == 1 && turns.orders.front().size() == numRounds * turns.slots.size();
    return turns;
}

std::vector<LayerAhead> layersAhead(const Plan& plan, DeviceId device, std::span<const Slot> coming) {
    std::vector<LayerAhead> ahead;
    if (plan.prefetchDepth == 0) { // all of the next slot
        if (coming.empty()) return ahead;
        ahead.reserve(static_cast<std::size_t>(coming.front().layers.size()));
        for (int32_t l = coming.front().layers.begin; l < coming.front().layers.end; ++l)
            ahead.push_back({&coming.front(), l});
        return ahead;
    }
    std::vector<bool> seen(static_cast<std::size_t>(plan.numLayers));
    int32_t numShared = 0;
    for (const Slot& slot : coming)
        for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l) {
            if (seen[static_cast<std::size_t>(l)]) continue;
            seen[static_cast<std::size_t>(l)] = true;
            if (!plan.isResident(device, l) && ++numShared > plan.prefetchDepth) return ahead;
            ahead.push_back({&slot, l});
        }
    return ahead;
}

std::vector<LayerAhead> layersFarAhead(const Plan& plan, DeviceId device, std::span<const Slot> coming,
                                       const std::function<bool(int32_t layer)>& isThere) {
    if (plan.prefetchDepth > 0) return layersAhead(plan, device, coming);
    std::vector<LayerAhead> ahead;
    std::vector<bool> seen(static_cast<std::size_t>(plan.numLayers));
    bool areThere = true;
    for (const Slot& slot : coming) {
        for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l) {
            if (seen[static_cast<std::size_t>(l)]) continue;
            seen[static_cast<std::size_t>(l)] = true;
            areThere = areThere && (plan.isResident(device, l) || isThere(l));
            ahead.push_back({&slot, l});
        }
        if (!areThere) break;
    }
    return ahead;
}

int32_t stepsOfRotation(const Plan& plan, int32_t slotsPerStep) {
    if (plan.tableRestarts) return 1;
    const auto table = static_cast<int32_t>(plan.deviceTable.size());
    return table / std::gcd(slotsPerStep, table);
}

int32_t staleStepsMeasured(const Plan& plan, int32_t slotsPerStep) {
    constexpr int32_t kRotations = 3;
    return kRotations * stepsOfRotation(plan, slotsPerStep);
}

} // namespace roundpipe::plan
