#include "pipeline/program.h"

#include <algorithm>

namespace roundpipe::pipeline {
namespace {

class Builder {
public:
    Builder(const plan::Plan& plan, int32_t numMicrobatches, int32_t microbatchesPerRound, int64_t slotsBefore)
        : m_plan(plan), m_slotsBefore(plan.tableRestarts ? 0 : slotsBefore) {
        m_program.numRounds = (numMicrobatches + microbatchesPerRound - 1) / microbatchesPerRound;
        m_program.microbatchesPerRound = microbatchesPerRound;
        m_program.numMicrobatches = numMicrobatches;
        m_program.inputReaders.assign(static_cast<std::size_t>(plan.numLayers) + 1, 0);
        m_program.gradientReaders = m_program.inputReaders;
    }

    void add(Work work, const plan::Stage& stage, plan::LayerRange layers, int32_t round) {
        const auto index = static_cast<int32_t>(m_program.slots.size());
        m_program.slots.push_back({index, work, stage.id, layers, round, m_plan.deviceOf(m_slotsBefore + index)});
        if (round > 0) return; // every round has the same readers
        if (layers.begin > 0) ++m_program.inputReaders[static_cast<std::size_t>(layers.begin)];
        if (work == Work::kBackward) ++m_program.gradientReaders[static_cast<std::size_t>(layers.end)];
    }

    int32_t numRounds() const { return m_program.numRounds; }
    Program take() { return std::move(m_program); }

private:
    const plan::Plan& m_plan;
    int64_t m_slotsBefore;
    Program m_program;
};

} // namespace

Program trainingProgram(const plan::Plan& plan, int32_t firstTrainable, int32_t numMicrobatches,
                        int32_t microbatchesPerRound, int64_t slotsBefore) {
    Builder builder(plan, numMicrobatches, microbatchesPerRound, slotsBefore);
    const std::vector<plan::Stage> stages = plan.stages();
    for (int32_t round = 0; round < builder.numRounds(); ++round)
        for (const plan::Stage& stage : stages) {
            plan::LayerRange layers = stage.layers;
            if (stage.kind == plan::StageKind::kBackward) {
                layers.begin = std::max(layers.begin, firstTrainable);
                if (layers.size() <= 0) continue;
            }
            builder.add(static_cast<Work>(stage.kind), stage, layers, round);
        }
    return builder.take();
}

Program evaluationProgram(const plan::Plan& plan, int32_t microbatches, int64_t slotsBefore) {
    Builder builder(plan, microbatches, microbatches, slotsBefore);
    for (const plan::Stage& stage : plan.stages())
        if (stage.kind != plan::StageKind::kBackward) builder.add(Work::kEvaluate, stage, stage.layers, 0);
    return builder.take();
}

} // namespace roundpipe::pipeline
