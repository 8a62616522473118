// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens are routed, their rows copied side by side for each expert, computed there and brought together again. An
// expert's output is y = W act + s B A act, so the gradient of its weight, <dOut, y>, is <dAct, act> with dAct the
// gradient of act without the weight, and <dOut, bias> beside it where it has one: y itself need not be kept or made
// again. Gradients of down take the weight with
// act and xA instead of dOut. An expert that every token goes through is one whose rows are theirs.
#include "blocks/sparse_block/sizes.h"
#include "model/block/halves_block.h"
#include "model/block/make_block.h"
#include "model/compute/expert_linears.h"

namespace roundpipe::model {
namespace {

using geometry::ExpertsHalf;

struct Experts {
    using Half = ExpertsHalf;
    static void forward(const HalfCall<ExpertsHalf>& call, const Matrix* out);
    static void forwardRow(const HalfCall<ExpertsHalf>& call, const Matrix& out);
    static void backward(const HalfCall<ExpertsHalf>& call, const Matrix& dOut, const Matrix& dMiddle);
};

kernels::Routing routingOf(const HalfCall<ExpertsHalf>& call) {
    const ExpertsHalf::Saved& saved = call.saved;
    return {call.block.batch.numTokens,
            call.half.config.count,
            call.half.config.perToken,
            saved.choices,
            saved.starts,
            saved.rows,
            saved.sources};
}

// The linears of experts, over the rows that are routed to them.
struct RoutedLinears {
    explicit RoutedLinears(const HalfCall<ExpertsHalf>& call)
        : linear(call.block.linear)
        , gateUp{call.half.gateUp, call.saved.starts, call.block.target().cuda}
        , down{call.half.down, call.saved.starts, call.block.target().cuda} {
        linear.rowKeys = linear.rowKeys != nullptr && call.half.drops ? call.scratch.rowKeys : nullptr;
    }
    LinearCall linear;
    ExpertLinears gateUp, down;
};

void gatherRowKeys(const HalfCall<ExpertsHalf>& call) {
    const auto& [block, half, saved, scratch] = call;
    if (block.linear.rowKeys == nullptr || !half.drops) return;
    const kernels::Routing routing = routingOf(call);
    kernels::gatherRows(block.target(), dense(block.linear.rowKeys, DType::kI64, routing.numTokens, 1), routing,
                        dense(scratch.rowKeys, DType::kI64, routing.numRows(), 1));
}

// From the router's logits to the rows that experts take.
void route(const HalfCall<ExpertsHalf>& call) {
    const auto& [block, half, saved, scratch] = call;
    const kernels::Routing routing = routingOf(call);
    kernels::chooseExperts(block.target(), scratch.logits, half.config.normalised, saved.probabilities, routing,
                           saved.weights);
    kernels::sortByExpert(block.target(), routing);
    kernels::gatherRows(block.target(), block.normed, routing, scratch.routed);
    gatherRowKeys(call);
}

void norm(const HalfCall<ExpertsHalf>& call) {
    const BlockCall& block = call.block;
    kernels::rmsNorm(block.target(), block.middle, normOf(block.weights(), call.half.postNorm),
                     block.shape.config.rmsNormEps, block.normed, nullptr);
}

// x += the biases of a stack, [E, columns of x].
void addBiases(const HalfCall<ExpertsHalf>& call, const geometry::TensorPlace& biases, const Matrix& x) {
    kernels::addExpertBias(call.block.target(), x, routingOf(call), matrixOf(call.block.weights(), biases));
}

kernels::ClampedGate clampedGateOf(const ExpertsHalf& half) {
    return {half.config.gateSlope, half.config.gateLimit};
}

void gatedUnit(const HalfCall<ExpertsHalf>& call) {
    const auto& [block, half, saved, scratch] = call;
    if (half.stack) return kernels::clampedGlu(block.target(), clampedGateOf(half), saved.gateUp, scratch.act);
    kernels::glu(block.target(), kernels::Activation::kSilu, saved.gate, saved.up, scratch.act);
}

void computeExperts(const HalfCall<ExpertsHalf>& call, const Matrix* out) {
    const auto& [block, half, saved, scratch] = call;
    const RoutedLinears routed(call);
    linearForward(routed.linear, routed.gateUp, scratch.routed, saved.gateUpProduct, saved.gateUp);
    if (half.stack) addBiases(call, half.stack->gateUpBias, saved.gateUp);
    if (out == nullptr && half.downColumns == 0) return; // a trained down needs its input, which backward makes again
    gatedUnit(call);
    if (out == nullptr) {
        adapterProduct(routed.linear, routed.down, scratch.act, saved.downProduct);
        return;
    }
    linearForward(routed.linear, routed.down, scratch.act, saved.downProduct, scratch.routed);
    if (half.stack) addBiases(call, half.stack->downBias, scratch.routed);
    kernels::combineRows(block.target(), &block.middle, scratch.routed, routingOf(call), &saved.weights, *out);
}

// The routing of the shared expert.
kernels::Routing everyToken(const HalfCall<ExpertsHalf>& call) {
    return {call.block.batch.numTokens, 1, 1};
}

// [T, D] where rows of routed experts are read no more.
Matrix forTokens(const HalfCall<ExpertsHalf>& call) {
    return rowsOf(call.scratch.routed, 0, call.block.batch.numTokens);
}

// out += what the shared expert gives.
void computeShared(const HalfCall<ExpertsHalf>& call, const Matrix* out) {
    const auto& [block, half, saved, scratch] = call;
    const geometry::SharedExpert& expert = *half.shared;
    const geometry::SharedExpert::Saved& kept = *saved.shared;
    linearForward(block.linear, expert.gate, block.normed, kept.gateProduct, kept.weights);
    kernels::sigmoid(block.target(), kept.weights, kept.weights);
    linearForward(block.linear, expert.gateUp, block.normed, kept.gateUpProduct, kept.gateUp);
    if (out == nullptr && !expert.down.isAdapted()) return; // as above
    kernels::glu(block.target(), kernels::Activation::kSilu, kept.gate, kept.up, scratch.sharedAct);
    if (out == nullptr) {
        adapterProduct(block.linear, expert.down, scratch.sharedAct, kept.downProduct);
        return;
    }
    linearForward(block.linear, expert.down, scratch.sharedAct, kept.downProduct, forTokens(call));
    kernels::combineRows(block.target(), out, forTokens(call), everyToken(call), &kept.weights, *out);
}

// The same of a single row.
void computeSharedRow(const HalfCall<ExpertsHalf>& call, const Matrix& out) {
    const auto& [block, half, saved, scratch] = call;
    const geometry::SharedExpert& expert = *half.shared;
    const geometry::SharedExpert::Saved& kept = *saved.shared;
    rowForward(block.linear, expert.gate, {block.normed}, kept.gateProduct, nullptr, kept.weights);
    kernels::sigmoid(block.target(), kept.weights, kept.weights);
    rowGlu(block.linear, kernels::Activation::kSilu, expert.gateUp, {block.normed}, kept.gateUpProduct,
           scratch.sharedAct);
    rowForward(block.linear, expert.down, {scratch.sharedAct}, kept.downProduct, nullptr, forTokens(call));
    kernels::combineRows(block.target(), &out, forTokens(call), everyToken(call), &kept.weights, out);
}

void Experts::forward(const HalfCall<ExpertsHalf>& call, const Matrix* out) {
    norm(call);
    linearForward(call.block.linear, call.half.router, call.block.normed, {}, call.scratch.logits);
    route(call);
    computeExperts(call, out);
    if (call.half.shared) computeShared(call, out);
}

void Experts::forwardRow(const HalfCall<ExpertsHalf>& call, const Matrix& out) {
    norm(call);
    rowForward(call.block.linear, call.half.router, {call.block.normed}, {}, nullptr, call.scratch.logits);
    route(call);
    computeExperts(call, &out);
    if (call.half.shared) computeSharedRow(call, out);
}

// From the gradient of the activation, in its place, to those of gate, up and the weights.
void gatedUnitBackward(const HalfCall<ExpertsHalf>& call, const ExpertsHalf::BackwardScratch& own) {
    const auto& [block, half, saved, scratch] = call;
    const kernels::Routing routing = routingOf(call);
    const Matrix* act = half.downColumns > 0 || half.trainsDown ? &scratch.act : nullptr;
    if (half.stack)
        return kernels::expertClampedGluBackward(
            block.target(), clampedGateOf(half), scratch.act, saved.gateUp, routing, saved.weights, scratch.routed,
            matrixOf(block.weights(), half.stack->downBias), saved.gateUp, act, own.dWeights);
    kernels::expertSwiGluBackward(block.target(), scratch.act, saved.gate, saved.up, routing, saved.weights, saved.gate,
                                  saved.up, act, own.dWeights);
}

// From dOut to the gradients of gate, up and the weights, and of what down has of its own.
void downBackward(const HalfCall<ExpertsHalf>& call, const Matrix& dOut, const ExpertsHalf::BackwardScratch& own) {
    const auto& [block, half, saved, scratch] = call;
    const kernels::Routing routing = routingOf(call);
    const RoutedLinears routed(call);
    kernels::gatherRows(block.target(), dOut, routing, scratch.routed);
    inputGradient(routed.linear, routed.down, own.delta, scratch.routed, scratch.act);
    gatedUnitBackward(call, own);
    if (half.downColumns > 0) kernels::scaleRows(block.target(), saved.downProduct, routing, saved.weights);
    trainedGradient(routed.linear, routed.down, own.delta, scratch.act, saved.downProduct, scratch.routed);
}

// The same of the shared expert, with the gradient of what its weight is the sigmoid of.
void sharedDownBackward(const HalfCall<ExpertsHalf>& call, const Matrix& dOut,
                        const ExpertsHalf::BackwardScratch& own) {
    const auto& [block, half, saved, scratch] = call;
    const geometry::SharedExpert& expert = *half.shared;
    const geometry::SharedExpert::Saved& kept = *saved.shared;
    inputGradient(block.linear, expert.down, dOut, &scratch.sharedAct);
    const bool needsAct = expert.down.isAdapted() || expert.down.isTrained();
    kernels::expertSwiGluBackward(block.target(), scratch.sharedAct, kept.gate, kept.up, everyToken(call), kept.weights,
                                  kept.gate, kept.up, needsAct ? &scratch.sharedAct : nullptr, own.dSharedWeights);
    if (expert.down.isAdapted()) kernels::scaleRows(block.target(), kept.downProduct, everyToken(call), kept.weights);
    trainedGradient(block.linear, expert.down, scratch.sharedAct, kept.downProduct, dOut);
    kernels::sigmoidBackward(block.target(), own.dSharedWeights, kept.weights, own.dSharedWeights);
}

// dNormed = what comes by way of the router.
void routerBackward(const HalfCall<ExpertsHalf>& call, const ExpertsHalf::BackwardScratch& own, const Matrix& dNormed) {
    const auto& [block, half, saved, scratch] = call;
    kernels::chooseExpertsBackward(block.target(), saved.probabilities, routingOf(call), half.config.normalised,
                                   own.dWeights, scratch.logits);
    inputGradient(block.linear, half.router, scratch.logits, &dNormed);
    trainedGradient(block.linear, half.router, block.normed, {}, scratch.logits);
}

// dNormed += what comes by way of gate and up.
void gateUpBackward(const HalfCall<ExpertsHalf>& call, const ExpertsHalf::BackwardScratch& own, const Matrix& dNormed) {
    const auto& [block, half, saved, scratch] = call;
    const kernels::Routing routing = routingOf(call);
    const RoutedLinears routed(call);
    const Matrix& dRouted = half.needsRows ? own.dRouted : scratch.routed;
    if (half.needsRows) kernels::gatherRows(block.target(), block.normed, routing, scratch.routed);
    inputGradient(routed.linear, routed.gateUp, own.delta, saved.gateUp, dRouted);
    trainedGradient(routed.linear, routed.gateUp, own.delta, scratch.routed, saved.gateUpProduct, saved.gateUp);
    kernels::combineRows(block.target(), &dNormed, dRouted, routing, nullptr, dNormed);
}

// dNormed += what comes by way of one of the shared expert's linears.
void sharedInputBackward(const HalfCall<ExpertsHalf>& call, const geometry::LinearGroup& linears, const Matrix& xA,
                         const Matrix& dy, const Matrix& dNormed) {
    const BlockCall& block = call.block;
    const Matrix part = forTokens(call);
    inputGradient(block.linear, linears, dy, &part);
    kernels::add(block.target(), dNormed, part, dNormed);
    trainedGradient(block.linear, linears, block.normed, xA, dy);
}

void sharedBackward(const HalfCall<ExpertsHalf>& call, const ExpertsHalf::BackwardScratch& own, const Matrix& dNormed) {
    const geometry::SharedExpert& expert = *call.half.shared;
    const geometry::SharedExpert::Saved& kept = *call.saved.shared;
    sharedInputBackward(call, expert.gate, kept.gateProduct, own.dSharedWeights, dNormed);
    sharedInputBackward(call, expert.gateUp, kept.gateUpProduct, kept.gateUp, dNormed);
}

void Experts::backward(const HalfCall<ExpertsHalf>& call, const Matrix& dOut, const Matrix& dMiddle) {
    const auto& [block, half, saved, scratch] = call;
    const kernels::NormWeight normWeight = normOf(block.weights(), half.postNorm);
    geometry::Workspace& memory = block.compute().workspace;
    const int64_t before = memory.usedBytes();
    const ExpertsHalf::BackwardScratch own(half, memory, block.batch.numTokens);
    gatherRowKeys(call);
    downBackward(call, dOut, own);
    if (half.shared) sharedDownBackward(call, dOut, own);
    kernels::rmsNorm(block.target(), block.middle, normWeight, block.shape.config.rmsNormEps, block.normed, own.rstd);
    routerBackward(call, own, dMiddle);
    gateUpBackward(call, own, dMiddle);
    if (half.shared) sharedBackward(call, own, dMiddle);
    normGradient(block.linear, half.postNorm, dMiddle, block.middle, own.rstd);
    kernels::rmsNormBackward(block.target(), dMiddle, block.middle, normWeight, own.rstd, &dOut, dMiddle);
    memory.reset(before);
}

} // namespace

std::unique_ptr<const Block> sparse_block::make(const arch::ModelConfig& config, const geometry::LayerLayout& layout,
                                                DType operandType) {
    return std::make_unique<HalvesBlock<Experts>>(config, layout, operandType);
}

} // namespace roundpipe::model
