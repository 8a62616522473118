// SPDX-License-Identifier: GPL-3.0-or-later
// A tiny random model with everything that a pipeline needs, made anew for each test case.
#pragma once

#include "optim/adamw.h"
#include "pipeline/pipeline.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roundpipe::testing {

struct RigSpec {
    arch::Family family = arch::Family::kQwen3;
    int64_t numBlocks = 4;
    bool tied = true;
    double dropout = 0;
    bool trainsBase = false; // the weights; else adapters of `targets`
    std::vector<std::string> targets = {"all-linear"};
    std::vector<std::string> modulesToSave; // trained whole beside them
    DType dtype = DType::kF32;
    WeightFormat weights = WeightFormat::kAsIs;
    int numDevices = 1;
    int32_t microbatches = 2;
    int32_t rounds = 1;
    int32_t stepSize = 0; // microbatches of a step; 0: as many as the rounds hold
    double maxGradNorm = 0.5;
    LossScale lossScale; // where dtype is fp16
    double hangSeconds = 0;
    Updates updates = Updates::kSynchronous;
    Moments moments = Moments::kFp32;
    // Layers per stage; the first backward stage is the fused one. Empty: the fused
    // stage has its share of the layers, as each device's backward stage has of the rest. Where weights are trained,
    // another backward stage takes what is missing down to the embedding.
    std::vector<int32_t> forwardStages;
    std::vector<int32_t> backwardStages;
    int32_t prefetchDepth = 0;
    bool keepsPackets = false;   // where all of a round is on one device
    int32_t residentPercent = 0; // of the layers, on every device
    bool tableRestarts = false;
    bool checksSlots = true;
    model::Fp8Products fp8OnCpus = model::Fp8Products::kNone;
    bool replicas = false;                // one on each device
    std::vector<geometry::Saving> saving; // of the blocks in turn; empty: all of each
    int32_t onHost = 0;                   // of each backward stage, so many of the deepest are saved in host memory
    std::function<void(const trace::Record&)> onSpan;
    device::OrderLog* order = nullptr; // what is issued is logged; outlives the rig
    // What stands in for a block of layer `layer`; empty: it itself.
    std::function<std::unique_ptr<const model::Block>(std::unique_ptr<const model::Block>, int32_t layer)> replaceBlock;
    // What the pipeline updates by, made from the rig's AdamW; empty: that itself.
    std::function<std::unique_ptr<optim::Optimizer>(optim::AdamW&, transfer::HostWeightStore&)> makeOptimizer;
};

class Rig {
public:
    explicit Rig(const RigSpec& spec);
    ~Rig();

    pipeline::Pipeline& pipeline() { return *m_pipeline; }
    const plan::Plan& plan() const { return m_plan; }
    const model::Model& model() const { return *m_model; }
    transfer::HostWeightStore& store() { return *m_store; }
    device::Device& device(int index) { return *m_devices[static_cast<std::size_t>(index)]; }
    // The batches of an optimizer step: random tokens in sequences of uneven lengths, a function of `step` alone.
    std::vector<TokenBatch> batches(int64_t step) const;
    pipeline::Ticket submit(int64_t step, double learningRate = 1e-2) {
        return m_pipeline->submit(batches(step), learningRate);
    }
    pipeline::StepResult runStep(int64_t step, double learningRate = 1e-2) {
        return m_pipeline->await(submit(step, learningRate));
    }
    std::vector<trace::Record> takeTrace();
    void takeDown() { m_pipeline.reset(); }
    void makePipeline(int64_t firstStep, const LossScale& lossScale = {}); // in place of one that was taken down

private:
    RigSpec m_spec;
    trace::Recorder m_recorder;
    std::unique_ptr<const model::Model> m_model;
    plan::Plan m_plan;
    std::unique_ptr<transfer::HostWeightStore> m_store;
    std::unique_ptr<optim::AdamW> m_adamw;
    std::unique_ptr<optim::Optimizer> m_optimizer; // of makeOptimizer
    std::vector<std::unique_ptr<device::Device>> m_devices;
    std::unique_ptr<pipeline::Pipeline> m_pipeline;
};

// Layers per stage to ranges: {2, 3} → [0, 2), [2, 5).
std::vector<plan::LayerRange> rangesOf(const std::vector<int32_t>& sizes);

} // namespace roundpipe::testing
