// Forward stages of training, and all stages of an evaluation.
#include "pipeline/controller.h"

namespace roundpipe::pipeline {

void Controller::forwardSlot(const ProgramRun& run, const Slot& slot) {
    const trace::Kind kind = slot.work == Work::kEvaluate ? trace::Kind::kEvaluate : trace::Kind::kForward;
    for (int32_t m = firstMicrobatch(run, slot); m < endMicrobatch(run, slot); ++m) {
        BufferRing::Buffer* received = nullptr;
        if (slot.layers.begin > 0) received = &receive(run, slot, false, slot.layers.begin, m);
        waitForWeights(slot.layers.begin);
        m_computeStream.openSpan(label(run, slot, kind, m));
        forwardLayers(run, slot, m, received ? received->data : nullptr);
        m_computeStream.closeSpan();
        if (received) received->free = m_computeStream.record();
    }
}

// A layer whose output another slot reads writes it where it can be sent from.
void Controller::forwardLayers(const ProgramRun& run, const Slot& slot, int32_t microbatch, const std::byte* in) {
    std::size_t turn = 0;
    for (int32_t layer = slot.layers.begin; layer < slot.layers.end; ++layer) {
        waitForWeights(layer);
        if (isHead(layer)) {
            headForward(run, slot, microbatch, in);
            return;
        }
        BufferRing::Buffer* sent = nullptr;
        if (run.program.inputReaders[static_cast<std::size_t>(layer) + 1] > 0) sent = &takeOutgoing();
        std::byte* out = sent ? sent->data : m_memory.buffers.hidden[turn];
        if (!sent) turn = 1 - turn;
        layerForward(run, microbatch, layer, in, out);
        if (sent) send(run, slot, false, layer + 1, microbatch, *sent);
        in = out;
    }
}

void Controller::layerForward(const ProgramRun& run, int32_t microbatch, int32_t layer, const std::byte* in,
                              std::byte* out) {
    m_computeStream.launch(
        [this, layer, in, out, batch = batchView(run, microbatch), weights = m_weights.weights(layer)] {
            const model::Model& model = m_shared.model;
            if (layer == 0)
                model.embedding->forward(m_compute, batch, weights, out);
            else
                model.blocks[blockIndex(layer)]->forward(m_compute, batch, weights, in, out);
        });
}

void Controller::headForward(const ProgramRun& run, const Slot& slot, int32_t microbatch, const std::byte* in) {
    m_computeStream.launch(
        [this, in, batch = batchView(run, microbatch), weights = m_weights.weights(slot.layers.end - 1),
         loss = lossOf(microbatch)] { m_shared.model.head->forward(m_compute, batch, weights, in, loss); });
    sendLoss(run, slot, microbatch);
}

} // namespace roundpipe::pipeline
