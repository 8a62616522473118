// SPDX-License-Identifier: GPL-3.0-or-later
// What of a layer is trained, as one block of elements on the host: its adapter, then the trained tensors of the base
// that it owns. Masters, moments and versions have this layout; gradients have the device's, of which pieces belong to
// blocks.
#pragma once

#include "geometry/layout.h"

#include <cstddef>
#include <span>
#include <vector>

namespace roundpipe::geometry {

// Elements [to, to + count) of a layer's gradients, or of its base in a slot, are elements [from, from + count) of
// the owner's block.
struct TrainedPiece {
    std::size_t owner = 0;
    int64_t from = 0;
    int64_t to = 0;
    int64_t count = 0;
};

// A trained tensor: number `tensor` of the layer's BaseLayout, from element `first` of the block on.
struct TensorInBlock {
    std::size_t tensor = 0;
    int64_t first = 0;
};

struct ElementRange {
    int64_t begin = 0;
    int64_t end = 0;
};

struct TrainedBlock {
    int64_t numElements = 0;      // that the layer owns
    int64_t gradientElements = 0; // of the layer on a device
    // In order. At most one is of the layer itself, at the same elements on both sides; a tied head has another one of
    // the embedding.
    std::vector<TrainedPiece> pieces;
    std::vector<TrainedPiece> ofBase;    // what is uploaded over the base; the adapter has a place of its own
    std::vector<TensorInBlock> tensors;  // of the base that the layer owns
    int64_t adapterElements = 0;         // at the block's begin
    int64_t borrowedElements = 0;        // of other layers' blocks, that are trained here, too
    bool gathers = false;                // gradients of other layers belong to it, too
    std::vector<ElementRange> undecayed; // norms and biases: weight decay leaves them alone, as transformers does

    int64_t uploadElements() const;
    // Weights are too many to travel in the precision in which microbatches are added; adapters do.
    bool isOfTensorsAlone() const { return adapterElements == 0; }
};

// Of layers in order.
std::vector<TrainedBlock> trainedBlocks(std::span<const LayerLayout> layouts);

} // namespace roundpipe::geometry
