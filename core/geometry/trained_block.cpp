// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/trained_block.h"

#include "base/error.h"
#include "geometry/host_blobs.h"
#include "geometry/workspace.h"

namespace roundpipe::geometry {
namespace {

int64_t elementSize(const LayerLayout& layout) {
    return static_cast<int64_t>(sizeOf(layout.base.tensors.front().dtype));
}

// Where the tensors begin in the block of a layer.
int64_t tensorsBegin(const LayerLayout& layout) {
    const int64_t size = elementSize(layout);
    return alignUp(layout.adapter.numElements * size) / size;
}

// Joined to the one before it where both sides go on (padding between tensors included).
void append(std::vector<TrainedPiece>& pieces, const TrainedPiece& next, int64_t maxGap) {
    if (!pieces.empty()) {
        TrainedPiece& last = pieces.back();
        const int64_t gap = next.to - (last.to + last.count);
        if (last.owner == next.owner && gap >= 0 && gap < maxGap && next.from == last.from + last.count + gap) {
            last.count += gap + next.count;
            return;
        }
    }
    pieces.push_back(next);
}

TrainedBlock blockOf(std::size_t layer, std::span<const LayerLayout> layouts, const HostBlob& blob) {
    const LayerLayout& layout = layouts[layer];
    const int64_t size = elementSize(layout), maxGap = kAlignmentBytes / size;
    TrainedBlock block;
    block.adapterElements = layout.adapter.numElements;
    block.numElements = blob.bytes > 0 ? tensorsBegin(layout) + blob.bytes / size : layout.adapter.numElements;
    block.gradientElements = layout.gradientElements;
    if (block.adapterElements > 0) block.pieces.push_back({layer, 0, 0, block.adapterElements});
    for (std::size_t t = 0; t < blob.tensors.size(); ++t) {
        const TensorPlace& place = layout.base.tensors[t];
        if (!place.isTrained()) continue;
        const std::size_t owner = blob.tensors[t].owner;
        const int64_t from = tensorsBegin(layouts[owner]) + blob.tensors[t].offset / size;
        const int64_t count = place.spec.numElements();
        append(block.pieces, {owner, from, place.gradientOffset, count}, maxGap);
        append(block.ofBase, {owner, from, place.slotOffset / size, count}, maxGap);
        if (owner != layer) {
            block.borrowedElements += count;
            continue;
        }
        RP_CHECK(from == place.gradientOffset);
        block.tensors.push_back({t, from});
        if (place.spec.shape.size() == 1) block.undecayed.push_back({from, from + count});
    }
    return block;
}

} // namespace

int64_t TrainedBlock::uploadElements() const {
    int64_t sum = adapterElements;
    for (const TrainedPiece& piece : ofBase)
        sum += piece.count;
    return sum;
}

std::vector<TrainedBlock> trainedBlocks(std::span<const LayerLayout> layouts) {
    const std::vector<HostBlob> blobs = hostBlobs(layouts, true);
    std::vector<TrainedBlock> blocks;
    for (std::size_t l = 0; l < layouts.size(); ++l)
        blocks.push_back(blockOf(l, layouts, blobs[l]));
    for (std::size_t l = 0; l < layouts.size(); ++l)
        for (const TrainedPiece& piece : blocks[l].pieces)
            if (piece.owner != l) blocks[piece.owner].gathers = true;
    return blocks;
}

} // namespace roundpipe::geometry
