// SPDX-License-Identifier: GPL-3.0-or-later
// A model of random weights with an adapter that shows, in a store, as a decoder takes it.
#pragma once

#include "arch/layers.h"
#include "base/error.h"
#include "base/thread_team.h"
#include "model/init.h"
#include "model/model.h"
#include "transfer/host_weight_store.h"
#include "transfer/random_weights.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>

namespace roundpipe::testing {

class RandomModel {
public:
    // Linears of all blocks are adapted; rank 0: none.
    RandomModel(const arch::ModelConfig& config, DType operandType, int32_t rank, bool pinned,
                WeightFormat weights = WeightFormat::kAsIs) {
        const arch::LoraConfig none{1, 1, 0, false, {}}, all{rank, 2.0 * rank, 0, false, {"all-linear"}};
        m_model = model::makeModel(arch::makeModelSpec(config), rank > 0 ? all : none, operandType, weights);
        m_store = std::make_unique<transfer::HostWeightStore>(m_model->layouts, operandType, pinned);
        forEachIndex(std::ssize(m_store->tensors()), 0, [&](int64_t i) {
            const transfer::HostTensor& tensor = m_store->tensors()[static_cast<std::size_t>(i)];
            transfer::fillRandomly(tensor, 7);
            m_store->filled(tensor, tensor.rows);
        });
        publishAdapter(0.1);
    }

    // A version of it whose values are so large at most.
    void publishAdapter(double largest) {
        for (const geometry::LayerLayout& layout : m_model->layouts)
            if (!layout.adapter.empty()) fillMasters(layout, largest);
        m_store->adapters().publishAll();
    }

    // All bytes of a tensor of the base from a row on, before a decoder has it.
    void overwrite(const std::string& name, std::byte value, int64_t firstRow = 0) {
        bool isThere = false;
        for (const transfer::HostTensor& tensor : m_store->tensors()) {
            if (tensor.place->spec.name != name) continue;
            isThere = true;
            const int64_t bytes = tensor.place->hostBytes(), ofRow = bytes / tensor.place->rows();
            std::fill(tensor.data + firstRow * ofRow, tensor.data + bytes, value);
        }
        RP_CHECK(isThere);
    }

    const model::Model& model() const { return *m_model; }
    const transfer::HostWeightStore& store() const { return *m_store; }

private:
    void fillMasters(const geometry::LayerLayout& layout, double largest) {
        std::byte* masters = m_store->adapters().masters(layout.spec.id).data();
        const bool isDouble = m_store->adapters().masterType() == DType::kF64;
        std::mt19937 random(static_cast<uint32_t>(layout.spec.id.value));
        std::uniform_real_distribution<double> values(-largest, largest);
        for (int64_t i = 0; i < layout.adapter.numElements; ++i) {
            if (isDouble)
                reinterpret_cast<double*>(masters)[i] = values(random);
            else
                reinterpret_cast<float*>(masters)[i] = static_cast<float>(values(random));
        }
    }

    std::unique_ptr<const model::Model> m_model;
    std::unique_ptr<transfer::HostWeightStore> m_store;
};

} // namespace roundpipe::testing
