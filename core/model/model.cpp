// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/model.h"

#include "base/error.h"
#include "model/block/make_block.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace roundpipe::model {

int64_t Model::hiddenBytes(int64_t numTokens) const {
    return geometry::bytesOf(operandType, numTokens * spec.config.hiddenSize);
}

int32_t Model::firstTrainableLayer() const {
    for (int32_t i = 0; i < numLayers(); ++i)
        if (layouts[static_cast<std::size_t>(i)].gradientElements > 0) return i;
    return numLayers();
}

int64_t Model::numTrainedParameters() const {
    int64_t sum = 0;
    std::set<std::string_view> counted; // tensors: a shared table once
    for (const geometry::LayerLayout& layout : layouts) {
        sum += layout.adapter.numElements;
        for (const geometry::TensorPlace& place : layout.base.tensors)
            if (place.isTrained() && counted.insert(place.spec.name).second) sum += place.spec.numElements();
    }
    return sum;
}

void requireTrainableOn(const Model& model, bool isGpu) {
    const auto drops = [](const geometry::LayerLayout& layout) {
        return layout.adapter.dropout > 0 &&
               std::ranges::any_of(layout.adapter.linears,
                                   [](const geometry::AdapterPlace& place) { return place.linear.ofExpert; });
    };
    if (isGpu && std::ranges::any_of(model.layouts, drops))
        throw unsupported("Adapters of experts are trained with dropout on CPU workers only so far.",
                          "Set 'lora.dropout' to 0, or leave experts out of 'lora.targets'.");
}

std::unique_ptr<const Model> makeModel(const arch::ModelSpec& spec, const arch::Trained& trained, DType operandType,
                                       WeightFormat weights) {
    RP_CHECK(spec.layers.size() >= 2 && isFloating(operandType));
    if (trained.base) arch::requireWholeTrainable(spec.config);
    auto model = std::make_unique<Model>();
    model->spec = spec;
    model->trained = trained;
    model->operandType = operandType;
    model->weights = weights;
    model->layouts = geometry::makeLayouts(spec, trained, operandType, weights);
    model->embedding = std::make_unique<Embedding>(spec.config, model->layouts.front());
    for (std::size_t i = 1; i + 1 < model->layouts.size(); ++i)
        model->blocks.push_back(makeBlock(spec.config, model->layouts[i], operandType));
    model->head = std::make_unique<Head>(spec.config, model->layouts.back(), operandType);
    return model;
}

} // namespace roundpipe::model
