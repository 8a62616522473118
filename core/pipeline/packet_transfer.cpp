// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/packet_transfer.h"

namespace roundpipe::pipeline {
namespace {

int64_t packetBytes(const Turn& turn, int32_t microbatch) {
    return turn.on.shared.model.hiddenBytes(turn.run.batches.numTokens(microbatch));
}

trace::Record packetLabel(const Turn& turn, trace::Kind kind, bool isGradient, int32_t layer, int32_t microbatch) {
    trace::Record what = turn.label(kind, microbatch, layer);
    what.isGradient = isGradient;
    return what;
}

} // namespace

BufferRing::Buffer& receive(const Turn& turn, bool isGradient, int32_t layer, int32_t microbatch) {
    DeviceState& on = turn.on;
    const PacketKey key{turn.run.serial, isGradient, layer, microbatch};
    // Who makes it may wait for room that the gradients here give once they have gone.
    if (!on.shared.packets.isPosted(key)) on.gradientsToSend.issueAll();
    const PacketBoard::PostedPacket packet = on.shared.packets.await(key);
    BufferRing::Buffer& buffer = (isGradient ? on.memory.outputGradients : on.memory.inputs).take();
    on.up.wait(buffer.free);
    on.up.wait(packet.written);
    on.up.copy(buffer.data, packet.data, packetBytes(turn, microbatch),
               packetLabel(turn, trace::Kind::kUploadActivation, isGradient, layer, microbatch));
    const device::Event landed = on.up.record();
    on.shared.packets.release(key, landed);
    on.computeStream.wait(landed);
    return buffer;
}

BufferRing::Buffer& takeOutgoing(DeviceState& device) {
    BufferRing::Buffer& buffer = device.memory.outgoing.take();
    device.computeStream.wait(buffer.free);
    return buffer;
}

void send(const Turn& turn, bool isGradient, int32_t layer, int32_t microbatch, BufferRing::Buffer& buffer) {
    DeviceState& on = turn.on;
    const Program& program = turn.run.program;
    const auto& readers = isGradient ? program.gradientReaders : program.inputReaders;
    on.down.wait(on.computeStream.record());
    std::byte* host = on.shared.packets.take(on.down);
    on.down.copy(host, buffer.data, packetBytes(turn, microbatch),
                 packetLabel(turn, trace::Kind::kDownloadActivation, isGradient, layer, microbatch));
    buffer.free = on.down.record();
    on.shared.packets.post({turn.run.serial, isGradient, layer, microbatch}, host, buffer.free,
                           readers[static_cast<std::size_t>(layer)]);
}

void sendLoss(const Turn& turn, int32_t microbatch) {
    DeviceState& on = turn.on;
    on.down.wait(on.computeStream.record());
    on.down.copy(turn.run.losses + microbatch, turn.lossOf(microbatch), geometry::kLossBytes,
                 turn.label(trace::Kind::kDownloadActivation, microbatch)); // no layer: no packet
}

} // namespace roundpipe::pipeline
