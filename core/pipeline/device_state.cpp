// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/device_state.h"

namespace roundpipe::pipeline {

using trace::LaneRole;

namespace {

std::optional<transfer::SlotChecks> makeChecks(const Shared& shared, device::Device& device) {
    if (!shared.checksSlots) return std::nullopt;
    return transfer::SlotChecks(device);
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
    , compute{{device.kind() == device::DeviceKind::kCuda, computeStream.native()},
              device.cudaIndex(),
              device.computeCapability(),
              shared.model.operandType,
              shared.deterministic,
              geometry::Workspace(memory.buffers.workspace[0], memory.buffers.workspace.bytesEach())}
    , checks(makeChecks(shared, device))
    , weights(
          device, shared.store, needs.weights, memory.buffers.weights.allSlots,
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
