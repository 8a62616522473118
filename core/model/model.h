// SPDX-License-Identifier: GPL-3.0-or-later
// A model that computes: its layers in order, each with an explicit forward and backward.
#pragma once

#include "arch/layers.h"
#include "geometry/layout.h"
#include "model/block/block.h"
#include "model/embedding.h"
#include "model/head.h"

#include <memory>
#include <vector>

namespace roundpipe::model {

// All layers of a model, in order. Immutable, shared by all devices.
struct Model {
    arch::ModelSpec spec;
    arch::Trained trained;
    DType operandType = DType::kF32;
    WeightFormat weights = WeightFormat::kAsIs; // of the frozen base
    std::vector<geometry::LayerLayout> layouts; // index: LayerId
    std::unique_ptr<Embedding> embedding;
    std::vector<std::unique_ptr<const Block>> blocks;
    std::unique_ptr<Head> head;

    int32_t numLayers() const { return static_cast<int32_t>(layouts.size()); }
    int64_t hiddenBytes(int64_t numTokens) const; // of hidden_TD
    int32_t firstTrainableLayer() const;          // numLayers() when none is
    int64_t numTrainedParameters() const;
};
std::unique_ptr<const Model> makeModel(const arch::ModelSpec& spec, const arch::Trained& trained, DType operandType,
                                       WeightFormat weights = WeightFormat::kAsIs);
// Throws kUnsupported for what a kind of device does not train yet: adapters of experts with dropout on GPUs.
void requireTrainableOn(const Model& model, bool isGpu);

} // namespace roundpipe::model
