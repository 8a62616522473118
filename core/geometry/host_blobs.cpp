// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/host_blobs.h"

#include "geometry/workspace.h"

#include <map>
#include <string_view>

namespace roundpipe::geometry {
namespace {

// Appends a segment, joined to the one before it where both sides go on (padding between tensors included).
void append(std::vector<HostSegment>& segments, const HostSegment& next) {
    if (!segments.empty()) {
        HostSegment& last = segments.back();
        const int64_t gap = next.to - (last.to + last.bytes);
        if (last.owner == next.owner && gap >= 0 && gap < kAlignmentBytes &&
            next.from == last.from + last.bytes + gap) {
            last.bytes += gap + next.bytes;
            return;
        }
    }
    segments.push_back(next);
}

} // namespace

int64_t HostBlob::uploadBytes() const {
    int64_t sum = 0;
    for (const HostSegment& segment : segments)
        sum += segment.bytes;
    return sum;
}

std::vector<HostBlob> hostBlobs(std::span<const LayerLayout> layouts, bool trained) {
    std::map<std::string_view, HostPlace> known; // by name
    std::vector<HostBlob> blobs;
    for (std::size_t l = 0; l < layouts.size(); ++l) {
        HostBlob& blob = blobs.emplace_back();
        for (const TensorPlace& place : layouts[l].base.tensors) {
            if (place.isTrained() != trained) {
                blob.tensors.emplace_back();
                continue;
            }
            const auto [entry, isNew] = known.try_emplace(place.spec.name, HostPlace{l, blob.bytes});
            const HostPlace& tensor = entry->second;
            blob.tensors.push_back(tensor);
            append(blob.segments, {tensor.owner, tensor.offset, place.slotOffset, place.hostBytes()});
            if (isNew) blob.bytes += alignUp(place.hostBytes());
        }
    }
    return blobs;
}

} // namespace roundpipe::geometry
