#include "plan/simulate/dispatch_tasks.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::plan {

using trace::Kind;
using trace::LaneRole;

DispatchTasks::DispatchTasks(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
                             const DispatchOptions& options)
    : m_plan(plan)
    , m_costs(costs)
    , m_rig(rig)
    , m_shape(shape)
    , m_options(options)
    , m_simulation(rig, options.activationsFirst)
    , m_ledger(rig.numDevices())
    , m_devices(rig.devices.size())
    , m_isCheckpoint(static_cast<std::size_t>(plan.numLayers)) {
    for (Stage stage : plan.stages()) {
        if (stage.kind == StageKind::kBackward) stage.layers.begin = std::max(stage.layers.begin, costs.firstTrainable);
        if (stage.layers.size() < 1) continue;
        if (stage.kind == StageKind::kBackward) m_isCheckpoint[static_cast<std::size_t>(stage.layers.begin)] = true;
        m_stages.push_back(stage);
    }
}

void DispatchTasks::addStep(int32_t step) {
    beginStep(step);
    const std::size_t numBefore = m_plan.forward.size() + 1;
    for (int32_t round = 0; round < m_shape.rounds; ++round)
        for (const Stage& stage : m_stages) {
            const DeviceId device = m_plan.deviceOf(m_plan.tableRestarts ? m_index : m_numSlots);
            const std::size_t id = stage.id.index();
            addSlot({stage, id < numBefore ? 0 : id - numBefore, device, step, round, m_index});
            ++m_numSlots;
            ++m_index;
        }
    endStep(step);
}

const LayerTimes& DispatchTasks::times(const DispatchSlot& slot, int32_t layer) const {
    return m_costs.times[slot.device.index()][static_cast<std::size_t>(layer)];
}

DispatchTasks::Packet& DispatchTasks::packet(bool isGradient, int32_t layer, int32_t microbatch) {
    const int32_t row = (isGradient ? m_plan.numLayers + 1 : 0) + layer;
    return m_packets[static_cast<std::size_t>(row * m_shape.numMicrobatches() + microbatch)];
}

int32_t& DispatchTasks::forwardOf(int32_t layer, int32_t microbatch) {
    return m_forwards[static_cast<std::size_t>(layer * m_shape.numMicrobatches() + microbatch)];
}

StreamTask DispatchTasks::task(const DispatchSlot& slot, LaneRole role, Kind kind, int32_t microbatch,
                               int32_t layer) const {
    StreamTask t;
    t.device = slot.device;
    t.role = role;
    t.what.kind = kind;
    t.what.step = slot.step;
    t.what.stage = slot.stage.id;
    t.what.slot = slot.index;
    t.what.microbatch = MicrobatchId(microbatch);
    t.what.layer = LayerId(layer);
    return t;
}

int32_t DispatchTasks::copy(StreamTask t, int64_t bytes, const Inputs& inputs) {
    t.bytes = bytes;
    return m_simulation.add(t, inputs);
}

void DispatchTasks::beginStep(int32_t step) {
    m_index = 0;
    const auto numRows = static_cast<std::size_t>(m_plan.numLayers + 1);
    const auto numMicrobatches = static_cast<std::size_t>(m_shape.numMicrobatches());
    m_packets.assign(2 * numRows * numMicrobatches, {});
    m_forwards.assign(numRows * numMicrobatches, -1);
    m_gradientsDown.clear();
    const int32_t lag = m_shape.oneStepStale ? 2 : 1;
    m_version = step >= lag ? m_updates[static_cast<std::size_t>(step - lag)] : -1;
    m_firstTasks.push_back(m_simulation.numTasks());
}

// The update of all adapters, once all their gradients have arrived: clipping needs the norm of all of them.
void DispatchTasks::endStep(int32_t step) {
    StreamTask update;
    update.role = LaneRole::kOptimizer;
    update.seconds = m_costs.optimizerSeconds;
    update.what.kind = Kind::kOptimizer;
    update.what.step = step;
    m_updates.push_back(m_simulation.add(update, m_gradientsDown));
}

void DispatchTasks::addSlot(const DispatchSlot& slot) {
    const int32_t firstTask = m_simulation.numTasks();
    uploadWeights(slot);
    const int32_t first = slot.round * m_shape.roundSize;
    for (int32_t m = first; m < first + m_shape.roundSize; ++m) {
        m_isFirstMicrobatch = m == first;
        if (slot.stage.kind == StageKind::kForward)
            forward(slot, m);
        else
            backward(slot, m);
    }
    if (slot.stage.kind != StageKind::kForward) downloadGradients(slot);
    state(slot).regions.use(m_lastCompute);
    int64_t weights = 0;
    for (int32_t l = slot.stage.layers.begin; l < slot.stage.layers.end; ++l)
        if (!m_plan.isResident(slot.device, l)) weights += sizes(l).weights;
    m_ledger.hold(slot.device, firstTask, m_lastCompute, weights);
}

// Bases need not wait for anything but memory; adapters wait for the update that makes their version.
void DispatchTasks::uploadWeights(const DispatchSlot& slot) {
    Inputs room;
    state(slot).regions.waitInto(room);
    const LayerRange layers = slot.stage.layers;
    m_weights.assign(static_cast<std::size_t>(layers.size()), -1);
    int64_t adapters = 0;
    for (int32_t l = layers.begin; l < layers.end; ++l) {
        adapters += sizes(l).adapterUp;
        if (m_plan.isResident(slot.device, l) || sizes(l).baseUp == 0) continue;
        m_weights[static_cast<std::size_t>(l - layers.begin)] =
            copy(task(slot, LaneRole::kWeightsUp, Kind::kUploadWeights, -1, l), sizes(l).baseUp, room);
    }
    if (m_version >= 0) room.push_back(m_version);
    m_adapters = adapters > 0 ? copy(task(slot, LaneRole::kWeightsUp, Kind::kUploadAdapter), adapters, room) : -1;
}

// Layers [begin, end) one after another for the round's first microbatch, whose layers wait for their weights one
// by one; all at once for the others.
int32_t DispatchTasks::compute(const DispatchSlot& slot, Kind kind, int32_t m, Inputs inputs, LayerRange layers,
                               double LayerTimes::*seconds, bool continues) {
    StreamTask t = task(slot, LaneRole::kCompute, kind, m);
    t.continues = continues;
    if (!m_isFirstMicrobatch) {
        for (int32_t l = layers.begin; l < layers.end; ++l)
            t.seconds += times(slot, l).*seconds;
        return m_lastCompute = m_simulation.add(t, inputs);
    }
    if (m_adapters >= 0) inputs.push_back(m_adapters);
    for (int32_t l = layers.begin; l < layers.end; ++l) {
        const int32_t uploaded = m_weights[static_cast<std::size_t>(l - slot.stage.layers.begin)];
        if (uploaded >= 0) inputs.push_back(uploaded);
        t.seconds = times(slot, l).*seconds;
        m_lastCompute = m_simulation.add(t, inputs);
        inputs.clear();
        t.continues = true;
    }
    return m_lastCompute;
}

void DispatchTasks::forward(const DispatchSlot& slot, int32_t m) {
    const LayerRange layers = slot.stage.layers;
    Inputs inputs = receiveInput(slot, m);
    state(slot).outgoing.waitInto(inputs);
    const int32_t done = compute(slot, Kind::kForward, m, inputs, layers, &LayerTimes::forward);
    if (layers.begin > 0) state(slot).inputs.use(done);
    m_ledger.hold(slot.device, done, done, 2 * m_costs.packetBytes + workspaceOf(layers));
    for (int32_t boundary = layers.begin + 1; boundary <= layers.end; ++boundary)
        if (boundary == layers.end || m_isCheckpoint[static_cast<std::size_t>(boundary)])
            send(slot, false, boundary, m, done);
    for (int32_t l = layers.begin; l < layers.end; ++l)
        forwardOf(l, m) = done;
}

// The fused stage, or a backward stage.
void DispatchTasks::backward(const DispatchSlot& slot, int32_t m) {
    const LayerRange layers = slot.stage.layers;
    const bool fused = slot.stage.kind == StageKind::kFused;
    const bool kept = !fused && m_plan.keeps(slot.backwardIndex);
    Inputs inputs = kept ? Inputs{} : receiveInput(slot, m);
    int32_t started = -1;
    if (!kept)
        started = compute(slot, fused ? Kind::kFused : Kind::kRecompute, m, inputs, layers, &LayerTimes::recompute);
    inputs.clear();
    if (!fused) inputs = receive(slot, true, layers.end, m, state(slot).outputGradients);
    state(slot).outgoing.waitInto(inputs);
    if (m_isFirstMicrobatch) state(slot).gradients.waitInto(inputs);
    const int32_t done =
        compute(slot, fused ? Kind::kFused : Kind::kBackward, m, inputs,
                {std::max(layers.begin, m_costs.firstTrainable), layers.end}, &LayerTimes::backward, fused);
    if (!fused) state(slot).outputGradients.use(done);
    if (!kept && layers.begin > 0) state(slot).inputs.use(done);
    holdSaved(slot, m, kept ? forwardOf(layers.begin, m) : started, done, kept);
    if (layers.begin > m_costs.firstTrainable) send(slot, true, layers.begin, m, done);
}

void DispatchTasks::holdSaved(const DispatchSlot& slot, int32_t m, int32_t from, int32_t until, bool kept) {
    int64_t saved = 0;
    for (int32_t l = std::max(slot.stage.layers.begin, m_costs.firstTrainable); l < slot.stage.layers.end; ++l) {
        saved += sizes(l).saved + m_costs.packetBytes;
        if (kept) from = std::min(from, forwardOf(l, m));
    }
    m_ledger.hold(slot.device, from, until, saved + workspaceOf(slot.stage.layers));
}

int64_t DispatchTasks::workspaceOf(LayerRange layers) const {
    int64_t bytes = 0;
    for (int32_t l = layers.begin; l < layers.end; ++l)
        bytes = std::max(bytes, sizes(l).workspace);
    return bytes;
}

DispatchTasks::Inputs DispatchTasks::receiveInput(const DispatchSlot& slot, int32_t m) {
    if (slot.stage.layers.begin == 0) return {};
    return receive(slot, false, slot.stage.layers.begin, m, state(slot).inputs);
}

// What the computation must wait for.
DispatchTasks::Inputs DispatchTasks::receive(const DispatchSlot& slot, bool isGradient, int32_t layer, int32_t m,
                                             Turns& ring) {
    const Packet& sent = packet(isGradient, layer, m);
    if (sent.sentTo == slot.device) return {sent.written};
    Inputs inputs{sent.written};
    ring.waitInto(inputs);
    const int32_t up =
        copy(task(slot, LaneRole::kActivationsUp, Kind::kUploadActivation, m, layer), m_costs.packetBytes, inputs);
    m_ledger.hold(slot.device, up, up, m_costs.packetBytes);
    return {up};
}

void DispatchTasks::send(const DispatchSlot& slot, bool isGradient, int32_t layer, int32_t m, int32_t produced) {
    StreamTask t = task(slot, LaneRole::kActivationsDown, Kind::kDownloadActivation, m, layer);
    Packet& sent = packet(isGradient, layer, m);
    const PeerPath* peer = peerFor(slot, isGradient, layer);
    if (peer) {
        t.seconds = peer->latencySeconds + static_cast<double>(m_costs.packetBytes) / peer->bytesPerSecond;
        sent.sentTo = DeviceId(peer->to);
    }
    sent.written = copy(t, m_costs.packetBytes, {produced});
    state(slot).outgoing.use(sent.written);
    m_ledger.hold(slot.device, produced, sent.written, m_costs.packetBytes);
}

// A checkpoint must go to the host, whoever else reads it; so must what the next slot of the same device reads.
const PeerPath* DispatchTasks::peerFor(const DispatchSlot& slot, bool isGradient, int32_t layer) const {
    if (!m_options.usesPeers || (!isGradient && m_isCheckpoint[static_cast<std::size_t>(layer)])) return nullptr;
    const int64_t thisSlot = m_plan.tableRestarts ? slot.index : m_numSlots;
    return m_rig.peer(slot.device.value, m_plan.deviceOf(thisSlot + 1).value);
}

void DispatchTasks::downloadGradients(const DispatchSlot& slot) {
    int64_t down = 0;
    int64_t held = 0;
    for (int32_t l = slot.stage.layers.begin; l < slot.stage.layers.end; ++l) {
        down += sizes(l).gradientsDown;
        held += sizes(l).gradients;
    }
    if (down == 0) return;
    const int32_t done = copy(task(slot, LaneRole::kGradientsDown, Kind::kDownloadGradient), down, {m_lastCompute});
    state(slot).gradients.use(done);
    m_gradientsDown.push_back(done);
    m_ledger.hold(slot.device, m_lastCompute, done, held);
}

} // namespace roundpipe::plan
