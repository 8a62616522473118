// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/host_weight_store.h"

#include "base/error.h"
#include "geometry/host_blobs.h"
#include "geometry/workspace.h"

namespace roundpipe::transfer {

HostWeightStore::HostWeightStore(std::span<const geometry::LayerLayout> layouts, DType operandType, bool pinned,
                                 int64_t pieceBytes)
    : m_layouts(layouts), m_pinned(pinned), m_segments(layouts.size()), m_adapters(layouts, operandType, pinned) {
    takeBlobs(pieceBytes);
    takeMasters();
}

void HostWeightStore::takeBlobs(int64_t pieceBytes) {
    const std::vector<geometry::HostBlob> blobs = geometry::hostBlobs(m_layouts);
    std::vector<int64_t> sizes;
    for (const geometry::HostBlob& blob : blobs) {
        sizes.push_back(blob.bytes);
        m_bytes += blob.bytes;
    }
    m_arena.emplace(sizes, "weights", pieceBytes);
    m_unfilled.resize(m_arena->numPieces());
    const auto blobOf = [&](std::size_t l) { return m_arena->block(l); };
    for (std::size_t l = 0; l < m_layouts.size(); ++l) {
        for (const geometry::HostSegment& segment : blobs[l].segments)
            m_segments[l].push_back({blobOf(segment.owner) + segment.from, segment.bytes, segment.to});
        for (std::size_t t = 0; t < blobs[l].tensors.size(); ++t) {
            if (blobs[l].tensors[t].owner != l) continue;
            const geometry::TensorPlace& place = m_layouts[l].base.tensors[t];
            m_tensors.push_back({LayerId(static_cast<int32_t>(l)), &place, blobOf(l) + blobs[l].tensors[t].offset,
                                 place.rows(), place.spec.shape.back()});
            m_unfilled[m_arena->pieceOf(l)] += place.rows();
        }
    }
}

void HostWeightStore::takeMasters() {
    const DType type = m_adapters.masterType();
    const std::size_t numFrozen = m_tensors.size();
    for (std::size_t l = 0; l < m_layouts.size(); ++l) {
        const LayerId layer(static_cast<int32_t>(l));
        for (const geometry::TensorInBlock& trained : m_adapters.shape(layer).tensors) {
            geometry::TensorPlace place = m_layouts[l].base.tensors[trained.tensor];
            place.dtype = type;
            std::byte* data = m_adapters.masters(layer).data() + geometry::bytesOf(type, trained.first);
            m_tensors.push_back({layer, nullptr, data, place.rows(), place.spec.shape.back()});
            m_masterPlaces.push_back(std::move(place));
        }
    }
    for (std::size_t t = 0; t < m_masterPlaces.size(); ++t)
        m_tensors[numFrozen + t].place = &m_masterPlaces[t];
}

void HostWeightStore::filled(const HostTensor& tensor, int64_t numRows) {
    if (tensor.place->isTrained()) return; // masters: devices read their versions
    const std::size_t piece = m_arena->pieceOf(tensor.layer.index());
    {
        const std::scoped_lock lock(m_filling);
        m_unfilled[piece] -= numRows;
        RP_CHECK(m_unfilled[piece] >= 0);
        if (m_unfilled[piece] > 0) return;
    }
    if (m_pinned && !m_arena->lock(piece)) m_unlockedBytes += m_arena->pieceBytes(piece);
}

int64_t HostWeightStore::uploadBytes(LayerId layer) const {
    int64_t bytes = 0;
    for (const Segment& segment : segments(layer))
        bytes += segment.bytes;
    return bytes;
}

} // namespace roundpipe::transfer
