// SPDX-License-Identifier: GPL-3.0-or-later
// What is trained, adapters or the weights themselves: per layer full-precision masters and, rounded from them,
// versions in the operand type that travel to the devices. Two versions are alive at a time, so that a step may still
// read the one before the newest.
#pragma once

#include "geometry/host_bytes.h"
#include "geometry/layout.h"
#include "transfer/host_arena.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

namespace roundpipe::transfer {

class AdapterBlocks {
public:
    // `pinned`: GPUs will read the versions. Throws kOutOfMemory.
    AdapterBlocks(std::span<const geometry::LayerLayout> layouts, DType operandType, bool pinned);

    DType operandType() const { return m_operandType; }
    DType masterType() const { return m_masterType; }                           // fp32; fp64 for fp64 operands
    std::span<const geometry::TrainedBlock> shapes() const { return m_shapes; } // [layer]
    const geometry::TrainedBlock& shape(LayerId layer) const { return m_shapes[layer.index()]; }
    int64_t numElements(LayerId layer) const { return shape(layer).numElements; }
    // What it trains may all be another layer's: a tied head's table.
    bool isTrained(LayerId layer) const { return shape(layer).gradientElements > 0; }
    geometry::TrainedBytes bytes(LayerId layer) const { return {shape(layer), m_operandType}; }
    int64_t blockBytes(LayerId layer) const { return bytes(layer).version; }

    // TrainedBlock::numElements of the master type; empty for a layer that is not trained. Whoever writes them (the
    // initialisation, a checkpoint's reader, the optimizer thread) publishes a version then; nobody else may read
    // meanwhile.
    std::span<std::byte> masters(LayerId layer) {
        return {m_masters.block(layer.index()), static_cast<std::size_t>(bytes(layer).masters)};
    }
    std::span<const std::byte> masters(LayerId layer) const {
        return {m_masters.block(layer.index()), static_cast<std::size_t>(bytes(layer).masters)};
    }

    // Where the layer's next version is written, rounded from the masters; publishNext() then makes it the newest. One
    // thread at a time per layer. The version before the newest is overwritten: the caller knows that nobody reads it
    // any more.
    std::byte* nextVersion(LayerId layer);
    void publishNext(LayerId layer);
    void publishAll();                    // rounds the masters of all layers, and publishes
    int64_t version(LayerId layer) const; // newest, counted from 0; -1 before the first. Any thread
    // The bytes of the newest version or the one before it. Any thread.
    const std::byte* block(LayerId layer, int64_t version) const;
    std::span<const std::byte> newest(LayerId layer) const {
        return {block(layer, version(layer)), static_cast<std::size_t>(blockBytes(layer))};
    }
    // The one before the newest, or the newest where there is no other; as masters().
    std::span<const std::byte> versionBefore(LayerId layer) const {
        return {block(layer, std::max<int64_t>(version(layer) - 1, 0)), static_cast<std::size_t>(blockBytes(layer))};
    }

    int64_t unlockedBytes() const { return m_unlockedBytes; } // of versions, that the system would not page-lock

private:
    std::byte* placeOf(LayerId layer, int64_t version) const {
        return m_versions.block(geometry::kAdapterVersions * layer.index() +
                                static_cast<std::size_t>(version) % geometry::kAdapterVersions);
    }

    DType m_operandType;
    DType m_masterType;
    std::vector<geometry::TrainedBlock> m_shapes;
    HostArena m_masters;                        // a block for each layer
    HostArena m_versions;                       // kAdapterVersions for each layer
    std::vector<std::atomic<int64_t>> m_newest; // [layer]
    int64_t m_unlockedBytes = 0;
};

} // namespace roundpipe::transfer
