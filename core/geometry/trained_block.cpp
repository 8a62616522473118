// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/trained_block.h"

#include "base/error.h"
#include "geometry/host_blobs.h"

namespace roundpipe::geometry {
namespace {

TrainedBlock ofAdapter(std::size_t layer, const AdapterLayout& adapter) {
    TrainedBlock block{adapter.numElements, adapter.numElements, {}, false, false, {}};
    if (adapter.numElements > 0) block.pieces.push_back({layer, 0, 0, adapter.numElements});
    return block;
}

TrainedBlock ofBase(std::size_t layer, const LayerLayout& layout, const HostBlob& blob) {
    const auto size = static_cast<int64_t>(sizeOf(layout.base.tensors.front().dtype));
    TrainedBlock block{blob.bytes / size, layout.gradientElements(), {}, true, false, {}};
    for (const HostSegment& segment : blob.segments) {
        RP_CHECK(segment.owner != layer || segment.from == segment.to);
        block.pieces.push_back({segment.owner, segment.from / size, segment.to / size, segment.bytes / size});
    }
    for (std::size_t t = 0; t < blob.tensors.size(); ++t) {
        const TensorPlace& place = layout.base.tensors[t];
        if (blob.tensors[t].owner != layer || place.spec.shape.size() > 1) continue;
        const int64_t begin = blob.tensors[t].offset / size;
        block.undecayed.push_back({begin, begin + place.spec.numElements()});
    }
    return block;
}

} // namespace

int64_t TrainedBlock::uploadElements() const {
    int64_t sum = 0;
    for (const TrainedPiece& piece : pieces)
        sum += piece.count;
    return sum;
}

std::vector<TrainedBlock> trainedBlocks(std::span<const LayerLayout> layouts) {
    const std::vector<HostBlob> blobs = hostBlobs(layouts);
    std::vector<TrainedBlock> blocks;
    for (std::size_t l = 0; l < layouts.size(); ++l)
        blocks.push_back(layouts[l].trainsBase ? ofBase(l, layouts[l], blobs[l]) : ofAdapter(l, layouts[l].adapter));
    for (std::size_t l = 0; l < layouts.size(); ++l)
        for (const TrainedPiece& piece : blocks[l].pieces)
            if (piece.owner != l) blocks[piece.owner].gathers = true;
    return blocks;
}

} // namespace roundpipe::geometry
