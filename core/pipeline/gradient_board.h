// SPDX-License-Identifier: GPL-3.0-or-later
// Where the layers' gradients of each round arrive on the host, for the optimizer thread to take in round order. Some
// rounds may be there at a time.
#pragma once

#include "device/streams/event.h"
#include "pipeline/monitor.h"
#include "transfer/adapter_blocks.h"
#include "transfer/host_arena.h"

#include <memory>
#include <vector>

namespace roundpipe::pipeline {

// Rounds are counted since the pipeline began.
class GradientBoard {
public:
    // TrainedBytes::gradients of each layer; of `numRounds` rounds at a time. Throws kOutOfMemory.
    GradientBoard(std::shared_ptr<Monitor> monitor, const transfer::AdapterBlocks& adapters, int64_t numRounds,
                  bool pinned);

    int64_t bytes(LayerId layer) const { return m_layers[layer.index()].bytes; }
    int64_t unlockedBytes() const { return m_unlockedBytes; } // that the system would not page-lock

    // Controllers: where a round's gradients go; blocks the host until there is room for them.
    std::byte* place(LayerId layer, int64_t round) { return of(m_layers[layer.index()], round).data; }
    void awaitRoom(LayerId layer, int64_t round);
    void post(LayerId layer, int64_t round, device::Event written);

    // Optimizer thread: blocks until they have arrived; release() when they are read.
    const std::byte* await(LayerId layer, int64_t round);
    bool isThere(LayerId layer, int64_t round); // await() would not block
    void release(LayerId layer);

private:
    struct Round {
        std::byte* data = nullptr;
        device::Event written;
        int64_t posted = -1; // a later round may overtake an earlier one on another device
    };
    struct LayerGradients {
        int64_t bytes = 0;
        std::vector<Round> rounds; // used in turn
        int64_t numReleased = 0;
    };
    Round& of(LayerGradients& layer, int64_t round) const {
        return layer.rounds[static_cast<std::size_t>(round) % layer.rounds.size()];
    }

    std::shared_ptr<Monitor> m_monitor; // guards counts and events
    std::vector<LayerGradients> m_layers;
    transfer::HostArena m_arena; // a block for each round of a layer
    int64_t m_unlockedBytes = 0;
};

} // namespace roundpipe::pipeline
