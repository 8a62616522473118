#include "model/layout.h"

#include "base/error.h"

#include <algorithm>
#include <utility>

namespace roundpipe::model {
namespace {

constexpr int64_t kTensorAlignmentBytes = 256; // of cuBLAS's fastest products, and of whole cache lines

int64_t roundUp(int64_t value, int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

BaseLayout makeBase(const arch::LayerSpec& layer, DType dtype) {
    BaseLayout base;
    for (const arch::TensorSpec& spec : layer.tensors) {
        RP_CHECK(!spec.shape.empty());
        const int64_t pitch = spec.shape.back();
        base.tensors.push_back({spec, dtype, base.bytes, pitch});
        const int64_t bytes = spec.numElements() * static_cast<int64_t>(sizeOf(dtype));
        base.bytes = roundUp(base.bytes + bytes, kTensorAlignmentBytes);
    }
    return base;
}

AdapterLayout makeAdapter(const std::vector<arch::LinearSpec>& linears, const arch::LoraConfig& lora) {
    AdapterLayout adapter;
    adapter.rank = lora.rank;
    adapter.scale = linears.empty() ? 0 : lora.scale();
    adapter.dropout = lora.dropout;
    for (const arch::LinearSpec& linear : linears) {
        AdapterPlace place{linear, adapter.numElements, 0};
        place.offsetB = place.offsetA + lora.rank * linear.inFeatures;
        adapter.numElements = place.offsetB + linear.outFeatures * lora.rank;
        adapter.linears.push_back(std::move(place));
    }
    return adapter;
}

} // namespace

const TensorPlace* BaseLayout::find(arch::TensorRole role) const {
    const auto found = std::ranges::find(tensors, role, [](const TensorPlace& place) { return place.spec.role; });
    return found == tensors.end() ? nullptr : &*found;
}

const AdapterPlace* AdapterLayout::find(arch::TensorRole role) const {
    const auto found = std::ranges::find(linears, role, [](const AdapterPlace& place) { return place.linear.role; });
    return found == linears.end() ? nullptr : &*found;
}

std::vector<LayerLayout> makeLayouts(const arch::ModelSpec& model, const arch::LoraConfig& lora, DType operandType) {
    std::vector<std::vector<arch::LinearSpec>> adapted(model.layers.size());
    if (!lora.targets.empty()) adapted = arch::adaptedLinears(model, lora);
    RP_CHECK(adapted.size() == model.layers.size());

    std::vector<LayerLayout> layouts;
    layouts.reserve(model.layers.size());
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        layouts.push_back({model.layers[i], makeBase(model.layers[i], operandType), makeAdapter(adapted[i], lora)});
    return layouts;
}

} // namespace roundpipe::model
