// Where the layers' gradients of each round arrive on the host, for the optimizer thread to take in round order. Two
// rounds may be there at a time.
#pragma once

#include "device/buffer.h"
#include "device/streams/event.h"
#include "pipeline/monitor.h"
#include "transfer/adapter_blocks.h"

#include <array>
#include <memory>
#include <vector>

namespace roundpipe::pipeline {

// Rounds are counted since the pipeline began.
class GradientBoard {
public:
    // Elements of AdapterLayout, of the masters' type.
    GradientBoard(std::shared_ptr<Monitor> monitor, const transfer::AdapterBlocks& adapters, int32_t numLayers,
                  bool pinned);

    int64_t bytes(LayerId layer) const { return m_layers[layer.index()].buffers[0].bytes(); }

    // Controllers: where a round's gradients go; blocks the host until the round before the last one was taken out.
    std::byte* writable(LayerId layer, int64_t round);
    void post(LayerId layer, int64_t round, device::Event written);

    // Optimizer thread: blocks until they have arrived; release() when they are read.
    const std::byte* await(LayerId layer, int64_t round);
    bool isThere(LayerId layer, int64_t round) const; // await() would not block
    void release(LayerId layer);

private:
    struct LayerGradients {
        std::array<device::HostBuffer, geometry::kGradientRounds> buffers; // by parity of the round
        std::array<device::Event, geometry::kGradientRounds> written;
        std::array<int64_t, 2> posted{-1, -1}; // a later round may overtake an earlier one on another device
        int64_t numReleased = 0;
    };
    std::shared_ptr<Monitor> m_monitor; // guards counts and events
    std::vector<LayerGradients> m_layers;
};

} // namespace roundpipe::pipeline
