// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/program.h"

#include <numeric>

namespace roundpipe::plan {
namespace {

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
        if (layers.begin > 0) ++m_program.inputReaders[static_cast<std::size_t>(layers.begin)];
        if (work == Work::kBackward) ++m_program.gradientReaders[static_cast<std::size_t>(layers.end)];
    }

    int32_t numRounds() const { return m_program.numRounds; }
    Program take() { return std::move(m_program); }

private:
    const Plan& m_plan;
    int64_t m_slotsBefore;
    Program m_program;
};

} // namespace

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
    return builder.take();
}

Program trainingProgram(const Plan& plan, int32_t firstTrainable, const StepShape& shape, int64_t slotsBefore) {
    return trainingProgram(plan, firstTrainable, shape.numMicrobatches(), shape.roundSize, slotsBefore);
}

Program evaluationProgram(const Plan& plan, int32_t microbatches, int64_t slotsBefore) {
    Builder builder(plan, microbatches, plan.roundSize(microbatches, microbatches), slotsBefore);
    for (int32_t round = 0; round < builder.numRounds(); ++round)
        for (const Stage& stage : plan.stages())
            if (stage.kind != StageKind::kBackward) builder.add(Work::kEvaluate, stage.id, stage.layers, round);
    return builder.take();
}

std::vector<Slot> slotsOn(const Plan& plan, int32_t firstTrainable, DeviceId device) {
    std::vector<Slot> round = trainingProgram(plan, firstTrainable, 1, 1, 0).slots;
    if (plan.replicas > 1 && std::ranges::find(plan.deviceTable, device) == plan.deviceTable.end()) return {};
    if (plan.replicas > 1) return round;
    if (!plan.tableRestarts) return round; // evaluations shift the table, so that each device meets every stage
    std::vector<bool> meets(round.size());
    const std::size_t numDifferent = std::lcm(plan.deviceTable.size(), round.size()); // slots, after which all recurs
    for (std::size_t n = 0; n < numDifferent; ++n)
        if (plan.deviceOf(0, static_cast<int32_t>(n)) == device) meets[n % round.size()] = true;
    std::erase_if(round, [&](const Slot& slot) { return !meets[static_cast<std::size_t>(slot.index)]; });
    return round;
}

std::vector<std::vector<Slot>> ordersOn(const Plan& plan, int32_t firstTrainable, DeviceId device) {
    const std::vector<Slot> round = trainingProgram(plan, firstTrainable, 1, 1, 0).slots;
    if (plan.replicas > 1) return {slotsOn(plan, firstTrainable, device)};
    const std::size_t table = plan.deviceTable.size();
    std::vector<std::vector<Slot>> orders;
    // Rounds that were dispatched before only turn an order; other numbers of slots make others.
    const std::size_t numOrders = plan.tableRestarts ? 1 : std::gcd(table, round.size());
    for (std::size_t before = 0; before < numOrders; ++before) {
        std::vector<Slot> order;
        for (std::size_t n = 0; n < std::lcm(table, round.size()); ++n)
            if (plan.deviceTable[(before + n) % table] == device) order.push_back(round[n % round.size()]);
        if (!order.empty()) orders.push_back(std::move(order));
    }
    return orders;
}

std::vector<LayerAhead> layersAhead(const Plan& plan, DeviceId device, std::span<const Slot> coming) {
    std::vector<LayerAhead> ahead;
    std::vector<bool> seen(static_cast<std::size_t>(plan.numLayers));
    int32_t numShared = 0;
    if (plan.prefetchDepth == 0) coming = coming.first(std::min<std::size_t>(coming.size(), 1));
    for (const Slot& slot : coming)
        for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l) {
            if (seen[static_cast<std::size_t>(l)]) continue;
            seen[static_cast<std::size_t>(l)] = true;
            if (!plan.isResident(device, l) && plan.prefetchDepth > 0 && ++numShared > plan.prefetchDepth) return ahead;
            ahead.push_back({&slot, l});
        }
    return ahead;
}

int32_t stepsOfRotation(const Plan& plan, int32_t slotsPerStep) {
    if (plan.tableRestarts) return 1;
    const auto table = static_cast<int32_t>(plan.deviceTable.size());
    return table / std::gcd(slotsPerStep, table);
}

} // namespace roundpipe::plan
