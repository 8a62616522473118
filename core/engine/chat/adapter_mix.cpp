// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chat/adapter_mix.h"

#include "arch/stacked_linears.h"
#include "artifact/adapter.h"
#include "artifact/adapter_config.h"
#include "base/error.h"
#include "base/thread_team.h"
#include "geometry/workspace.h"

#include <algorithm>
#include <set>
#include <utility>

namespace roundpipe::engine {
namespace {

using geometry::AdapterPlace;
using geometry::LayerLayout;
using geometry::TrainedBlock;

const AdapterPlace* placeOf(const LayerLayout& layout, const std::string& module) {
    const auto found = std::ranges::find_if(layout.adapter.linears,
                                            [&](const AdapterPlace& place) { return place.linear.fullName == module; });
    return found == layout.adapter.linears.end() ? nullptr : &*found;
}

// Where a tensor that is trained whole begins in the layer's block; -1: it is not.
int64_t firstOf(const LayerLayout& layout, const TrainedBlock& shape, const std::string& tensor) {
    for (const geometry::TensorInBlock& trained : shape.tensors)
        if (layout.base.tensors[trained.tensor].spec.name == tensor) return trained.first;
    return -1;
}

} // namespace

AdapterMix::AdapterMix(const arch::ModelSpec& model, const std::vector<session::ChatAdapter>& adapters,
                       DType operandType)
    : m_type(statisticsType(operandType)) {
    for (const session::ChatAdapter& adapter : adapters)
        try {
            m_adapters.push_back(read(model, adapter.folder, operandType));
        } catch (const Error& error) {
            throw Error(error.kind(), "Adapter '" + adapter.name + "': " + error.message(), error.advice());
        }
    makeJointSettings();
}

AdapterMix::Loaded AdapterMix::read(const arch::ModelSpec& model, const std::string& folder, DType operandType) const {
    Loaded adapter;
    adapter.lora = artifact::readAdapterConfig(folder, artifact::AdapterUse::kAnswering);
    adapter.layouts = geometry::makeLayouts(model, adapter.lora, operandType);
    artifact::AdapterSpans<std::byte> spans{m_type, {}};
    adapter.shapes = geometry::trainedBlocks(adapter.layouts);
    for (const TrainedBlock& shape : adapter.shapes)
        adapter.blocks.emplace_back(static_cast<std::size_t>(geometry::bytesOf(m_type, shape.numElements)));
    for (std::vector<std::byte>& block : adapter.blocks)
        spans.layers.emplace_back(block);
    artifact::readAdapterWeights(folder, adapter.layouts, spans);
    return adapter;
}

void AdapterMix::makeJointSettings() {
    if (m_adapters.empty()) {
        m_lora = {1, 1, 0, false, {}};
        return;
    }
    m_lora = m_adapters.front().lora;
    m_lora.dropout = 0;
    if (m_adapters.size() == 1) return;
    std::set<std::string> modules, whole;
    m_lora.rank = 0;
    for (const Loaded& adapter : m_adapters) {
        m_lora.rank += adapter.lora.rank;
        whole.insert(adapter.lora.modulesToSave.begin(), adapter.lora.modulesToSave.end());
        for (const LayerLayout& layout : adapter.layouts)
            for (const AdapterPlace& place : layout.adapter.linears)
                modules.emplace(arch::targetNameOf(place.linear));
    }
    m_lora.alpha = static_cast<double>(m_lora.rank); // each has its scale in its B
    m_lora.rsLora = false;
    m_lora.targets.assign(modules.begin(), modules.end());
    m_lora.modulesToSave.assign(whole.begin(), whole.end());
}

void AdapterMix::noteBase(const transfer::AdapterBlocks& blocks) {
    for (std::size_t l = 0; l < blocks.shapes().size(); ++l) {
        const std::span<const std::byte> masters = blocks.masters(LayerId(static_cast<int32_t>(l)));
        const int64_t adapterBytes = geometry::bytesOf(m_type, blocks.shapes()[l].adapterElements);
        const bool hasTensors = !blocks.shapes()[l].tensors.empty();
        m_base.emplace_back(hasTensors ? masters.begin() + adapterBytes : masters.end(), masters.end());
    }
}

void AdapterMix::publish(transfer::HostWeightStore& store, std::span<const double> weights) const {
    RP_CHECK(weights.size() == m_adapters.size());
    transfer::AdapterBlocks& blocks = store.adapters();
    forEachIndex(std::ssize(store.layouts()), 0, [&](int64_t l) {
        const LayerLayout& layout = store.layouts()[static_cast<std::size_t>(l)];
        const TrainedBlock& shape = blocks.shapes()[static_cast<std::size_t>(l)];
        std::byte* masters = blocks.masters(layout.spec.id).data();
        const auto write = [&](auto* block) {
            writeProducts(layout, weights, block);
            writeTensors(layout, shape, weights, block);
        };
        if (m_type == DType::kF64)
            write(reinterpret_cast<double*>(masters));
        else
            write(reinterpret_cast<float*>(masters));
    });
    blocks.publishAll();
}

template <class Real>
void AdapterMix::writeProducts(const LayerLayout& layout, std::span<const double> weights, Real* block) const {
    const std::size_t layer = layout.spec.id.index();
    std::fill_n(block, layout.adapter.numElements, Real(0)); // where an adapter leaves a linear out
    int64_t firstRank = 0;
    for (std::size_t a = 0; a < m_adapters.size(); ++a) {
        const Loaded& adapter = m_adapters[a];
        const Real* own = adapter.block<Real>(layer);
        const int64_t rank = adapter.lora.rank;
        const auto factor = static_cast<Real>(weights[a] * (adapter.lora.scale() / m_lora.scale()));
        for (const AdapterPlace& place : layout.adapter.linears) {
            const AdapterPlace* from = placeOf(adapter.layouts[layer], place.linear.fullName);
            if (from == nullptr) continue;
            const int64_t in = place.linear.inFeatures;
            std::copy_n(own + from->offsetA, rank * in, block + place.offsetA + firstRank * in);
            for (int64_t row = 0; row < place.linear.outFeatures; ++row)
                std::transform(own + from->offsetB + row * rank, own + from->offsetB + (row + 1) * rank,
                               block + place.offsetB + row * m_lora.rank + firstRank,
                               [factor](Real value) { return value * factor; });
        }
        firstRank += rank;
    }
}

// (1 - Σ wᵢ) W + Σ wᵢ Wᵢ, which at a weight of 1 is that adapter's to the bit.
template <class Real>
void AdapterMix::writeTensors(const LayerLayout& layout, const TrainedBlock& shape, std::span<const double> weights,
                              Real* block) const {
    const std::size_t layer = layout.spec.id.index();
    for (const geometry::TensorInBlock& trained : shape.tensors) {
        const geometry::TensorPlace& place = layout.base.tensors[trained.tensor];
        const int64_t count = place.spec.numElements();
        Real* sum = block + trained.first;
        std::vector<std::pair<const Real*, Real>> parts;
        double ofBase = 1;
        for (std::size_t a = 0; a < m_adapters.size(); ++a) {
            const Loaded& adapter = m_adapters[a];
            const int64_t first = firstOf(adapter.layouts[layer], adapter.shapes[layer], place.spec.name);
            if (first < 0 || weights[a] == 0) continue;
            parts.emplace_back(adapter.block<Real>(layer) + first, static_cast<Real>(weights[a]));
            ofBase -= weights[a];
        }
        const Real* base = reinterpret_cast<const Real*>(m_base[layer].data()) + trained.first - shape.adapterElements;
        const auto factor = static_cast<Real>(ofBase);
        std::transform(base, base + count, sum, [factor](Real value) { return value * factor; });
        for (const auto& [own, weight] : parts)
            for (int64_t i = 0; i < count; ++i)
                sum[i] += weight * own[i];
    }
}

} // namespace roundpipe::engine
