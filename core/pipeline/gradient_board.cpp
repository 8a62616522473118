// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/gradient_board.h"

namespace roundpipe::pipeline {

GradientBoard::GradientBoard(std::shared_ptr<Monitor> monitor, const transfer::AdapterBlocks& adapters,
                             int32_t numLayers, int64_t numRounds, bool pinned)
    : m_monitor(std::move(monitor)), m_layers(static_cast<std::size_t>(numLayers)) {
    for (int32_t l = 0; l < numLayers; ++l) {
        std::vector<Round>& rounds = m_layers[static_cast<std::size_t>(l)].rounds;
        rounds.resize(static_cast<std::size_t>(numRounds));
        for (Round& round : rounds)
            round.buffer = device::HostBuffer(adapters.bytes(LayerId(l)).gradients, pinned);
    }
}

std::byte* GradientBoard::writable(LayerId id, int64_t round) {
    LayerGradients& layer = m_layers[id.index()];
    const auto numRounds = static_cast<int64_t>(layer.rounds.size());
    return m_monitor->waitFor([&] { return round - layer.numReleased < numRounds; },
                              [&] { return of(layer, round).buffer.data(); });
}

void GradientBoard::post(LayerId id, int64_t round, device::Event written) {
    LayerGradients& layer = m_layers[id.index()];
    m_monitor->change([&] {
        of(layer, round).written = std::move(written);
        of(layer, round).posted = round;
    });
}

const std::byte* GradientBoard::await(LayerId id, int64_t round) {
    Round& slot = of(m_layers[id.index()], round);
    const device::Event written =
        m_monitor->waitFor([&] { return slot.posted == round; }, [&] { return slot.written; });
    written.synchronize();
    return slot.buffer.data();
}

bool GradientBoard::isThere(LayerId id, int64_t round) {
    const Round& slot = of(m_layers[id.index()], round);
    bool isThere = false;
    m_monitor->look([&] { isThere = slot.posted == round && slot.written.ready(); });
    return isThere;
}

void GradientBoard::release(LayerId id) {
    m_monitor->change([&] { ++m_layers[id.index()].numReleased; });
}

} // namespace roundpipe::pipeline
