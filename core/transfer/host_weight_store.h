// SPDX-License-Identifier: GPL-3.0-or-later
// A model in host memory: the frozen base, one immutable contiguous blob per layer, and beside it what is trained.
// Tensors of the base that are trained lie in no blob: they are masters, and travel as versions.
#pragma once

#include "base/units.h"
#include "geometry/layout.h"
#include "transfer/adapter_blocks.h"
#include "transfer/host_arena.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace roundpipe::transfer {

// A piece of an upload: `bytes` from `from` go to offset `to` of the layer's base on the device.
struct Segment {
    const std::byte* from = nullptr;
    int64_t bytes = 0;
    int64_t to = 0;
};

// Where a tensor of the base lies in host memory: `rows` rows of `cols` elements at a pitch and of a type, as `place`
// says.
struct HostTensor {
    LayerId layer;
    const geometry::TensorPlace* place = nullptr;
    std::byte* data = nullptr;
    int64_t rows = 0;
    int64_t cols = 0;
};

class HostWeightStore {
public:
    // Zeros until filled. `layouts` must outlive the store. `pinned`: GPUs will read from it. A copy never crosses from
    // one piece, which is page-locked at once, to the next, so each has whole layers, and one at least.
    HostWeightStore(std::span<const geometry::LayerLayout> layouts, DType operandType, bool pinned,
                    int64_t pieceBytes = kGiB);

    std::span<const geometry::LayerLayout> layouts() const { return m_layouts; }
    int64_t bytes() const { return m_bytes; } // of all blobs

    // Every tensor that the store owns, once: a tied head's is the embedding's. Filled before the first upload only,
    // and published then where they are trained.
    std::span<const HostTensor> tensors() const { return m_tensors; }
    // So many rows of the tensor have their values. A piece of memory is page-locked by the thread that fills its last
    // rows, while others still read. Any thread.
    void filled(const HostTensor& tensor, int64_t numRows);
    // That the system would not page-lock, of blobs and versions.
    int64_t unlockedBytes() const { return m_unlockedBytes.load() + m_adapters.unlockedBytes(); }
    // What to copy to have the layer's base on a device, in order. A tensor that a layer shares with another one (tied
    // embeddings) comes from the owner's blob.
    std::span<const Segment> segments(LayerId layer) const { return m_segments[layer.index()]; }
    int64_t uploadBytes(LayerId layer) const; // sum of its segments

    AdapterBlocks& adapters() { return m_adapters; }
    const AdapterBlocks& adapters() const { return m_adapters; }

private:
    std::span<const geometry::LayerLayout> m_layouts;
    bool m_pinned;
    std::optional<HostArena> m_arena; // of the blobs
    std::vector<int64_t> m_unfilled;  // rows, by piece of the arena
    std::mutex m_filling;             // guards them
    std::atomic<int64_t> m_unlockedBytes{0};
    void takeBlobs(int64_t pieceBytes);
    void takeMasters();
    std::vector<HostTensor> m_tensors;
    std::vector<geometry::TensorPlace> m_masterPlaces; // of tensors that are trained: of the masters' type
    std::vector<std::vector<Segment>> m_segments;      // by layer
    int64_t m_bytes = 0;
    AdapterBlocks m_adapters;
};

} // namespace roundpipe::transfer
