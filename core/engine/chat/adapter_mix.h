// SPDX-License-Identifier: GPL-3.0-or-later
// Several adapters of a model as one, of which any weighted sum may be in use: their A lie below each other, their B
// beside each other,
//
//   Σ wᵢ sᵢ Bᵢ Aᵢ x  =  [w₁s₁B₁ w₂s₂B₂ …] [A₁; A₂; …] x,
//
// so a change of weights writes the B anew and nothing else knows of it. A module that adapters train whole is the
// base's, W + Σ wᵢ (Wᵢ − W).
#pragma once

#include "arch/layers.h"
#include "geometry/layout.h"
#include "geometry/trained_block.h"
#include "session/chat.h"
#include "transfer/host_weight_store.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::engine {

class AdapterMix {
public:
    // Reads them, each as PEFT or a run writes it, in the precision of masters. Throws kInvalidInput naming the adapter
    // that is not of the model, kUnsupported for one that we can't run.
    AdapterMix(const arch::ModelSpec& model, const std::vector<session::ChatAdapter>& adapters, DType operandType);

    bool empty() const { return m_adapters.empty(); }
    // The settings of all of them as one: of a single one its own.
    const arch::LoraConfig& lora() const { return m_lora; }
    // Notes the base's own values of modules that adapters train whole: after the weights were read, before publish().
    void noteBase(const transfer::AdapterBlocks& blocks);
    // The masters of `layouts`, which are of lora(), become the sum; one weight an adapter. They are published.
    void publish(transfer::HostWeightStore& store, std::span<const double> weights) const;

private:
    struct Loaded {
        arch::LoraConfig lora;
        std::vector<geometry::LayerLayout> layouts;
        std::vector<geometry::TrainedBlock> shapes; // [layer]
        std::vector<std::vector<std::byte>> blocks; // [layer], of the masters' type
        template <class Real>
        const Real* block(std::size_t layer) const {
            return reinterpret_cast<const Real*>(blocks[layer].data());
        }
    };
    Loaded read(const arch::ModelSpec& model, const std::string& folder, DType operandType) const;
    void makeJointSettings();
    template <class Real>
    void writeProducts(const geometry::LayerLayout& layout, std::span<const double> weights, Real* block) const;
    template <class Real>
    void writeTensors(const geometry::LayerLayout& layout, const geometry::TrainedBlock& shape,
                      std::span<const double> weights, Real* block) const;

    DType m_type; // of masters
    std::vector<Loaded> m_adapters;
    arch::LoraConfig m_lora;
    std::vector<std::vector<std::byte>> m_base; // [layer], its trained tensors; of the masters' type
};

} // namespace roundpipe::engine
