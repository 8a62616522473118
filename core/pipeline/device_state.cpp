// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/device_state.h"

#include "model/compute/fp8_choice.h"

namespace roundpipe::pipeline {

using trace::LaneRole;

namespace {

std::optional<transfer::SlotChecks> makeChecks(const Shared& shared, device::Device& device) {
    if (!shared.checksSlots) return std::nullopt;
    return transfer::SlotChecks(device);
}

model::Compute makeCompute(const Shared& shared, device::Device& device, device::Stream& stream,
                           const geometry::Buffers& workspace) {
    model::Compute compute{{device.kind() == device::DeviceKind::kCuda, stream.native()},
                           device.cudaIndex(),
                           device.computeCapability(),
                           shared.model.operandType,
                           shared.deterministic,
                           geometry::Workspace(workspace[0], workspace.bytesEach())};
    compute.fp8 = compute.target.cuda ? model::chooseFp8Products(compute, shared.model.layouts) : shared.fp8OnCpus;
    return compute;
}

} // namespace

DeviceState::DeviceState(Shared& sharedByAll, device::Device& ofState, const geometry::DeviceNeeds& needs)
    : shared(sharedByAll)
    , device(ofState)
    , computeStream(device.stream(LaneRole::kCompute))
    , up(device.stream(LaneRole::kActivationsUp))
    , down(device.stream(LaneRole::kActivationsDown))
    , gradients(device.stream(LaneRole::kGradientsDown))
    , gradientsToSend(gradients)
    , memory(device, needs)
    , compute(makeCompute(shared, device, computeStream, memory.buffers.workspace))
    , checks(makeChecks(shared, device))
    , weights(
          device, shared.store, needs.weights, memory.buffers.weights,
          [monitor = shared.monitor, &store = shared.store](LayerId layer, int64_t version) {
              monitor->waitFor([&] { return store.adapters().version(layer) >= version; });
          },
          checks ? &*checks : nullptr) {}

model::BatchView Turn::batchView(int32_t microbatch) const {
    model::BatchView view = run.batches.view(microbatch, on.memory.buffers.batches[run.buffers()]);
    view.seed = on.shared.seed;
    view.step = run.step;
    view.training = run.training;
    view.gradientScale = run.gradientScale;
    return view;
}

void Turn::note(int32_t microbatch, const Use& use) const {
    if (!on.device.isLogged()) return;
    device::Stream& stream = on.computeStream;
    const int64_t packet = packetBytes(microbatch);
    stream.reads(&run.batches, sizeof(BatchBlock), "a program");
    stream.reads(on.memory.buffers.batches[run.buffers()], run.batches.bytes(), "batches");
    on.weights.note(use.layer, use.weights, stream);
    stream.reads(use.in, packet, "a layer's input");
    stream.writes(use.out, packet, "a layer's output");
    if (use.saved)
        stream.writes(use.saved, on.block(use.layer).savedBytes(run.batches.numTokens(microbatch), use.saving),
                      "what a layer saves");
    stream.reads(use.dOut, packet, "the gradient of a layer's output");
    stream.writes(use.dIn, packet, "the gradient of a layer's input");
    stream.writes(use.gradients, on.shared.sizes.layers[static_cast<std::size_t>(use.layer)].gradients, "gradients");
    stream.writes(use.loss, geometry::kLossBytes, "a loss");
}

trace::Record Turn::label(trace::Kind kind, int32_t microbatch, int32_t layer) const {
    trace::Record what;
    what.kind = kind;
    what.step = run.traceStep();
    what.stage = slot.stage;
    what.slot = slot.index;
    what.microbatch = MicrobatchId(microbatch);
    what.layer = LayerId(layer);
    return what;
}

} // namespace roundpipe::pipeline
