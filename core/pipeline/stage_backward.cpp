// The fused stage (forward, loss and backward) and backward stages (recompute and backward).
#include "pipeline/controller.h"

#include <algorithm>

namespace roundpipe::pipeline {

void Controller::backwardSlot(const ProgramRun& run, const Slot& slot) {
    const bool fused = slot.work == Work::kFused;
    auto& gradients = m_memory.adapterGradients.take();
    m_slotGradients = gradients.data;
    m_computeStream.wait(gradients.free);
    for (int32_t m = firstMicrobatch(run, slot); m < endMicrobatch(run, slot); ++m) {
        BufferRing::Buffer* input = nullptr;
        BufferRing::Buffer* outputGradient = nullptr;
        if (slot.layers.begin > 0) input = &receive(run, slot, false, slot.layers.begin, m);
        waitForWeights(slot.layers.begin);

        m_computeStream.openSpan(label(run, slot, fused ? trace::Kind::kFused : trace::Kind::kRecompute, m));
        const auto inputs = forwardSaving(run, slot, m, input ? input->data : nullptr);
        if (!fused) {
            // The recompute may run before the gradient is there.
            m_computeStream.closeSpan();
            outputGradient = &receive(run, slot, true, slot.layers.end, m);
            m_computeStream.openSpan(label(run, slot, trace::Kind::kBackward, m));
        }
        backwardLayers(run, slot, m, inputs, outputGradient ? outputGradient->data : nullptr);
        m_computeStream.closeSpan();

        const device::Event done = m_computeStream.record();
        if (input) input->free = done;
        if (outputGradient) outputGradient->free = done;
    }
    gradients.free = m_gradients.record();
}

std::vector<const std::byte*> Controller::forwardSaving(const ProgramRun& run, const Slot& slot, int32_t microbatch,
                                                        const std::byte* in) {
    std::vector<const std::byte*> inputs;
    std::size_t numSaved = 0;
    for (int32_t layer = slot.layers.begin; layer < slot.layers.end && !isHead(layer); ++layer) {
        waitForWeights(layer);
        inputs.push_back(in);
        std::byte* out = m_memory.buffers.hidden[inputs.size() - 1];
        if (layer < m_shared.firstTrainable)
            layerForward(run, microbatch, layer, in, out);
        else
            blockForwardSaving(run, microbatch, layer, in, out, m_memory.buffers.saved[numSaved++]);
        in = out;
    }
    if (isHead(slot.layers.end - 1)) inputs.push_back(in);
    return inputs;
}

void Controller::blockForwardSaving(const ProgramRun& run, int32_t microbatch, int32_t layer, const std::byte* in,
                                    std::byte* out, std::byte* saved) {
    m_computeStream.launch(
        [this, layer, in, out, saved, batch = batchView(run, microbatch), weights = m_weights.weights(layer)] {
            m_shared.model.blocks[blockIndex(layer)]->forwardSaving(m_compute, batch, weights, in, out, saved);
        });
}

// From the deepest layer up to the first that is trained; the last gradient goes on to the next stage, if one follows.
void Controller::backwardLayers(const ProgramRun& run, const Slot& slot, int32_t microbatch,
                                const std::vector<const std::byte*>& inputs, const std::byte* dOut) {
    const int32_t first = std::max(slot.layers.begin, m_shared.firstTrainable);
    std::size_t turn = 0;
    for (int32_t layer = slot.layers.end - 1; layer >= first; --layer) {
        BufferRing::Buffer* sent = nullptr;
        std::byte* dIn = nullptr; // nobody needs the gradient of the first trained layer's input
        if (layer > first) {
            dIn = m_memory.buffers.scratchGradients[turn];
            turn = 1 - turn;
        } else if (layer > m_shared.firstTrainable) {
            sent = &takeOutgoing();
            dIn = sent->data;
        }
        const std::byte* in = inputs[static_cast<std::size_t>(layer - slot.layers.begin)];
        if (isHead(layer))
            headBackward(run, slot, microbatch, in, dIn);
        else
            blockBackward(run, slot, microbatch, layer, in, dOut, dIn);
        if (sent) send(run, slot, true, layer, microbatch, *sent);
        if (microbatch + 1 == endMicrobatch(run, slot)) sendAdapterGradient(run, slot, layer);
        dOut = dIn;
    }
}

void Controller::headBackward(const ProgramRun& run, const Slot& slot, int32_t microbatch, const std::byte* in,
                              std::byte* dIn) {
    const int32_t layer = slot.layers.end - 1;
    waitForWeights(layer);
    m_computeStream.launch([this, in, dIn, batch = batchView(run, microbatch), weights = m_weights.weights(layer),
                            loss = lossOf(microbatch), gradients = gradientView(run, slot, microbatch, layer)] {
        m_shared.model.head->forwardBackward(m_compute, batch, weights, in, loss, dIn, gradients);
    });
    sendLoss(run, slot, microbatch);
}

void Controller::blockBackward(const ProgramRun& run, const Slot& slot, int32_t microbatch, int32_t layer,
                               const std::byte* in, const std::byte* dOut, std::byte* dIn) {
    const int32_t firstSaved = std::max(slot.layers.begin, m_shared.firstTrainable);
    m_computeStream.launch([this, layer, in, dOut, dIn, batch = batchView(run, microbatch),
                            weights = m_weights.weights(layer),
                            saved = m_memory.buffers.saved[static_cast<std::size_t>(layer - firstSaved)],
                            gradients = gradientView(run, slot, microbatch, layer)] {
        m_shared.model.blocks[blockIndex(layer)]->backward(m_compute, batch, weights, in, saved, dOut, dIn, gradients);
    });
}

std::byte* Controller::slotGradient(const Slot& slot, int32_t layer) const {
    std::byte* place = m_slotGradients;
    for (int32_t below = slot.layers.begin; below < layer; ++below)
        place += m_shared.sizes.layers[static_cast<std::size_t>(below)].gradients;
    return place;
}

// A round's first microbatch overwrites, the others add.
model::GradientView Controller::gradientView(const ProgramRun& run, const Slot& slot, int32_t microbatch,
                                             int32_t layer) const {
    if (m_shared.store.adapters().numElements(LayerId(layer)) == 0) return {};
    return {slotGradient(slot, layer), microbatch > firstMicrobatch(run, slot)};
}

void Controller::sendAdapterGradient(const ProgramRun& run, const Slot& slot, int32_t layer) {
    const LayerId id(layer);
    if (m_shared.store.adapters().numElements(id) == 0) return;
    const int64_t round = run.firstRound + slot.round;
    m_gradients.wait(m_computeStream.record());
    device::copyInChunks(m_gradients, m_shared.gradients.writable(id, round), slotGradient(slot, layer),
                         m_shared.gradients.bytes(id),
                         label(run, slot, trace::Kind::kDownloadGradient, endMicrobatch(run, slot) - 1, layer));
    m_shared.gradients.post(id, round, m_gradients.record());
}

} // namespace roundpipe::pipeline
