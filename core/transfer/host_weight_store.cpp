#include "transfer/host_weight_store.h"

#include "geometry/host_blobs.h"

namespace roundpipe::transfer {

HostWeightStore::HostWeightStore(std::span<const geometry::LayerLayout> layouts, DType operandType, bool pinned)
    : m_layouts(layouts), m_segments(layouts.size()), m_adapters(layouts, operandType, pinned) {
    const std::vector<geometry::HostBlob> blobs = geometry::hostBlobs(layouts);
    for (std::size_t l = 0; l < layouts.size(); ++l) {
        const geometry::HostBlob& blob = blobs[l];
        m_blobs.emplace_back(blob.bytes, pinned);
        m_bytes += blob.bytes;
        for (const geometry::HostSegment& segment : blob.segments)
            m_segments[l].push_back({m_blobs[segment.owner].data() + segment.from, segment.bytes, segment.to});
        for (std::size_t t = 0; t < blob.tensors.size(); ++t) {
            if (blob.tensors[t].owner != l) continue;
            const geometry::TensorPlace& place = layouts[l].base.tensors[t];
            m_tensors.push_back({LayerId(static_cast<int32_t>(l)), &place, m_blobs[l].data() + blob.tensors[t].offset,
                                 place.rows(), place.spec.shape.back()});
        }
    }
}

int64_t HostWeightStore::uploadBytes(LayerId layer) const {
    int64_t bytes = 0;
    for (const Segment& segment : segments(layer))
        bytes += segment.bytes;
    return bytes;
}

} // namespace roundpipe::transfer
