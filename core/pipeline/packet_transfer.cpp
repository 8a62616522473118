// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/packet_transfer.h"

namespace roundpipe::pipeline {
namespace {

using device::Awaited;

trace::Record packetLabel(const Turn& turn, trace::Kind kind, bool isGradient, int32_t layer, int32_t microbatch) {
    trace::Record what = turn.label(kind, microbatch, layer);
    what.isGradient = isGradient;
    return what;
}

// Who makes it may wait for room that the gradients here give once they have gone.
PacketBoard::PostedPacket awaitPosted(DeviceState& on, PacketBoard& board, const PacketKey& key) {
    if (!board.isPosted(key)) on.gradientsToSend.issueAll();
    return board.await(key);
}

BufferRing::Buffer*& keptFor(const Turn& turn, int32_t microbatch) {
    return turn.on.memory.packetsKept[static_cast<std::size_t>(microbatch - turn.firstMicrobatch())];
}

// The upload of a packet, once `to` is free. Returns when it has landed.
device::Event upload(const Turn& turn, bool isGradient, int32_t layer, int32_t microbatch, std::byte* to,
                     const device::Event& free) {
    DeviceState& on = turn.on;
    const PacketKey key{turn.run.serial, isGradient, layer, microbatch};
    const PacketBoard::PostedPacket packet = awaitPosted(on, on.shared.packets, key);
    on.up.wait(free, Awaited::kPacketUsed);
    on.poison(on.up, to, on.shared.sizes.packetBytes);
    on.up.wait(packet.written, Awaited::kPacketWritten);
    on.up.copy(to, packet.data, turn.packetBytes(microbatch),
               packetLabel(turn, trace::Kind::kUploadActivation, isGradient, layer, microbatch));
    device::Event landed = on.up.record();
    on.shared.packets.release(key, landed);
    return landed;
}

int64_t savedBytes(const Turn& turn, int32_t layer, int32_t microbatch) {
    return turn.on.block(layer).savedBytes(turn.run.batches.numTokens(microbatch),
                                           turn.on.shared.plan.savingOf(layer).what);
}

// In pieces, each with a record without a layer: no packet.
void copySaved(const Turn& turn, device::Stream& stream, trace::Kind kind, std::byte* to, const std::byte* from,
               int32_t layer, int32_t microbatch) {
    device::DeferredCopies now(stream);
    now.addCopy(to, from, savedBytes(turn, layer, microbatch), turn.label(kind, microbatch));
    now.issueAll();
}

} // namespace

BufferRing::Buffer& receive(const Turn& turn, bool isGradient, int32_t layer, int32_t microbatch) {
    if (turn.run.program.finds(turn.slot, isGradient)) return *keptFor(turn, microbatch);
    DeviceState& on = turn.on;
    BufferRing::Buffer& buffer = (isGradient ? on.memory.outputGradients : on.memory.inputs).take();
    on.computeStream.wait(upload(turn, isGradient, layer, microbatch, buffer.data, buffer.free),
                          Awaited::kPacketLanded);
    return buffer;
}

void giveBack(BufferRing::Buffer& received, const device::Event& used) {
    if (!received.isKept) received.free = used;
    received.isKept = false; // it is free when it has gone down; compute, which wrote it, reads it in order
}

BufferRing::Buffer& takeOutgoing(DeviceState& device) {
    BufferRing::Buffer& buffer = device.memory.outgoing.take();
    device.computeStream.wait(buffer.free, Awaited::kPacketSent);
    device.poison(device.computeStream, buffer.data, device.shared.sizes.packetBytes);
    return buffer;
}

void send(const Turn& turn, bool isGradient, int32_t layer, int32_t microbatch, BufferRing::Buffer& buffer) {
    DeviceState& on = turn.on;
    const Program& program = turn.run.program;
    if (program.leaves(turn.slot, isGradient, layer)) {
        buffer.isKept = true;
        keptFor(turn, microbatch) = &buffer;
    }
    const int32_t numReaders =
        (isGradient ? program.gradientReaders : program.inputReaders)[static_cast<std::size_t>(layer)];
    if (numReaders == 0) return;
    on.down.wait(on.computeStream.record(), Awaited::kPacketMade);
    std::byte* host = on.shared.packets.take(on.down);
    on.down.copy(host, buffer.data, turn.packetBytes(microbatch),
                 packetLabel(turn, trace::Kind::kDownloadActivation, isGradient, layer, microbatch));
    buffer.free = on.down.record();
    on.shared.packets.post({turn.run.serial, isGradient, layer, microbatch}, host, buffer.free, numReaders);
}

void sendLoss(const Turn& turn, int32_t microbatch) {
    DeviceState& on = turn.on;
    on.down.wait(on.computeStream.record(), Awaited::kLossMade);
    on.down.copy(turn.run.losses + microbatch, turn.lossOf(microbatch), geometry::kLossBytes,
                 turn.label(trace::Kind::kDownloadActivation, microbatch)); // no layer: no packet
}

BufferRing::Buffer& takeKept(DeviceState& device) {
    BufferRing::Buffer& buffer = device.memory.kept.take();
    device.computeStream.wait(buffer.free, Awaited::kSavedSent);
    device.poison(device.computeStream, buffer.data, device.memory.buffers.kept.bytesEach());
    return buffer;
}

void sendSaved(const Turn& turn, int32_t layer, int32_t microbatch, BufferRing::Buffer& kept) {
    DeviceState& on = turn.on;
    on.gradients.wait(on.computeStream.record(), Awaited::kSavedMade);
    on.gradients.wait(on.down.record(), Awaited::kPacketsFirst);
    std::byte* const host = on.shared.saved.take(on.gradients);
    copySaved(turn, on.gradients, trace::Kind::kDownloadActivation, host, kept.data, layer, microbatch);
    kept.free = on.gradients.record();
    on.shared.saved.post({turn.run.serial, false, layer, microbatch}, host, kept.free, 1);
}

Received receiveSaved(const Turn& turn, int32_t layer, int32_t microbatch) {
    DeviceState& on = turn.on;
    const bool isSlotsInput = layer == turn.slot.layers.begin;
    const bool isSent = on.shared.plan.sendsSaved(layer);
    if (isSlotsInput && !isSent) return {};
    BufferRing::Buffer& buffer = on.memory.kept.take();
    on.up.wait(buffer.free, Awaited::kSavedUsed);
    on.poison(on.up, buffer.data, on.memory.buffers.kept.bytesEach());
    Received received{&buffer, nullptr, {}};
    if (isSent) {
        const PacketKey key{turn.run.serial, false, layer, microbatch};
        const PacketBoard::PostedPacket saved = awaitPosted(on, on.shared.saved, key);
        on.up.wait(saved.written, Awaited::kSavedWritten);
        copySaved(turn, on.up, trace::Kind::kUploadActivation, buffer.data, saved.data, layer, microbatch);
        received.landed = on.up.record();
        on.shared.saved.release(key, received.landed);
    }
    if (isSlotsInput) return received;
    const geometry::LayerSizes& sizes = on.shared.sizes.layers[static_cast<std::size_t>(layer)];
    const int64_t before = geometry::savedOnHost(sizes, on.shared.plan.savingOf(layer).what);
    std::byte* const input = buffer.data + geometry::KeptPlace(before, on.shared.sizes.packetBytes).input;
    received.input = input;
    received.landed = upload(turn, false, layer, microbatch, input, {});
    return received;
}

} // namespace roundpipe::pipeline
