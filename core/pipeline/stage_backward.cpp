// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/stage_backward.h"

#include "base/error.h"
#include "model/compute/round_in_place.h"
#include "pipeline/packet_transfer.h"
#include "pipeline/stage_forward.h"
#include "plan/cost/memory_table.h"

#include <algorithm>

namespace roundpipe::pipeline {
namespace {

using geometry::Saving;

class BackwardTurn {
public:
    // `gradients`: of what is trained of the slot, one layer's after another.
    BackwardTurn(const Turn& turn, std::byte* gradients)
        : m_turn(turn)
        , m_on(turn.on)
        , m_layers(turn.slot.layers)
        , m_firstTrained(std::max(turn.slot.layers.begin, turn.on.shared.firstTrainable))
        , m_firstOnHost(turn.on.shared.plan.firstOnHost(turn.slot.layers))
        , m_room(plan::savedRoom(turn.on.shared.plan, turn.on.shared.sizes, turn.slot.layers))
        , m_gradients(gradients) {}

    // Whether there is anything to compute before the gradient comes.
    bool goesForward() const { return m_firstOnHost > m_layers.begin; }
    // The deepest layer where that is saved in host memory: on its way, behind the packets so far.
    void receiveFirstSaved(int32_t microbatch) {
        if (m_firstOnHost < m_layers.end) m_coming = receiveSaved(m_turn, m_layers.end - 1, microbatch);
    }
    // Returns the inputs of the slot's layers, which backward needs, but for those that are saved in host memory.
    std::vector<const std::byte*> forwardSaving(int32_t microbatch, const std::byte* in) const;
    // `dOut`: gradient of the last layer's output; null when that is the head, which makes its own.
    void backward(int32_t microbatch, const std::vector<const std::byte*>& inputs, std::byte* dOut);

private:
    void saveBlock(int32_t microbatch, int32_t layer, const std::byte* in, std::byte* out) const;
    void headBackward(int32_t microbatch, const std::byte* in, std::byte* dIn) const;
    void blockBackward(int32_t microbatch, int32_t layer, const std::byte* in, std::byte* saved, const std::byte* dOut,
                       std::byte* dIn) const;
    Received takeSaved(int32_t microbatch, int32_t layer);
    void embeddingBackward(int32_t microbatch, std::byte* dOut) const;
    Saving savingOf(int32_t layer) const { return m_on.shared.plan.savingOf(layer).what; }
    // Of a block: what is kept from its forward to its backward, or from one to the other when both are its turn.
    Saving savedBetween(int32_t layer) const {
        return savingOf(layer) == Saving::kAll ? Saving::kAll : Saving::kWithoutGateUp;
    }
    std::byte* savedOf(int32_t layer) const;
    bool isOnHost(int32_t layer) const { return layer >= m_firstOnHost; }
    bool isTrained(int32_t layer) const { return m_on.shared.store.adapters().isTrained(LayerId(layer)); }
    std::byte* gradientOf(int32_t layer) const;
    model::GradientView gradientView(int32_t microbatch, int32_t layer) const;
    void finishGradient(int32_t layer) const;

    const Turn& m_turn;
    DeviceState& m_on;
    plan::LayerRange m_layers;
    int32_t m_firstTrained;
    int32_t m_firstOnHost; // and all behind it; the end where none is
    geometry::SavedRoom m_room;
    std::byte* m_gradients;
    Received m_coming; // of the next layer that is saved in host memory
};

std::vector<const std::byte*> BackwardTurn::forwardSaving(int32_t microbatch, const std::byte* in) const {
    std::vector<const std::byte*> inputs;
    for (int32_t layer = m_layers.begin; layer < m_firstOnHost && !m_on.isHead(layer); ++layer) {
        m_turn.waitForWeights(microbatch, layer);
        inputs.push_back(in);
        // Nobody reads the last layer's output: its gradient comes from the next stage, or the next layer's input from
        // the host.
        std::byte* out = layer + 1 < m_firstOnHost ? m_on.memory.buffers.hidden[inputs.size() - 1] : nullptr;
        if (layer < m_on.shared.firstTrainable) {
            layerForward(m_turn, microbatch, layer, in, out);
            m_turn.doneWithWeights(microbatch, layer);
        } else if (layer == 0 || savingOf(layer) == Saving::kInput) { // of an embedding backward needs the ids alone
            if (out != nullptr) layerForward(m_turn, microbatch, layer, in, out);
        } else {
            saveBlock(microbatch, layer, in, out);
        }
        in = out;
    }
    if (inputs.empty() || m_on.isHead(m_layers.end - 1)) inputs.push_back(in);
    return inputs;
}

void BackwardTurn::saveBlock(int32_t microbatch, int32_t layer, const std::byte* in, std::byte* out) const {
    blockForwardSaving(m_turn, microbatch, layer, in, out, savedOf(layer), savedBetween(layer));
}

// What comes next travels while this one computes.
Received BackwardTurn::takeSaved(int32_t microbatch, int32_t layer) {
    m_turn.waitForWeights(microbatch, layer);
    Received taken = std::move(m_coming);
    if (layer > m_firstOnHost) m_coming = receiveSaved(m_turn, layer - 1, microbatch);
    m_on.computeStream.wait(taken.landed, device::Awaited::kSavedLanded);
    return taken;
}

// From the deepest layer up to the first that is trained; the last gradient goes on to the next stage, if one follows.
void BackwardTurn::backward(int32_t microbatch, const std::vector<const std::byte*>& inputs, std::byte* dOut) {
    const auto inputOf = [&](int32_t layer) { return inputs[static_cast<std::size_t>(layer - m_layers.begin)]; };
    std::size_t next = 0;
    for (int32_t layer = m_layers.end - 1; layer >= m_firstTrained; --layer) {
        BufferRing::Buffer* sent = nullptr;
        std::byte* dIn = nullptr; // nobody reads the gradient of the first trained layer's input
        const bool isFirst = layer == m_on.shared.firstTrainable;
        if (layer > m_firstTrained ||
            (isFirst && m_on.shared.sizes.layers[static_cast<std::size_t>(layer)].needsInputGradient)) {
            dIn = m_on.memory.buffers.scratchGradients[next];
            next = 1 - next;
        } else if (!isFirst) {
            sent = &takeOutgoing(m_on);
            dIn = sent->data;
        }
        if (isOnHost(layer)) {
            const Received kept = takeSaved(microbatch, layer);
            std::byte* const saved = savingOf(layer) == Saving::kInput ? savedOf(layer) : kept.buffer->data;
            blockBackward(microbatch, layer, kept.input ? kept.input : inputOf(layer), saved, dOut, dIn);
            if (kept.buffer) kept.buffer->free = m_on.computeStream.record();
        } else if (m_on.isHead(layer)) {
            headBackward(microbatch, inputOf(layer), dIn);
        } else if (layer == 0) {
            embeddingBackward(microbatch, dOut);
        } else {
            blockBackward(microbatch, layer, inputOf(layer), savedOf(layer), dOut, dIn);
        }
        m_turn.doneWithWeights(microbatch, layer);
        if (sent) send(m_turn, true, layer, microbatch, *sent);
        if (microbatch + 1 == m_turn.endMicrobatch()) finishGradient(layer);
        dOut = dIn;
    }
}

void BackwardTurn::headBackward(int32_t microbatch, const std::byte* in, std::byte* dIn) const {
    const int32_t layer = m_layers.end - 1;
    m_turn.waitForWeights(microbatch, layer);
    const model::GradientView gradients = gradientView(microbatch, layer);
    const model::LayerWeights weights = m_turn.weightsForBackward(layer);
    m_turn.note(microbatch, {.layer = layer,
                             .weights = weights,
                             .in = in,
                             .dIn = dIn,
                             .gradients = gradients.data,
                             .loss = m_turn.lossOf(microbatch)});
    m_on.computeStream.launch(
        [&on = m_on, in, dIn, batch = m_turn.batchView(microbatch), weights, loss = m_turn.lossOf(microbatch),
         gradients] { on.shared.model.head->forwardBackward(on.compute, batch, weights, in, loss, dIn, gradients); });
    sendLoss(m_turn, microbatch);
}

void BackwardTurn::blockBackward(int32_t microbatch, int32_t layer, const std::byte* in, std::byte* saved,
                                 const std::byte* dOut, std::byte* dIn) const {
    if (savingOf(layer) == Saving::kInput) saveBlock(microbatch, layer, in, nullptr);
    const Saving saving = savedBetween(layer);
    const model::GradientView gradients = gradientView(microbatch, layer);
    const model::LayerWeights weights = m_turn.weightsForBackward(layer);
    m_turn.note(microbatch, {.layer = layer,
                             .weights = weights,
                             .in = in,
                             .saved = saved,
                             .saving = saving,
                             .dOut = dOut,
                             .dIn = dIn,
                             .gradients = gradients.data});
    m_on.computeStream.launch(
        [&on = m_on, layer, in, saved, dOut, dIn, batch = m_turn.batchView(microbatch), weights, saving, gradients] {
            on.block(layer).backward(on.compute, batch, weights, in, saved, saving, dOut, dIn, gradients);
        });
}

void BackwardTurn::embeddingBackward(int32_t microbatch, std::byte* dOut) const {
    const model::GradientView gradients = gradientView(microbatch, 0);
    m_turn.note(microbatch, {.layer = 0, .dOut = dOut, .gradients = gradients.data});
    m_on.computeStream.launch([&on = m_on, dOut, batch = m_turn.batchView(microbatch), gradients] {
        on.shared.model.embedding->backward(on.compute, batch, dOut, gradients);
    });
}

// Of a block; an embedding keeps nothing.
std::byte* BackwardTurn::savedOf(int32_t layer) const {
    std::byte* const begin = m_on.memory.buffers.saved[0];
    if (savingOf(layer) == Saving::kInput) return begin;
    return begin + m_room.inTurns + plan::savedRoom(m_on.shared.plan, m_on.shared.sizes, {m_firstTrained, layer}).own;
}

std::byte* BackwardTurn::gradientOf(int32_t layer) const {
    return m_gradients + plan::gradientBytes(m_on.shared.sizes, {m_layers.begin, layer});
}

// A round's first microbatch overwrites, the others add.
model::GradientView BackwardTurn::gradientView(int32_t microbatch, int32_t layer) const {
    if (!isTrained(layer)) return {};
    return {gradientOf(layer), microbatch > m_turn.firstMicrobatch()};
}

// It is complete, and waits to be sent.
void BackwardTurn::finishGradient(int32_t layer) const {
    if (!isTrained(layer)) return;
    const LayerId id(layer);
    GradientBoard& board = m_on.shared.gradients;
    const geometry::TrainedBlock& shape = m_on.shared.store.adapters().shape(id);
    const DType summed = m_on.shared.store.adapters().masterType();
    const DType sent = m_on.shared.store.adapters().bytes(id).gradientType;
    if (sent != summed) {
        m_on.computeStream.writes(gradientOf(layer), m_on.shared.sizes.layers[id.index()].gradients, "gradients");
        m_on.computeStream.launch([&on = m_on, values = gradientOf(layer), count = shape.gradientElements, summed,
                                   sent] { model::roundInPlace(on.compute, values, count, summed, sent); });
    }
    const int64_t round = m_turn.run.firstRound + m_turn.slot.round;
    m_on.gradientsToSend.addStep([&stream = m_on.gradients, &board, id, round, made = m_on.computeStream.record()] {
        stream.wait(made, device::Awaited::kGradientsMade);
        board.awaitRoom(id, round);
    });
    m_on.gradientsToSend.addCopy(board.place(id, round), gradientOf(layer), board.bytes(id),
                                 m_turn.label(trace::Kind::kDownloadGradient, m_turn.endMicrobatch() - 1, layer));
    m_on.gradientsToSend.addStep(
        [&stream = m_on.gradients, &board, id, round] { board.post(id, round, stream.record()); });
}

} // namespace

void backwardSlot(const Turn& turn) {
    DeviceState& on = turn.on;
    const plan::LayerRange layers = turn.slot.layers;
    const bool fused = turn.slot.work == Work::kFused;
    BufferRing::Buffer& gradients = on.memory.trainedGradients.take();
    RP_CHECK(plan::gradientBytes(on.shared.sizes, layers) <=
             gradients.bytes); // each slot meets the buffer that was counted for it
    on.computeStream.wait(gradients.free, device::Awaited::kGradientsSent);
    on.poison(on.computeStream, gradients.data, gradients.bytes);
    BackwardTurn stage(turn, gradients.data);
    for (int32_t m = turn.firstMicrobatch(); m < turn.endMicrobatch(); ++m) {
        BufferRing::Buffer* input = nullptr;
        BufferRing::Buffer* outputGradient = nullptr;
        if (layers.begin > 0) input = &receive(turn, false, layers.begin, m);
        if (fused) turn.transferShares(m);
        stage.receiveFirstSaved(m);
        turn.waitForWeights(m, layers.begin);

        if (stage.goesForward())
            on.computeStream.openSpan(turn.label(fused ? trace::Kind::kFused : trace::Kind::kRecompute, m));
        const auto inputs = stage.forwardSaving(m, input ? input->data : nullptr);
        if (!fused) {
            // The recompute may run before the gradient is there.
            if (stage.goesForward()) on.computeStream.closeSpan();
            outputGradient = &receive(turn, true, layers.end, m);
            turn.transferShares(m);
            on.computeStream.openSpan(turn.label(trace::Kind::kBackward, m));
        }
        stage.backward(m, inputs, outputGradient ? outputGradient->data : nullptr);
        on.computeStream.closeSpan();

        const device::Event done = on.computeStream.record();
        if (input) giveBack(*input, done);
        if (outputGradient) giveBack(*outputGradient, done);
    }
    on.gradientsToSend.addStep([&on, &gradients] { gradients.free = on.gradients.record(); });
}

} // namespace roundpipe::pipeline
