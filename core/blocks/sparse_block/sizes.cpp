// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/sparse_block/sizes.h"

#include "base/error.h"
#include "geometry/block.h"
#include "geometry/block_buffers.h"

#include <algorithm>
#include <utility>

namespace roundpipe::geometry {
namespace {

using arch::TensorRole;

// The linears of experts of a role, in the order of experts.
class LinearsOfExperts {
public:
    explicit LinearsOfExperts(const LayerLayout& layout) : m_layout(layout) {
        auto adapter = layout.adapter.linears.begin();
        for (const TensorPlace& place : layout.base.tensors) {
            if (place.spec.kind != arch::TensorKind::kExpertLinear) continue;
            while (adapter != layout.adapter.linears.end() && !adapter->linear.ofExpert)
                ++adapter;
            const bool isAdapted = adapter != layout.adapter.linears.end() &&
                                   adapter->linear.fullName == arch::moduleOf(place.spec); // both in the same order
            m_places.push_back({&place, isAdapted ? &*adapter : nullptr});
            if (isAdapted) ++adapter;
        }
        RP_CHECK(std::none_of(adapter, layout.adapter.linears.end(),
                              [](const AdapterPlace& place) { return place.linear.ofExpert; }));
    }

    std::vector<LinearShape> of(TensorRole role) const {
        std::vector<LinearShape> shapes;
        for (const auto& [weight, adapter] : m_places)
            if (weight->spec.role == role) shapes.emplace_back(m_layout, *weight, nullptr, adapter);
        return shapes;
    }

private:
    struct Place {
        const TensorPlace* weight;
        const AdapterPlace* adapter;
    };
    const LayerLayout& m_layout;
    std::vector<Place> m_places;
};

// The linear of each expert of a stack, with its adapter where the stack is adapted.
std::vector<LinearGroup> linearsOfStack(const LayerLayout& layout, TensorRole role) {
    const TensorPlace& stack = layout.base.at(role);
    const int64_t numExperts = stack.spec.shape[0], out = stack.spec.shape[1];
    const std::vector<AdapterPlace>& adapters = layout.adapter.linears;
    const auto first = std::ranges::find(adapters, role, [](const AdapterPlace& place) { return place.linear.role; });
    RP_CHECK(first == adapters.end() || adapters.end() - first >= numExperts); // side by side
    std::vector<LinearGroup> groups;
    for (int64_t e = 0; e < numExperts; ++e) {
        TensorPlace expert = stack;
        expert.spec.shape.erase(expert.spec.shape.begin());
        expert.offsetBytes += bytesOf(stack.dtype, e * out * stack.pitchElements);
        groups.emplace_back(
            std::vector{LinearShape(layout, expert, nullptr, first == adapters.end() ? nullptr : &first[e])});
    }
    return groups;
}

Matrix takeRows(const ExpertsHalf& half, Workspace& memory, int64_t numTokens, int64_t cols) {
    return cols == 0 ? Matrix{} : memory.takeMatrix(half.dtype, numTokens * half.config.perToken, cols);
}

} // namespace

SharedExpert::SharedExpert(const LayerLayout& layout, DType operandType)
    : dtype(operandType)
    , gateUp(layout, {{TensorRole::kGate}, {TensorRole::kUp}})
    , down(layout, {{TensorRole::kDown}})
    , gate(layout, {{TensorRole::kSharedExpertGate}}) {}

SharedExpert::Saved::Saved(const SharedExpert& expert, Workspace& memory, int64_t numTokens)
    : weights(memory.takeMatrix(expert.dtype, numTokens, 1))
    , gateUp(memory.takeMatrix(expert.dtype, numTokens, 2 * expert.width()))
    , gate(columnsOf(gateUp, 0, expert.width()))
    , up(columnsOf(gateUp, expert.width(), expert.width()))
    , gateUpProduct(expert.gateUp.takeAdapterProduct(memory, expert.dtype, numTokens))
    , downProduct(expert.down.takeAdapterProduct(memory, expert.dtype, numTokens))
    , gateProduct(expert.gate.takeAdapterProduct(memory, expert.dtype, numTokens)) {}

ExpertsHalf::ExpertsHalf(const arch::ModelConfig& modelConfig, const LayerLayout& layout, DType operandType)
    : dtype(operandType)
    , hiddenSize(modelConfig.hiddenSize)
    , config(modelConfig.experts)
    , postNorm(layout.base.at(TensorRole::kPostNorm))
    , router(layout, {{TensorRole::kRouter, TensorRole::kRouterBias}}) {
    config.stacked ? takeStack(layout) : takeLinears(layout);
    RP_CHECK(gateUp.size() == down.size() && static_cast<int64_t>(down.size()) == config.count);
    for (const LinearGroup& group : gateUp) {
        gateUpColumns = std::max(gateUpColumns, group.adapterColumns());
        needsRows = needsRows || group.isAdapted() || group.isTrained();
    }
    for (const LinearGroup& group : down) {
        downColumns = std::max(downColumns, group.adapterColumns());
        trainsDown = trainsDown || group.isTrained();
    }
    drops = layout.adapter.dropout > 0 && gateUpColumns + downColumns > 0;
    if (config.sharedSize > 0) shared.emplace(layout, operandType);
}

void ExpertsHalf::takeLinears(const LayerLayout& layout) {
    const LinearsOfExperts linears(layout);
    const std::vector<LinearShape> gates = linears.of(TensorRole::kExpertGate), ups = linears.of(TensorRole::kExpertUp);
    for (std::size_t e = 0; e < gates.size(); ++e)
        gateUp.emplace_back(std::vector{gates[e], ups.at(e)});
    for (LinearShape& linear : linears.of(TensorRole::kExpertDown))
        down.emplace_back(std::vector{std::move(linear)});
}

void ExpertsHalf::takeStack(const LayerLayout& layout) {
    gateUp = linearsOfStack(layout, TensorRole::kExpertsGateUp);
    down = linearsOfStack(layout, TensorRole::kExpertsDown);
    stack = {layout.base.at(TensorRole::kExpertsGateUpBias), layout.base.at(TensorRole::kExpertsDownBias)};
}

int64_t ExpertsHalf::gradientWidth() const {
    int64_t width = std::max(router.gradientWidth(), shared ? shared->gradientWidth() : 0);
    for (const std::vector<LinearGroup>* groups : {&gateUp, &down})
        for (const LinearGroup& group : *groups)
            width = std::max(width, group.gradientWidth());
    return width;
}

ExpertsHalf::Saved::Saved(const ExpertsHalf& half, Workspace& memory, int64_t numTokens)
    : probabilities(memory.takeMatrix(statisticsType(half.dtype), numTokens, half.config.count))
    , weights(memory.takeMatrix(half.dtype, numTokens, half.config.perToken))
    , choices(memory.takeArray<int32_t>(numTokens * half.config.perToken))
    , starts(memory.takeArray<int32_t>(half.config.count + 1))
    , rows(memory.takeArray<int32_t>(numTokens * half.config.perToken))
    , sources(memory.takeArray<int32_t>(numTokens * half.config.perToken))
    , gateUp(takeRows(half, memory, numTokens, 2 * half.config.intermediateSize))
    , gate(columnsOf(gateUp, 0, half.config.intermediateSize))
    , up(columnsOf(gateUp, half.config.intermediateSize, half.config.intermediateSize))
    , gateUpProduct(takeRows(half, memory, numTokens, half.gateUpColumns))
    , downProduct(takeRows(half, memory, numTokens, half.downColumns)) {
    if (half.shared) shared.emplace(*half.shared, memory, numTokens);
}

ExpertsHalf::Scratch::Scratch(const ExpertsHalf& half, Workspace& memory, int64_t numTokens)
    : logits(memory.takeMatrix(half.dtype, numTokens, half.config.count))
    , act(takeRows(half, memory, numTokens, half.config.intermediateSize))
    , routed(takeRows(half, memory, numTokens, half.hiddenSize)) {
    if (half.shared) sharedAct = memory.takeMatrix(half.dtype, numTokens, half.shared->width());
    if (half.drops) rowKeys = memory.takeArray<uint64_t>(numTokens * half.config.perToken);
}

ExpertsHalf::BackwardScratch::BackwardScratch(const ExpertsHalf& half, Workspace& memory, int64_t numTokens)
    : rstd(memory.takeMatrix(statisticsType(half.dtype), numTokens, 1).data)
    , dWeights(memory.takeMatrix(half.dtype, numTokens, half.config.perToken))
    , delta(takeRows(half, memory, numTokens, std::max(half.gateUpColumns, half.downColumns))) {
    if (half.shared) dSharedWeights = memory.takeMatrix(half.dtype, numTokens, 1);
    if (half.needsRows) dRouted = takeRows(half, memory, numTokens, half.hiddenSize);
}

BlockBuffers sparse_block::buffers(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType,
                                   int64_t numTokens) {
    return BlockShape<ExpertsHalf>(config, layout, operandType).buffers(numTokens);
}

} // namespace roundpipe::geometry
