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
            const Matrix& out) {
    const geometry::PackedParts parts(place.packing, out.rows, out.cols);
    switch (place.packing) {
    case WeightFormat::kNf4:
        return kernels::unpackNf4(target,
                                  {at<uint8_t>(packed, 0), at<uint8_t>(packed, parts.magnitudes),
                                   at<float>(packed, parts.scales), at<float>(packed, parts.mean)},
                                  out);
    case WeightFormat::kInt8:
        return kernels::unpackInt8(target, at<int8_t>(packed, 0), at<float>(packed, parts.scales), out);
    case WeightFormat::kFp8:
        return kernels::unpackFp8(target, at<uint8_t>(packed, 0), at<float>(packed, parts.scales), out);
    case WeightFormat::kMxfp4:
        return kernels::unpackMxfp4(target, at<uint8_t>(packed, 0), at<uint8_t>(packed, parts.scales), out);
    case WeightFormat::kAsIs:
        break;
    }
    RP_CHECK(!"a format that nothing unpacks");
}

} // namespace

void assemble(const kernels::Target& target, const geometry::LayerLayout& layout, Assembly assembly,
              const std::byte* inSlot, std::byte* assembled) {
    for (const geometry::TensorPlace& place : layout.base.tensors) {
        const std::byte* const from = inSlot + place.slotOffset;
        const Matrix out{assembled + place.offsetBytes, place.dtype, place.rows(), place.spec.shape.back(),
                         place.pitchElements};
        if (place.mayMultiplyFp8 && assembly == Assembly::kForwardFp8) continue;
        if (place.mayMultiplyFp8 && assembly == Assembly::kBackwardFp8)
            kernels::transposeCodes(target, at<uint8_t>(from, 0), out.rows, out.cols, static_cast<uint8_t*>(out.data));
        else if (isPacked(place.packing))
            unpack(target, place, from, out);
        else
            kernels::convert(target, {const_cast<std::byte*>(from), out.dtype, out.rows, out.cols, out.pitch}, 1, out);
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
