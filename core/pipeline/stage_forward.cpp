// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/stage_forward.h"

#include "pipeline/packet_transfer.h"

namespace roundpipe::pipeline {
namespace {

void headForward(const Turn& turn, int32_t microbatch, const std::byte* in) {
    DeviceState& on = turn.on;
    const int32_t layer = turn.slot.layers.end - 1;
    const model::LayerWeights weights = turn.weightsForForward(layer);
    turn.note(microbatch, {.layer = layer, .weights = weights, .in = in, .loss = turn.lossOf(microbatch)});
    on.computeStream.launch([&on, in, batch = turn.batchView(microbatch), weights, loss = turn.lossOf(microbatch)] {
        on.shared.model.head->forward(on.compute, batch, weights, in, loss);
    });
    sendLoss(turn, microbatch);
}

// A layer whose output another slot reads writes it where it can be sent from.
void forwardLayers(const Turn& turn, int32_t microbatch, const std::byte* in) {
    DeviceState& on = turn.on;
    std::size_t next = 0;
    for (int32_t layer = turn.slot.layers.begin; layer < turn.slot.layers.end; ++layer) {
        turn.waitForWeights(microbatch, layer);
        if (on.isHead(layer)) {
            headForward(turn, microbatch, in);
            turn.doneWithWeights(microbatch, layer);
            return;
        }
        BufferRing::Buffer* sent = nullptr;
        if (turn.run.program.isSent(turn.slot, layer + 1)) sent = &takeOutgoing(on);
        std::byte* out = sent ? sent->data : on.memory.buffers.hidden[next];
        if (!sent) next = 1 - next;
        BufferRing::Buffer* kept = nullptr;
        if (turn.slot.work == Work::kForward && on.shared.plan.sendsSaved(layer)) kept = &takeKept(on);
        if (kept)
            blockForwardSaving(turn, microbatch, layer, in, out, kept->data, on.shared.plan.savingOf(layer).what);
        else
            layerForward(turn, microbatch, layer, in, out);
        turn.doneWithWeights(microbatch, layer);
        if (sent) send(turn, false, layer + 1, microbatch, *sent);
        if (kept) sendSaved(turn, layer, microbatch, *kept);
        in = out;
    }
}

} // namespace

void forwardSlot(const Turn& turn) {
    DeviceState& on = turn.on;
    const int32_t first = turn.slot.layers.begin;
    const trace::Kind kind = turn.slot.work == Work::kEvaluate ? trace::Kind::kEvaluate : trace::Kind::kForward;
    for (int32_t m = turn.firstMicrobatch(); m < turn.endMicrobatch(); ++m) {
        BufferRing::Buffer* received = nullptr;
        if (first > 0) received = &receive(turn, false, first, m);
        turn.transferShares(m);
        turn.waitForWeights(m, first);
        on.computeStream.openSpan(turn.label(kind, m));
        forwardLayers(turn, m, received ? received->data : nullptr);
        on.computeStream.closeSpan();
        if (received) giveBack(*received, on.computeStream.record());
    }
}

void layerForward(const Turn& turn, int32_t microbatch, int32_t layer, const std::byte* in, std::byte* out) {
    DeviceState& on = turn.on;
    const model::LayerWeights weights = turn.weightsForForward(layer);
    turn.note(microbatch, {.layer = layer, .weights = weights, .in = in, .out = out});
    on.computeStream.launch([&on, layer, in, out, batch = turn.batchView(microbatch), weights] {
        if (layer == 0)
            on.shared.model.embedding->forward(on.compute, batch, weights, out);
        else
            on.block(layer).forward(on.compute, batch, weights, in, out);
    });
}

void blockForwardSaving(const Turn& turn, int32_t microbatch, int32_t layer, const std::byte* in, std::byte* out,
                        std::byte* saved, geometry::Saving saving) {
    DeviceState& on = turn.on;
    const model::LayerWeights weights = turn.weightsForForward(layer);
    turn.note(microbatch, {.layer = layer, .weights = weights, .in = in, .out = out, .saved = saved, .saving = saving});
    on.computeStream.launch([&on, layer, in, out, saved, saving, batch = turn.batchView(microbatch), weights] {
        on.block(layer).forwardSaving(on.compute, batch, weights, in, out, saved, saving);
    });
}

} // namespace roundpipe::pipeline
