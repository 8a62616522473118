// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/assembled_layers.h"

#include "base/error.h"
#include "geometry/packed_parts.h"

#include <algorithm>

namespace roundpipe::transfer {
namespace {

template <class T>
const T* at(const std::byte* begin, int64_t offset) {
    return reinterpret_cast<const T*>(begin + offset);
}

void unpack(const kernels::Target& target, const geometry::TensorPlace& place, const std::byte* packed,
            const Matrix& out, const kernels::Repeated& all) {
    const geometry::PackedParts parts(place.packing, out.rows, out.cols);
    switch (place.packing) {
    case WeightFormat::kNf4:
        return kernels::unpackNf4(target,
                                  {at<uint8_t>(packed, 0), at<uint8_t>(packed, parts.magnitudes),
                                   at<float>(packed, parts.scales), at<float>(packed, parts.mean)},
                                  out, all);
    case WeightFormat::kInt8:
        return kernels::unpackInt8(target, at<int8_t>(packed, 0), at<float>(packed, parts.scales), out, all);
    case WeightFormat::kFp8:
        return kernels::unpackFp8(target, at<uint8_t>(packed, 0), at<float>(packed, parts.scales), out, all);
    case WeightFormat::kMxfp4:
        return kernels::unpackMxfp4(target, at<uint8_t>(packed, 0), at<uint8_t>(packed, parts.scales), out, all);
    case WeightFormat::kAsIs:
        break;
    }
    RP_CHECK(!"a format that nothing unpacks");
}

struct Alike {
    kernels::Repeated all;
    std::size_t step = 1; // from each to the next, in the layout
};

// The experts' tensors that are like this one, from it on: an expert has several, each as far behind the last expert's.
Alike alikeFrom(const std::vector<geometry::TensorPlace>& places, std::size_t first) {
    const geometry::TensorPlace& one = places[first];
    const auto isLike = [&](std::size_t i) {
        return places[i].spec.role == one.spec.role && places[i].spec.shape == one.spec.shape &&
               places[i].packing == one.packing && places[i].pitchElements == one.pitchElements;
    };
    Alike alike;
    if (one.spec.kind != arch::TensorKind::kExpertLinear) return alike;
    while (first + alike.step < places.size() && !isLike(first + alike.step))
        ++alike.step;
    kernels::Repeated& all = alike.all;
    for (std::size_t i = first + alike.step; i < places.size() && isLike(i); i += alike.step) {
        const geometry::TensorPlace& before = places[i - alike.step];
        const int64_t packed = places[i].slotOffset - before.slotOffset,
                      out = places[i].offsetBytes - before.offsetBytes;
        if (all.count > 1 && (packed != all.packedBytes || out != all.outBytes)) break;
        all = {all.count + 1, packed, out};
    }
    return alike;
}

} // namespace

void assemble(const kernels::Target& target, const geometry::LayerLayout& layout, Assembly assembly,
              const std::byte* inSlot, std::byte* assembled) {
    const std::vector<geometry::TensorPlace>& places = layout.base.tensors;
    std::vector<bool> isThere(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (isThere[i]) continue;
        const geometry::TensorPlace& place = places[i];
        const std::byte* const from = inSlot + place.slotOffset;
        const Matrix out{assembled + place.offsetBytes, place.dtype, place.rows(), place.spec.shape.back(),
                         place.pitchElements};
        if (place.mayMultiplyFp8 && assembly == Assembly::kForwardFp8) continue;
        if (place.mayMultiplyFp8 && assembly == Assembly::kBackwardFp8) {
            kernels::transposeCodes(target, at<uint8_t>(from, 0), out.rows, out.cols, static_cast<uint8_t*>(out.data));
        } else if (isPacked(place.packing)) {
            // In one launch, as each is small: one by one, 128 experts' took six times as long as their bytes on an
            // H200.
            const Alike alike = alikeFrom(places, i);
            unpack(target, place, from, out, alike.all);
            for (int64_t n = 0; n < alike.all.count; ++n)
                isThere[i + static_cast<std::size_t>(n) * alike.step] = true;
        } else {
            kernels::convert(target, {const_cast<std::byte*>(from), out.dtype, out.rows, out.cols, out.pitch}, 1, out);
        }
    }
}

AssembledLayers::AssembledLayers(std::span<const geometry::LayerLayout> layouts, const geometry::Buffers& areas)
    : m_layouts(layouts) {
    for (std::size_t i = 0; i < areas.size(); ++i)
        m_areas.push_back({areas[i]});
}

const std::byte* AssembledLayers::base(int32_t layer, int64_t version, Assembly assembly, const std::byte* inSlot,
                                       device::Stream& stream) {
    RP_CHECK(!m_areas.empty());
    const geometry::LayerLayout& layout = m_layouts[static_cast<std::size_t>(layer)];
    auto area = std::ranges::find(m_areas, layer, &Area::layer);
    if (area == m_areas.end()) area = std::ranges::min_element(m_areas, {}, &Area::lastUse);
    area->lastUse = ++m_numUses;
    const int64_t needed = layout.trainsTensors() ? version : 0;
    const bool hasAll = area->assembly == assembly || assembly == Assembly::kForwardFp8; // a backward's has more
    if (area->layer == layer && area->version == needed && hasAll) return area->memory;
    area->layer = layer;
    area->version = needed;
    area->assembly = assembly;
    stream.reads(inSlot, layout.base.slotBytes, "packed weights");
    stream.writes(area->memory, layout.base.bytes, "assembled weights");
    stream.launch([&layout, &stream, assembly, inSlot, to = area->memory] {
        assemble({stream.native() != nullptr, stream.native()}, layout, assembly, inSlot, to);
    });
    return area->memory;
}

} // namespace roundpipe::transfer
