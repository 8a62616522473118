// SPDX-License-Identifier: GPL-3.0-or-later
// Trains a model, its adapters or its weights, on a pool of devices by the RoundPipe method: stages are dispatched
// round-robin, weights stream in from host memory ahead of use, activations and gradients stream out.
#pragma once

#include "base/choices.h"
#include "base/loss_scale.h"
#include "base/token_batch.h"
#include "device/device.h"
#include "model/model.h"
#include "optim/optimizer.h"
#include "pipeline/batch_block.h"
#include "plan/plan.h"
#include "transfer/host_weight_store.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::pipeline {

struct PipelineOptions {
    batch::StepContent step; // its bounds decide all buffers
    double maxGradNorm = 0;  // 0: no clipping
    uint64_t seed = 0;       // of dropout
    bool deterministic = true;
    Updates updates = Updates::kSynchronous;
    int64_t firstStep = 0; // optimizer steps already done (resume)
    LossScale lossScale;   // after them; where operands are fp16
    // A program that takes the devices longer means that one of them hangs; 0: that is never assumed.
    double hangSeconds = 0;
    bool checksSlots = false; // the run checks its slots and buffers (transfer/slot_checks.h): for tests, costs time
    // How CPU workers multiply weights in FP8: as twins of GPUs that do so, for tests.
    model::Fp8Products fp8OnCpus = model::Fp8Products::kNone;
};

struct StepResult {
    double loss = 0;       // mean over the step's trained tokens
    double gradNorm = 0;   // before clipping; not finite where the step was skipped
    bool skipped = false;  // it updated nothing: a value is not finite
    std::string notFinite; // of which layer's gradients, or "loss"; empty where a smaller loss scale may do
    double usedScale = 1;  // of fp16: what the gradients were made larger by
    // What follows from it, of fp16 and of runs that have skipped steps.
    std::optional<LossScale> lossScale;
    int64_t tokens = 0;
    int64_t trainedTokens = 0;
    double seconds = 0; // from the end of the step before, or from its own beginning where that is later
};

// A step that was submitted.
struct Ticket {
    int64_t step = 0; // optimizer step, counted from 0
};

struct EvaluationResult {
    double loss = 0; // mean over all trained tokens; 0 when there are none
    int64_t trainedTokens = 0;
};

// One thread at a time calls it. After the first error that a call throws, the pipeline and its devices are unusable
// but to await steps that were submitted before, and for destruction: later calls throw that error again. Weights and
// moments are those after the last step that await() returned, once each step has been awaited. A device that hangs is
// an error like any other (device::DeviceHung), but for hangs().
class Pipeline {
public:
    // What it is built from; all outlive the pipeline. The store is filled and its adapters are published. `recorder`
    // may be null.
    struct Parts {
        const model::Model& model;
        plan::Plan plan;
        std::vector<device::Device*> devices; // index: DeviceId; all of one device::DeviceContext
        transfer::HostWeightStore& store;
        optim::Optimizer& optimizer;
        trace::Recorder* recorder = nullptr;
    };
    // Allocates all device memory and starts the threads. Throws kInvalidInput for a plan that does not fit the model
    // or the devices and for a model without a trained layer, kOutOfMemory.
    Pipeline(Parts parts, const PipelineOptions& options);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    // Begins an optimizer step over at most step.microbatchesPerStep() batches (an epoch may end with fewer), round by
    // round, and returns. Two steps may be under way: the second one computes as soon as the layers that it needs are
    // updated by the first; at once, where updates are one step stale. It then reads the version before the newest, or
    // the only one that the store has. In fp16, where updates are synchronous, it waits for the norm of a step under
    // way, which decides on the loss scale. Throws kInvalidInput for batches outside the limits or without a trained
    // token, else what any thread of the run threw.
    Ticket submit(std::vector<TokenBatch> batches, double learningRate);
    // Blocks until the devices have computed all of the step; its update may still run. Whoever submits the next step
    // now leaves no gap, and has not decided on it earlier than need be.
    void awaitDevices(const Ticket& ticket);
    // Blocks until every layer is updated and published. Each step is awaited once, in the order of submission. Throws
    // what any thread of the run threw; a step that was updated before the pipeline failed is returned all the same.
    StepResult await(const Ticket& ticket);
    // The loss of any number of batches without dropout, with the newest adapters. No step is under way.
    EvaluationResult evaluate(std::vector<TokenBatch> batches);

    // Whether devices still have not run dry, after a call has thrown device::DeviceHung; looks for two seconds at
    // most. Then neither the pipeline nor anything that it is built from may be destroyed: that would wait for them,
    // too.
    bool hangs();

    // Of gradients on the host, that the system would not page-lock: they come by way of the driver's own memory.
    int64_t unlockedBytes() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace roundpipe::pipeline
