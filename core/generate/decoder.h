// SPDX-License-Identifier: GPL-3.0-or-later
// One sequence decoded on one device: every block keeps the keys and values of what it has seen.
#pragma once

#include "device/device.h"
#include "geometry/batch_arrays.h"
#include "model/model.h"
#include "transfer/host_weight_store.h"
#include "transfer/weight_slots.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::generate {

// Weights come from the host store; as many layers as there is room for stay on the device, the others come for every
// call. Used by one thread at a time; the device is not used by others meanwhile.
class Decoder {
public:
    // `capacity`: tokens of the sequence at most. `useAdapter` false: adapters are left out, so that the base
    // model answers as long as no tensor of its own has been trained; true: the newest published version of what is
    // trained. Throws kOutOfMemory.
    Decoder(const model::Model& model, const transfer::HostWeightStore& store, device::Device& device, int64_t capacity,
            bool useAdapter);
    ~Decoder();

    // Appends `ids` (at least one) and returns the logits after the last one, [V]. Throws kInvalidInput past the
    // capacity.
    std::vector<float> advance(std::span<const int32_t> ids);
    int64_t position() const { return m_position; } // tokens seen
    // Ids are read in pieces of at most so many, which bounds the workspace and, on a CPU, the time of a piece.
    int64_t chunkTokens() const { return m_chunkTokens; }

private:
    geometry::BatchArrays arraysAt(std::byte* memory) const;
    void makeMemory();
    void makeWeightSlots();
    void runChunk(std::span<const int32_t> ids);
    model::BatchView upload(std::span<const int32_t> ids);
    void launch(int32_t layer, const model::BatchView& batch, const model::LayerWeights& weights);

    const model::Model& m_model;
    const transfer::HostWeightStore& m_store;
    device::Device& m_device;
    device::Stream& m_stream;
    int64_t m_capacity;
    int64_t m_chunkTokens;
    bool m_useAdapter;
    int64_t m_position = 0;
    std::vector<int32_t> m_lastRow; // of the chunk: the one whose logits are wanted
    device::HostBuffer m_hostArrays;
    device::HostBuffer m_hostLogits;
    device::DeviceBuffer m_memory; // arrays, hidden states, logits, caches, workspace
    std::byte* m_arrays = nullptr;
    std::byte* m_hidden = nullptr;
    std::byte* m_nextHidden = nullptr;
    std::byte* m_logits = nullptr;
    std::vector<model::KvCacheView> m_caches; // by block
    model::Compute m_compute;
    device::DeviceBuffer m_slotMemory;
    std::unique_ptr<transfer::WeightSlots> m_slots;
};

} // namespace roundpipe::generate
