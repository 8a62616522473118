// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/simulate/dispatch_tasks.h"

#include "base/error.h"
#include "geometry/pieces.h"

#include <algorithm>
#include <array>

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
    , m_ledger(rig.numDevices()) {
    constexpr std::size_t kOfMicrobatch = 5; // packets up and down, one or two passes
    m_simulation.reserve(kOfMicrobatch * static_cast<std::size_t>(options.numSteps) *
                         static_cast<std::size_t>(plan.numStages()) *
                         static_cast<std::size_t>(shape.numMicrobatches()));
    const int64_t kept = packetsKept(plan, shape);
    for (int32_t d = 0; d < rig.numDevices(); ++d) {
        m_devices.push_back({.weights = DeviceWeights(plan, costs, DeviceId(d), m_simulation),
                             .outgoing = Turns(static_cast<std::size_t>(geometry::numOutgoing(kept)))});
        m_devices.back().packetsKept.resize(static_cast<std::size_t>(kept));
    }
}

void DispatchTasks::addStep() {
    m_step = static_cast<int32_t>(m_updates.size());
    const int32_t lag = m_shape.oneStepStale ? 2 : 1;
    m_version = versionAfter(m_step - lag);
    m_firstTasks.push_back(m_simulation.numTasks());
    addSlots(trainingProgram(m_plan, m_costs.firstTrainable, m_shape, m_numSlots));
    m_updates.push_back(addUpdates());
}

AdapterVersion DispatchTasks::versionAfter(int32_t step) const {
    if (step < 0) return {};
    return {step, m_updates[static_cast<std::size_t>(step)]};
}

// Layer by layer, shallow ones first, once all gradients have arrived: clipping needs the norm of all of them.
std::vector<int32_t> DispatchTasks::addUpdates() {
    std::vector<int32_t> updates;
    Inputs inputs = m_gradientsDown;
    for (int32_t l = 0; l < m_plan.numLayers; ++l) {
        const double seconds = onHost(m_costs.updateSeconds[static_cast<std::size_t>(l)]);
        if (seconds > 0 || updates.empty()) {
            StreamTask update;
            update.role = LaneRole::kOptimizer;
            update.seconds = seconds;
            update.what.kind = Kind::kOptimizer;
            update.what.step = m_step;
            update.what.layer = LayerId(l);
            updates.push_back(m_simulation.add(update, inputs));
            inputs.clear();
        } else {
            updates.push_back(updates.back());
        }
    }
    return updates;
}

void DispatchTasks::addEvaluation(int32_t numMicrobatches) {
    m_step = -1;
    m_version = versionAfter(static_cast<int32_t>(m_updates.size()) - 1);
    addSlots(evaluationProgram(m_plan, numMicrobatches, m_numSlots));
}

void DispatchTasks::addSlots(Program program) {
    m_program = std::move(program);
    m_numSlots += m_program.numSlots();
    const auto numPackets = static_cast<std::size_t>((m_plan.numLayers + 1) * m_program.numMicrobatches);
    m_packets.assign(2 * numPackets, {});
    m_saved.assign(numPackets, -1);
    m_gradientsDown.clear();
    const Program next = trainingProgram(m_plan, m_costs.firstTrainable, m_shape, m_numSlots);
    for (DeviceTurns& device : m_devices)
        device.weights.begin(m_program, m_step, next, m_step < 0 ? static_cast<int32_t>(m_updates.size()) : m_step + 1);
    for (const Slot& slot : m_program.slots)
        addSlot(slot);
    for (DeviceTurns& device : m_devices)
        downloadShare(device, 1);
}

double DispatchTasks::secondsOf(const Slot& slot, int32_t layer, double LayerTimes::*part) const {
    const LayerTimes& times = m_costs.times[slot.device.index()][static_cast<std::size_t>(layer)];
    const StageKind kind = slot.work == Work::kEvaluate ? StageKind::kForward : static_cast<StageKind>(slot.work);
    const double unpacking =
        times.unpack > 0 ? unpackedShare(m_costs.times[slot.device.index()], kind, slot.layers) * times.unpack : 0;
    if (slot.work == Work::kEvaluate) return times.forward + unpacking;
    if (part == &LayerTimes::forward) return forwardSeconds(times, m_plan.savingOf(layer)) + unpacking;
    const geometry::LayerSaving saving =
        layer < m_costs.firstTrainable ? geometry::LayerSaving() : m_plan.savingOf(layer);
    const PassTimes pass =
        passTimes(times, saving, makesOutput(static_cast<StageKind>(slot.work), slot.layers, layer, m_plan.saving));
    return unpacking + (part == &LayerTimes::backward ? pass.backward : pass.forward);
}

DispatchTasks::PacketCopies& DispatchTasks::packet(bool isGradient, int32_t layer, int32_t microbatch) {
    const int32_t row = (isGradient ? m_plan.numLayers + 1 : 0) + layer;
    return m_packets[static_cast<std::size_t>(row * m_program.numMicrobatches + microbatch)];
}

StreamTask DispatchTasks::task(const Slot& slot, LaneRole role, Kind kind, int32_t microbatch, int32_t layer) const {
    StreamTask t;
    t.device = slot.device;
    t.role = role;
    t.what.kind = kind;
    t.what.step = m_step;
    t.what.stage = slot.stage;
    t.what.slot = slot.index;
    t.what.microbatch = MicrobatchId(microbatch);
    t.what.layer = LayerId(layer);
    return t;
}

int32_t DispatchTasks::copy(StreamTask t, int64_t bytes, const Inputs& inputs) {
    t.bytes = bytes;
    return m_simulation.add(t, inputs);
}

void DispatchTasks::addSlot(const Slot& slot) {
    const int32_t firstTask = m_simulation.numTasks();
    m_uploads = state(slot).weights.upload(m_version);
    const bool isForward = slot.work == Work::kForward || slot.work == Work::kEvaluate;
    const int32_t first = m_program.firstMicrobatch(slot);
    for (int32_t m = first; m < m_program.endMicrobatch(slot); ++m) {
        m_isFirstMicrobatch = m == first;
        downloadShare(state(slot), m_program.endMicrobatch(slot) - m);
        if (isForward)
            forward(slot, m);
        else
            backward(slot, m);
    }
    if (!isForward) finishGradients(slot);
    state(slot).weights.giveBack(slot, m_lastCompute);
    int64_t weights = 0;
    for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l)
        if (!m_plan.isResident(slot.device, l)) weights += sizes(l).weights;
    m_ledger.hold(slot.device, firstTask, m_lastCompute, weights);
}

// Layers [begin, end) one after another for the round's first microbatch, whose layers wait for their weights one
// by one; all at once for the others.
int32_t DispatchTasks::compute(const Slot& slot, Kind kind, int32_t m, Inputs inputs, LayerRange layers,
                               double LayerTimes::*seconds, bool continues) {
    StreamTask t = task(slot, LaneRole::kCompute, kind, m);
    t.continues = continues;
    if (!m_isFirstMicrobatch) {
        for (int32_t l = layers.begin; l < layers.end; ++l)
            t.seconds += secondsOf(slot, l, seconds);
        return m_lastCompute = m_simulation.add(t, inputs);
    }
    for (int32_t l = layers.begin; l < layers.end; ++l) {
        const auto ofSlot = static_cast<std::size_t>(l - slot.layers.begin);
        for (const int32_t uploaded : {m_uploads.bases[ofSlot], m_uploads.adapters[ofSlot]})
            if (uploaded >= 0) inputs.push_back(uploaded);
        t.seconds = secondsOf(slot, l, seconds);
        m_lastCompute = m_simulation.add(t, inputs);
        inputs.clear();
        t.continues = true;
    }
    return m_lastCompute;
}

// What another slot reads is sent when its layer ends.
void DispatchTasks::forward(const Slot& slot, int32_t m) {
    const LayerRange layers = slot.layers;
    const PacketKept kept = found(slot, m);
    Inputs inputs = receiveInput(slot, m);
    const Kind kind = slot.work == Work::kEvaluate ? Kind::kEvaluate : Kind::kForward;
    int32_t done = -1;
    for (int32_t begin = layers.begin, end = begin; begin < layers.end; begin = end) {
        do
            ++end;
        while (end < layers.end && readersOf(false, end) == 0);
        const bool isRead = m_program.isSent(slot, end);
        if (isRead) state(slot).outgoing.waitInto(inputs);
        const bool isSaved = slot.work == Work::kForward && m_plan.sendsSaved(begin); // then this layer alone
        if (isSaved) state(slot).kept.waitInto(inputs);
        done = compute(slot, kind, m, inputs, {begin, end}, &LayerTimes::forward, begin > layers.begin);
        if (isRead) send(slot, false, end, m, done);
        if (isSaved) sendSaved(slot, begin, m, done);
        inputs.clear();
    }
    if (layers.begin > 0) giveBack(slot, false, kept, done, state(slot).inputs);
    m_ledger.hold(slot.device, done, done, 2 * m_costs.packetBytes + workspaceOf(layers));
}

// The fused stage, or a backward stage.
void DispatchTasks::backward(const Slot& slot, int32_t m) {
    const LayerRange layers = slot.layers;
    const bool fused = slot.work == Work::kFused;
    const PacketKept kept = found(slot, m);
    Inputs inputs = receiveInput(slot, m);
    const int32_t firstOnHost = m_plan.firstOnHost(layers);
    const SavedUpload coming = firstOnHost < layers.end ? receiveSaved(slot, layers.end - 1, m) : SavedUpload();
    const int32_t started =
        compute(slot, fused ? Kind::kFused : Kind::kRecompute, m, inputs, layers, &LayerTimes::recompute);
    inputs.clear();
    if (!fused) inputs = receive(slot, true, layers.end, m, state(slot).outputGradients);
    state(slot).outgoing.waitInto(inputs);
    if (m_isFirstMicrobatch && state(slot).gradients.before >= 0) inputs.push_back(state(slot).gradients.before);
    int32_t done = -1;
    if (firstOnHost < layers.end) {
        done = backwardOfSaved(slot, m, firstOnHost, coming, inputs);
        inputs.clear();
    }
    const LayerRange others{std::max(layers.begin, m_costs.firstTrainable), firstOnHost};
    if (others.size() > 0)
        done = compute(slot, fused ? Kind::kFused : Kind::kBackward, m, inputs, others, &LayerTimes::backward,
                       fused || firstOnHost < layers.end);
    if (!fused) giveBack(slot, true, kept, done, state(slot).outputGradients);
    if (layers.begin > 0) giveBack(slot, false, kept, done, state(slot).inputs);
    const int64_t hidden = m_costs.packetBytes * std::max(firstOnHost - layers.begin - 1, 0);
    m_ledger.hold(slot.device, started, done,
                  savedRoom(m_plan, m_costs, layers).bytes() + hidden + workspaceOf(layers));
    if (layers.begin > m_costs.firstTrainable) send(slot, true, layers.begin, m, done);
}

// The deepest layers one after another: of the next one what it saved travels while one computes.
int32_t DispatchTasks::backwardOfSaved(const Slot& slot, int32_t m, int32_t firstOnHost, SavedUpload coming,
                                       Inputs inputs) {
    int32_t done = -1;
    for (int32_t l = slot.layers.end - 1; l >= firstOnHost; --l) {
        const SavedUpload saved = coming;
        if (l > firstOnHost) coming = receiveSaved(slot, l - 1, m);
        if (saved.task >= 0) inputs.push_back(saved.task);
        done = compute(slot, Kind::kBackward, m, inputs, {l, l + 1}, &LayerTimes::backward, l + 1 < slot.layers.end);
        inputs.clear();
        if (saved.task < 0) continue;
        state(slot).kept.useAt(saved.buffer, done);
        m_ledger.hold(slot.device, saved.task, done, keptBytes(l));
    }
    return done;
}

int64_t DispatchTasks::savedOnHost(int32_t layer) const {
    return geometry::savedOnHost(sizes(layer), m_plan.savingOf(layer).what);
}

int64_t DispatchTasks::keptBytes(int32_t layer) const {
    return geometry::KeptPlace(savedOnHost(layer), m_costs.packetBytes).bytes;
}

// Behind the packets so far.
void DispatchTasks::sendSaved(const Slot& slot, int32_t layer, int32_t m, int32_t saved) {
    Inputs inputs{saved};
    if (state(slot).lastPacketDown >= 0) inputs.push_back(state(slot).lastPacketDown);
    const int32_t sent =
        copy(task(slot, LaneRole::kGradientsDown, Kind::kDownloadActivation, m), savedOnHost(layer), inputs);
    state(slot).kept.use(sent);
    m_saved[static_cast<std::size_t>(layer * m_program.numMicrobatches + m)] = sent;
    m_ledger.hold(slot.device, saved, sent, keptBytes(layer));
}

DispatchTasks::SavedUpload DispatchTasks::receiveSaved(const Slot& slot, int32_t layer, int32_t m) {
    const bool isSlotsInput = layer == slot.layers.begin;
    if (isSlotsInput && !m_plan.sendsSaved(layer)) return {};
    Inputs inputs;
    state(slot).kept.waitInto(inputs);
    SavedUpload received{-1, state(slot).kept.take()};
    StreamTask up = task(slot, LaneRole::kActivationsUp, Kind::kUploadActivation, m);
    if (m_plan.sendsSaved(layer)) {
        inputs.push_back(m_saved[static_cast<std::size_t>(layer * m_program.numMicrobatches + m)]);
        received.task = copy(up, savedOnHost(layer), inputs);
        inputs.clear();
    }
    if (isSlotsInput) return received;
    up.what.layer = LayerId(layer);
    inputs.push_back(packet(false, layer, m).written);
    received.task = copy(up, m_costs.packetBytes, inputs);
    return received;
}

int64_t DispatchTasks::workspaceOf(LayerRange layers) const {
    int64_t bytes = 0;
    for (int32_t l = layers.begin; l < layers.end; ++l)
        bytes = std::max(bytes, sizes(l).workspace);
    return bytes;
}

DispatchTasks::Inputs DispatchTasks::receiveInput(const Slot& slot, int32_t m) {
    if (slot.layers.begin == 0) return {};
    return receive(slot, false, slot.layers.begin, m, state(slot).inputs);
}

// What the computation must wait for.
DispatchTasks::Inputs DispatchTasks::receive(const Slot& slot, bool isGradient, int32_t layer, int32_t m, Turns& ring) {
    if (m_program.finds(slot, isGradient)) return {}; // what computes, which made it, is done
    const PacketCopies& sent = packet(isGradient, layer, m);
    if (sent.sentTo == slot.device) return {sent.written};
    Inputs inputs{sent.written};
    ring.waitInto(inputs);
    StreamTask t = task(slot, LaneRole::kActivationsUp, Kind::kUploadActivation, m, layer);
    t.what.isGradient = isGradient;
    const int32_t up = copy(t, m_costs.packetBytes, inputs);
    m_ledger.hold(slot.device, up, up, m_costs.packetBytes);
    return {up};
}

DispatchTasks::PacketKept& DispatchTasks::packetKept(const Slot& slot, int32_t m) {
    return state(slot).packetsKept[static_cast<std::size_t>(m - m_program.firstMicrobatch(slot))];
}

DispatchTasks::PacketKept DispatchTasks::found(const Slot& slot, int32_t m) {
    return m_program.keepsPackets ? packetKept(slot, m) : PacketKept();
}

void DispatchTasks::giveBack(const Slot& slot, bool isGradient, PacketKept found, int32_t used, Turns& ring) {
    if (!m_program.finds(slot, isGradient)) {
        ring.use(used);
        return;
    }
    state(slot).outgoing.keep(found.buffer, false);
    m_ledger.hold(slot.device, found.made, used, m_costs.packetBytes);
}

void DispatchTasks::send(const Slot& slot, bool isGradient, int32_t layer, int32_t m, int32_t produced) {
    const std::size_t buffer = state(slot).outgoing.take();
    const bool isKept = m_program.leaves(slot, isGradient, layer);
    if (isKept) {
        state(slot).outgoing.keep(buffer, true);
        packetKept(slot, m) = {buffer, produced};
        if (readersOf(isGradient, layer) == 0) return;
    }
    StreamTask t = task(slot, LaneRole::kActivationsDown, Kind::kDownloadActivation, m, layer);
    t.what.isGradient = isGradient;
    PacketCopies& sent = packet(isGradient, layer, m);
    const PeerPath* peer = peerFor(slot, isGradient, layer);
    if (peer) {
        t.seconds = peer->latencySeconds + static_cast<double>(m_costs.packetBytes) / peer->bytesPerSecond;
        sent.sentTo = DeviceId(peer->to);
    }
    sent.written = copy(t, m_costs.packetBytes, {produced});
    state(slot).outgoing.useAt(buffer, sent.written);
    state(slot).lastPacketDown = sent.written;
    if (!isKept) m_ledger.hold(slot.device, produced, sent.written, m_costs.packetBytes);
}

int32_t DispatchTasks::readersOf(bool isGradient, int32_t layer) const {
    return (isGradient ? m_program.gradientReaders : m_program.inputReaders)[static_cast<std::size_t>(layer)];
}

// What the next slot alone reads may go straight to its device. A checkpoint must go to the host, whoever else reads
// it; so must what the next slot of the same device reads.
const PeerPath* DispatchTasks::peerFor(const Slot& slot, bool isGradient, int32_t layer) const {
    const bool nextReads = isGradient || layer == slot.layers.end;
    if (!m_options.usesPeers || !nextReads || readersOf(isGradient, layer) > 1) return nullptr;
    const Slot& next = m_program.slots[static_cast<std::size_t>(slot.index) + 1];
    return m_rig.peer(slot.device.value, next.device.value);
}

double DispatchTasks::onHost(double seconds) const {
    return m_shape.oneStepStale ? m_costs.besideSteps * seconds : seconds;
}

// To the sums of the rounds before, or of a table's other use; and to the norm, once all of a layer's have arrived.
int32_t DispatchTasks::gather(const Slot& slot, int32_t arrived) {
    StreamTask sum = task(slot, LaneRole::kOptimizer, Kind::kOptimizer);
    for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l) {
        const auto layer = static_cast<std::size_t>(l);
        if (m_program.numRounds > 1 || sizes(l).sharesTable) sum.seconds += onHost(m_costs.addSeconds[layer]);
        if (slot.round + 1 == m_program.numRounds) sum.seconds += onHost(m_costs.normSeconds[layer]);
    }
    return sum.seconds > 0 ? m_simulation.add(sum, std::array{arrived}) : arrived;
}

// Layer by layer, the deepest first, in the pieces in which they will go.
void DispatchTasks::finishGradients(const Slot& slot) {
    GradientsToSend& gradients = state(slot).gradients;
    gradients.before = gradients.gone;
    gradients.slot = slot;
    gradients.made = m_lastCompute;
    gradients.held = 0;
    for (int32_t l = slot.layers.end - 1; l >= slot.layers.begin; --l) {
        gradients.held += sizes(l).gradients;
        for (int64_t left = sizes(l).gradientsDown; left > 0; left -= geometry::kPieceBytes)
            gradients.pieces.push_back(std::min(left, geometry::kPieceBytes));
    }
}

// Behind the packets that the device has sent so far.
void DispatchTasks::downloadShare(DeviceTurns& device, int32_t sharesLeft) {
    GradientsToSend& gradients = device.gradients;
    if (gradients.pieces.empty()) return;
    int64_t bytes = 0;
    for (int64_t n = geometry::piecesOfShare(std::ssize(gradients.pieces), sharesLeft); n > 0; --n) {
        bytes += gradients.pieces.front();
        gradients.pieces.pop_front();
    }
    Inputs inputs{gradients.made};
    if (device.lastPacketDown >= 0) inputs.push_back(device.lastPacketDown);
    const Slot& slot = gradients.slot;
    const int32_t sent = copy(task(slot, LaneRole::kGradientsDown, Kind::kDownloadGradient), bytes, inputs);
    if (!gradients.pieces.empty()) return;
    gradients.gone = sent;
    m_gradientsDown.push_back(gather(slot, sent));
    m_ledger.hold(slot.device, gradients.made, sent, gradients.held);
}

} // namespace roundpipe::plan
