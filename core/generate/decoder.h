// SPDX-License-Identifier: GPL-3.0-or-later
// One sequence decoded on one device: every block keeps the keys and values of what it has seen.
#pragma once

#include "device/device.h"
#include "geometry/batch_arrays.h"
#include "model/model.h"
#include "transfer/host_weight_store.h"
#include "transfer/weight_slots.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace roundpipe::generate {

// How the kernels of a single token are launched where all layers stay on the device.
enum class TokenLaunch {
    kRecorded, // once, and then replayed as one; where a stream records nothing, or the frequencies change, like kEach
    kEach,     // one by one, for comparisons: the same kernels, the same bits
};

// Weights come from the host store; as many layers as there is room for stay on the device, the others come for every
// call. Used by one thread at a time; the device is not used by others meanwhile.
class Decoder {
public:
    // `capacity`: tokens of the sequence at most. `useAdapter` false: adapters are left out, so that the base
    // model answers as long as no tensor of its own has been trained; true: the version of what is trained that is the
    // newest published one when ids are given. Throws kOutOfMemory.
    Decoder(const model::Model& model, const transfer::HostWeightStore& store, device::Device& device, int64_t capacity,
            bool useAdapter, TokenLaunch tokenLaunch = TokenLaunch::kRecorded);
    ~Decoder();

    // Appends `ids` (at least one) and returns the logits after the last one, [V]. Throws kInvalidInput past the
    // capacity.
    std::vector<float> advance(std::span<const int32_t> ids);
    // Appends `id` and returns the likeliest token after it, as pickToken() finds it in advance()'s logits. Where a
    // token's work is recorded the device picks, and goes on with its pick while the caller looks at it: what is asked
    // for next is under way then. Throws as pickToken().
    int32_t likeliestAfter(int32_t id);
    int64_t position() const { return m_position; } // tokens seen
    // Ids are read in pieces of at most so many, which bounds the workspace and, on a CPU, the time of a piece.
    int64_t chunkTokens() const { return m_chunkTokens; }

    int64_t capacity() const { return m_capacity; }
    // Forgets what was seen from `position` on, which is at most position(): the next ids follow there.
    void rewind(int64_t position);
    // What is kept of all tokens seen, to go on from them later with the weights that are in use now: keys and values
    // of every block. Empty at position 0. Throws kOutOfMemory.
    device::HostBuffer saveCache();
    int64_t cacheBytes(int64_t numTokens) const;
    // Of saveCache() at position `numTokens`, which becomes the position; the capacity has room for them.
    void loadCache(const device::HostBuffer& cache, int64_t numTokens);

private:
    // A pick of the device, on its way to the host.
    struct Pick {
        device::Event done;
        const int32_t* id = nullptr;
    };

    geometry::BatchArrays arraysAt(std::byte* memory) const;
    void makeMemory();
    void takeAreas(geometry::WeightRoom& room, int64_t bytesLeft);
    void makeWeightSlots();
    transfer::LayerRequest newest(int32_t layer) const;
    void requireRoom(std::size_t numTokens) const;
    void throwFault() const;
    void upload(std::span<const int32_t> ids);
    model::BatchView uploaded(int64_t numTokens) const;
    // Of what was uploaded: the logits after it.
    void runTokens(int64_t numTokens);
    void runLayers(const model::BatchView& batch);
    void launch(int32_t layer, const model::BatchView& batch, const model::LayerWeights& weights);
    Pick startPick();
    void takeNewestWeights();
    void copyCache(const device::HostBuffer& cache,
                   const std::function<void(std::byte* host, std::byte* own, int64_t bytes)>& copy);

    const model::Model& m_model;
    const transfer::HostWeightStore& m_store;
    device::Device& m_device;
    device::Stream& m_stream;
    int64_t m_capacity;
    int64_t m_chunkTokens;
    bool m_useAdapter;
    bool m_recordsTokens;
    int64_t m_position = 0;
    std::vector<int32_t> m_lastRow; // of the chunk: the one whose logits are wanted
    device::HostBuffer m_hostArrays;
    device::HostBuffer m_hostLogits;
    device::HostBuffer m_hostPicks; // the last two
    device::DeviceBuffer m_memory;  // arrays, hidden states, logits, caches, workspace
    std::byte* m_arrays = nullptr;
    std::byte* m_hidden = nullptr;
    std::byte* m_nextHidden = nullptr;
    std::byte* m_logits = nullptr;
    std::vector<model::KvCacheView> m_caches; // by block
    model::Compute m_compute;
    device::DeviceBuffer m_slotMemory;
    std::unique_ptr<transfer::WeightSlots> m_slots;
    bool m_isResident = false;       // every layer has a slot of its own, and keeps it
    bool m_isLoaded = false;         // all of them have been waited for
    std::vector<int64_t> m_versions; // of what is trained of each layer, where all stay
    bool m_hasRunToken = false;
    std::unique_ptr<const device::Recording> m_token; // the layers of a single token, whose id lies in the arrays
    std::optional<Pick> m_ahead;                      // made of the pick before, which nobody has asked for yet
    int32_t m_lastPick = -1;
    std::size_t m_numPicks = 0;
};

} // namespace roundpipe::generate
