// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/layout.h"

#include "base/error.h"
#include "geometry/packed_parts.h"
#include "geometry/workspace.h"

#include <algorithm>
#include <utility>

namespace roundpipe::geometry {
namespace {

using arch::TensorRole;

// Whether `format` packs it.
bool packs(WeightFormat format, arch::TensorKind kind) {
    using enum arch::TensorKind;
    if (!isPacked(format)) return false;
    return kind == kExpertLinear || kind == kExpertStack || (kind == kLinear && format != WeightFormat::kMxfp4);
}

constexpr int64_t kNarrowest = 2048; // columns of gate for which launches cost less than appending saves

bool takesAdapters(TensorRole role) {
    return role == TensorRole::kGate || role == TensorRole::kUp;
}

// All linears of a layer or none, so that those of one input go one way. Experts have products of their own.
void markFp8(BaseLayout& base) {
    const auto isLinear = [](const TensorPlace& place) {
        return place.packing == WeightFormat::kFp8 && place.spec.kind == arch::TensorKind::kLinear && place.rows() > 1;
    };
    const bool takesAll = std::ranges::all_of(base.tensors, [&](const TensorPlace& place) {
        return !isLinear(place) || (place.rows() % kFp8Multiple == 0 && place.spec.shape.back() % kFp8Multiple == 0);
    });
    for (TensorPlace& place : base.tensors)
        place.mayMultiplyFp8 = takesAll && isLinear(place);
}

// `appended`: columns behind the rows of gate and up.
BaseLayout makeBase(const arch::LayerSpec& layer, DType dtype, WeightFormat format, int64_t appended) {
    BaseLayout base;
    for (const arch::TensorSpec& spec : layer.tensors) {
        RP_CHECK(!spec.shape.empty());
        const bool packed = layer.kind == arch::LayerKind::kBlock && packs(format, spec.kind);
        TensorPlace place{spec, dtype, base.bytes, spec.shape.back(), packed ? format : WeightFormat::kAsIs};
        if (appended > 0 && takesAdapters(spec.role)) {
            place.spareColumns = appended;
            place.pitchElements = pitchWith(spec.shape.back(), appended);
        }
        place.slotOffset = base.slotBytes;
        base.bytes = alignUp(base.bytes + bytesOf(dtype, place.rows() * place.pitchElements));
        base.slotBytes = alignUp(base.slotBytes + place.hostBytes());
        base.tensors.push_back(std::move(place));
    }
    markFp8(base);
    return base;
}

AdapterLayout makeAdapter(const std::vector<arch::LinearSpec>& linears, const arch::LoraConfig& lora) {
    AdapterLayout adapter;
    adapter.rank = lora.rank;
    adapter.scale = linears.empty() ? 0 : lora.scale();
    adapter.dropout = lora.dropout;
    for (const arch::LinearSpec& linear : linears) {
        adapter.linears.push_back({linear, adapter.numElements, 0});
        adapter.numElements += lora.rank * linear.inFeatures;
    }
    for (AdapterPlace& place : adapter.linears) {
        place.offsetB = adapter.numElements;
        adapter.numElements += place.linear.outFeatures * lora.rank;
    }
    return adapter;
}

void placeGradients(LayerLayout& layout, const arch::TrainedLayer& parts, DType operandType) {
    const auto size = static_cast<int64_t>(sizeOf(operandType));
    const auto aligned = [size](int64_t elements) { return alignUp(elements * size) / size; };
    layout.gradientElements = layout.adapter.numElements;
    for (TensorPlace& place : layout.base.tensors) {
        if (!parts.trains(place.spec.role)) continue;
        place.gradientOffset = aligned(layout.gradientElements);
        layout.gradientElements = aligned(place.gradientOffset + place.spec.numElements());
    }
}

} // namespace

int64_t appendedColumns(const std::vector<arch::LinearSpec>& adapted, const arch::LoraConfig& lora) {
    if (lora.dropout > 0) return 0;
    const auto first = std::ranges::find_if(adapted, takesAdapters, &arch::LinearSpec::role);
    const int64_t columns = 2 * lora.rank;
    const bool both = std::ranges::count_if(adapted, takesAdapters, &arch::LinearSpec::role) == 2;
    return both && 4 * columns <= first->inFeatures && first->outFeatures >= kNarrowest ? columns : 0;
}

int64_t TensorPlace::hostBytes() const {
    if (isPacked(packing)) return PackedParts(packing, rows(), spec.shape.back()).bytes;
    return bytesOf(dtype, rows() * pitchElements);
}

std::optional<TensorPlace> optionalPlace(const LayerLayout& layout, TensorRole role) {
    const TensorPlace* place = layout.base.find(role);
    return place == nullptr ? std::nullopt : std::optional<TensorPlace>(*place);
}

const TensorPlace* BaseLayout::find(TensorRole role) const {
    const auto found = std::ranges::find(tensors, role, [](const TensorPlace& place) { return place.spec.role; });
    return found == tensors.end() ? nullptr : &*found;
}

const TensorPlace& BaseLayout::at(TensorRole role) const {
    const TensorPlace* place = find(role);
    RP_CHECK(place != nullptr);
    return *place;
}

const AdapterPlace* AdapterLayout::find(TensorRole role) const {
    const auto found = std::ranges::find(linears, role, [](const AdapterPlace& place) { return place.linear.role; });
    return found == linears.end() ? nullptr : &*found;
}

bool LayerLayout::hasPacked() const {
    return std::ranges::any_of(base.tensors, [](const TensorPlace& place) { return isPacked(place.packing); });
}

bool LayerLayout::mayMultiplyFp8() const {
    return std::ranges::any_of(base.tensors, &TensorPlace::mayMultiplyFp8);
}

bool LayerLayout::trainsTensors() const {
    return std::ranges::any_of(base.tensors, &TensorPlace::isTrained);
}

bool needsInputGradient(const LayerLayout& layout) {
    return layout.spec.kind != arch::LayerKind::kEmbedding && layout.trainsTensors();
}

LayerLayout makeLayout(const arch::LayerSpec& layer, const arch::TrainedLayer& parts, const arch::Trained& trained,
                       DType operandType, WeightFormat format) {
    RP_CHECK(!trained.base || (parts.adapted.empty() && !isPacked(format)));
    const int64_t appended = appendedColumns(parts.adapted, trained.lora);
    LayerLayout layout{layer, makeBase(layer, operandType, format, appended), makeAdapter(parts.adapted, trained.lora),
                       trained.base};
    placeGradients(layout, parts, operandType);
    return layout;
}

std::vector<LayerLayout> makeLayouts(const arch::ModelSpec& model, const arch::Trained& trained, DType operandType,
                                     WeightFormat format) {
    const std::vector<arch::TrainedLayer> parts = arch::trainedLayers(model, trained);
    RP_CHECK(parts.size() == model.layers.size());

    std::vector<LayerLayout> layouts;
    layouts.reserve(model.layers.size());
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        layouts.push_back(makeLayout(model.layers[i], parts[i], trained, operandType, format));
    return layouts;
}

} // namespace roundpipe::geometry
