#include "transfer/host_weight_store.h"

#include <map>
#include <string_view>

namespace roundpipe::transfer {
namespace {

int64_t rowsOf(const model::TensorPlace& place) {
    return place.spec.numElements() / place.spec.shape.back();
}

// With the pitch behind the last row, as the layout reserves it.
int64_t bytesOf(const model::TensorPlace& place) {
    return rowsOf(place) * place.pitchElements * static_cast<int64_t>(sizeOf(place.dtype));
}

// Appends a segment, joined to the one before it where both sides go on (padding between tensors included).
void append(std::vector<Segment>& segments, const Segment& next) {
    if (!segments.empty()) {
        Segment& last = segments.back();
        const int64_t gap = next.to - (last.to + last.bytes);
        if (gap >= 0 && gap < device::kAlignment && next.from == last.from + last.bytes + gap) {
            last.bytes += gap + next.bytes;
            return;
        }
    }
    segments.push_back(next);
}

} // namespace

HostWeightStore::HostWeightStore(std::span<const model::LayerLayout> layouts, DType operandType, bool pinned)
    : m_layouts(layouts), m_segments(layouts.size()), m_adapters(layouts, operandType, pinned) {
    std::map<std::string_view, const std::byte*> owned; // by name: where a tensor that an earlier layer owns lies
    for (std::size_t l = 0; l < layouts.size(); ++l) {
        const auto& places = layouts[l].base.tensors;
        int64_t ownBytes = 0;
        for (const model::TensorPlace& place : places)
            if (!owned.contains(place.spec.name)) ownBytes += device::alignUp(bytesOf(place));
        const device::HostBuffer& blob = m_blobs.emplace_back(ownBytes, pinned && ownBytes > 0);
        m_bytes += ownBytes;

        std::byte* next = blob.data();
        for (const model::TensorPlace& place : places) {
            const auto [entry, isNew] = owned.try_emplace(place.spec.name, next);
            append(m_segments[l], {entry->second, bytesOf(place), place.offsetBytes});
            if (!isNew) continue;
            m_tensors.push_back(
                {LayerId(static_cast<int32_t>(l)), &place, next, rowsOf(place), place.spec.shape.back()});
            next += device::alignUp(bytesOf(place));
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
