// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/layer_work.h"

#include "geometry/head.h"
#include "geometry/layout.h"
#include "plan/cost/block_work.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace roundpipe::plan {
namespace {

struct WorkOfType {
    decltype(&dense_block::forward) forward, gateUp, output;
    decltype(&dense_block::backward) backward;
};
#define RP_WORK(folder, value, words) WorkOfType{folder::forward, folder::gateUp, folder::output, folder::backward},
constexpr std::array kWorkOfBlock{RP_FOR_EACH_BLOCK_TYPE(RP_WORK)}; // [arch::BlockType]
#undef RP_WORK

// Chunk by chunk, as core/model/head.cpp: every chunk reads the whole table.
LayerWork headWork(const arch::LayerSpec& head, const arch::TrainedLayer& parts, const TrainingShape& shape,
                   bool wantsInputGradient) {
    LayerWork work;
    const bool isAdapted = !parts.adapted.empty();
    KernelIssue forward(work.forward, shape), backward(work.backward, shape);
    const std::vector<int64_t>& table = head.tensors.back().shape; // (out, in)
    const double hidden = static_cast<double>(table[1]);
    const double vocab = static_cast<double>(table[0]);
    const double rows = shape.tokens() * shape.trainedShare;
    const double chunk =
        static_cast<double>(geometry::headChunkRows(table[0], std::llround(std::ceil(rows)), shape.operandType));
    if (wantsInputGradient) backward.touch(shape.tokens() * hidden);
    for (double first = 0; first < rows; first += chunk) {
        LinearWork linear{hidden, vocab, std::min(chunk, rows - first)};
        if (isAdapted) linear.rank = static_cast<double>(shape.lora.rank);
        if (isAdapted) linear.dropout = shape.lora.dropout;
        linear.isTrained = parts.trains(arch::TensorRole::kLmHead);
        forward.touch(2 * linear.rows * hidden);
        forward.pass(8 * linear.rows);
        forward.touch(2 * linear.rows * hidden);
        linear.forward(forward);
        forward.heavyPass(2 * linear.rows * vocab * forward.operand());
        forward.pass(4 * linear.rows);
        linear.backward(backward, wantsInputGradient, false);
        if (!wantsInputGradient) continue;
        if (parts.trains(arch::TensorRole::kFinalNorm)) backward.touch(2 * linear.rows * hidden); // of its weight
        backward.touch(3 * linear.rows * hidden);
        backward.touch(2 * linear.rows * hidden);
    }
    return work;
}

// To assemble a block once.
void unpack(std::vector<KernelWork>& kernels, const arch::LayerSpec& block, const TrainingShape& shape) {
    if (!isPacked(shape.weights)) return;
    const geometry::LayerLayout layout =
        geometry::makeLayout(block, {}, shape.trained(), shape.operandType, shape.weights);
    if (!layout.hasPacked()) return;
    using On = KernelWork::On;
    const auto slot = static_cast<double>(layout.base.slotBytes), base = static_cast<double>(layout.base.bytes);
    KernelIssue issue(kernels, shape);
    if (!layout.mayMultiplyFp8()) return issue.pass(slot + base);
    issue.on(On::kPlain, [&] { issue.pass(slot + base); });
    issue.on(On::kFp8, [&] { issue.pass(slot); }); // read and written again, transposed, for every second call
}

} // namespace

double totalFlops(const std::vector<KernelWork>& kernels) {
    double sum = 0;
    for (const KernelWork& kernel : kernels)
        if (kernel.on <= KernelWork::On::kPlain) sum += kernel.flops;
    return sum;
}

double totalBytes(const std::vector<KernelWork>& kernels) {
    double sum = 0;
    for (const KernelWork& kernel : kernels)
        if (kernel.on <= KernelWork::On::kPlain) sum += kernel.bytes;
    return sum;
}

LayerWork layerWork(const arch::ModelSpec& model, LayerId layer, const arch::TrainedLayer& parts,
                    const TrainingShape& shape, bool belowIsTrained) {
    const arch::LayerSpec& spec = model.layers[layer.index()];
    const bool wantsInputGradient = belowIsTrained || !parts.tensors.empty(); // geometry::needsInputGradient
    if (spec.kind == arch::LayerKind::kHead) return headWork(spec, parts, shape, wantsInputGradient);
    LayerWork work;
    KernelIssue forward(work.forward, shape), backward(work.backward, shape), output(work.output, shape),
        gateUp(work.gateUp, shape);
    if (spec.kind == arch::LayerKind::kEmbedding) {
        const double elements = shape.tokens() * static_cast<double>(model.config.hiddenSize);
        const bool isMultiplied = model.config.multipliers.embedding != 1;
        forward.touch(2 * elements);
        if (isMultiplied) forward.touch(2 * elements);
        if (isMultiplied && !parts.tensors.empty()) backward.touch(2 * elements);
        if (!parts.tensors.empty()) backward.pass(elements * (backward.operand() + 2 * backward.statistics()));
        return work;
    }
    const WorkOfType& type = kWorkOfBlock[static_cast<std::size_t>(spec.type)];
    const BlockAtWork block(model.config, spec, parts, shape);
    type.forward(block, forward);
    type.output(block, output);
    type.gateUp(block, gateUp);
    type.backward(block, backward, wantsInputGradient);
    unpack(work.unpack, spec, shape);
    return work;
}

} // namespace roundpipe::plan
