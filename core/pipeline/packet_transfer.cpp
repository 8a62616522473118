// Hidden states and their gradients between this device and the host.
#include "pipeline/controller.h"

namespace roundpipe::pipeline {

BufferRing::Buffer& Controller::receive(const ProgramRun& run, const Slot& slot, bool isGradient, int32_t layer,
                                        int32_t microbatch) {
    const PacketKey key{run.serial, isGradient, layer, microbatch};
    const PacketBoard::Packet packet = m_shared.packets.await(key);
    BufferRing::Buffer& buffer = (isGradient ? m_memory.outputGradients : m_memory.inputs).take();
    m_up.wait(buffer.free);
    m_up.wait(packet.written);
    m_up.copy(buffer.data, packet.data, m_shared.model.hiddenBytes(run.batches.numTokens(microbatch)),
              label(run, slot, trace::Kind::kUploadActivation, microbatch, layer));
    const device::Event landed = m_up.record();
    m_shared.packets.release(key, landed);
    m_computeStream.wait(landed);
    return buffer;
}

BufferRing::Buffer& Controller::takeOutgoing() {
    BufferRing::Buffer& buffer = m_memory.outgoing.take();
    m_computeStream.wait(buffer.free);
    return buffer;
}

void Controller::send(const ProgramRun& run, const Slot& slot, bool isGradient, int32_t layer, int32_t microbatch,
                      BufferRing::Buffer& buffer) {
    const auto& readers = isGradient ? run.program.gradientReaders : run.program.inputReaders;
    m_down.wait(m_computeStream.record());
    std::byte* host = m_shared.packets.take(m_down);
    m_down.copy(host, buffer.data, m_shared.model.hiddenBytes(run.batches.numTokens(microbatch)),
                label(run, slot, trace::Kind::kDownloadActivation, microbatch, layer));
    buffer.free = m_down.record();
    m_shared.packets.post({run.serial, isGradient, layer, microbatch}, host, buffer.free,
                          readers[static_cast<std::size_t>(layer)]);
}

void Controller::sendLoss(const ProgramRun& run, const Slot& slot, int32_t microbatch) {
    m_down.wait(m_computeStream.record());
    m_down.copy(run.losses + microbatch, lossOf(microbatch), static_cast<int64_t>(sizeof(double)),
                label(run, slot, trace::Kind::kDownloadActivation, microbatch, m_shared.model.numLayers() - 1));
}

} // namespace roundpipe::pipeline
