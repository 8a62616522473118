#include "pipeline/gradient_board.h"

namespace roundpipe::pipeline {
namespace {

std::size_t parity(int64_t round) {
    return static_cast<std::size_t>(round) % geometry::kGradientRounds;
}

} // namespace

GradientBoard::GradientBoard(std::shared_ptr<Monitor> monitor, const transfer::AdapterBlocks& adapters,
                             int32_t numLayers, bool pinned)
    : m_monitor(std::move(monitor)), m_layers(static_cast<std::size_t>(numLayers)) {
    for (int32_t l = 0; l < numLayers; ++l)
        for (device::HostBuffer& buffer : m_layers[static_cast<std::size_t>(l)].buffers)
            buffer = device::HostBuffer(adapters.bytes(LayerId(l)).full, pinned);
}

std::byte* GradientBoard::writable(LayerId id, int64_t round) {
    LayerGradients& layer = m_layers[id.index()];
    return m_monitor->waitFor([&] { return layer.numReleased >= round - 1; },
                              [&] { return layer.buffers[parity(round)].data(); });
}

void GradientBoard::post(LayerId id, int64_t round, device::Event written) {
    LayerGradients& layer = m_layers[id.index()];
    m_monitor->change([&] {
        layer.written[parity(round)] = std::move(written);
        layer.posted[parity(round)] = round;
    });
}

const std::byte* GradientBoard::await(LayerId id, int64_t round) {
    LayerGradients& layer = m_layers[id.index()];
    const device::Event written = m_monitor->waitFor([&] { return layer.posted[parity(round)] == round; },
                                                     [&] { return layer.written[parity(round)]; });
    written.synchronize();
    return layer.buffers[parity(round)].data();
}

bool GradientBoard::isThere(LayerId id, int64_t round) const {
    const LayerGradients& layer = m_layers[id.index()];
    bool isThere = false;
    m_monitor->look([&] { isThere = layer.posted[parity(round)] == round && layer.written[parity(round)].ready(); });
    return isThere;
}

void GradientBoard::release(LayerId id) {
    m_monitor->change([&] { ++m_layers[id.index()].numReleased; });
}

} // namespace roundpipe::pipeline
