// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/gradient_board.h"

namespace roundpipe::pipeline {

using device::Awaited;

namespace {

std::vector<int64_t> sizesOf(const transfer::AdapterBlocks& adapters, int64_t numRounds) {
    std::vector<int64_t> sizes;
    for (std::size_t l = 0; l < adapters.shapes().size(); ++l)
        sizes.insert(sizes.end(), static_cast<std::size_t>(numRounds),
                     adapters.bytes(LayerId(static_cast<int32_t>(l))).gradients);
    return sizes;
}

} // namespace

GradientBoard::GradientBoard(std::shared_ptr<Monitor> monitor, const transfer::AdapterBlocks& adapters,
                             int64_t numRounds, bool pinned)
    : m_monitor(std::move(monitor)), m_arena(sizesOf(adapters, numRounds), "gradients") {
    for (std::size_t l = 0; l < adapters.shapes().size(); ++l) {
        LayerGradients& layer = m_layers.emplace_back();
        layer.bytes = adapters.bytes(LayerId(static_cast<int32_t>(l))).gradients;
        for (int64_t round = 0; round < numRounds; ++round)
            layer.rounds.push_back(
                {m_arena.block(l * static_cast<std::size_t>(numRounds) + static_cast<std::size_t>(round)), {}, -1});
    }
    if (pinned) m_unlockedBytes = m_arena.lockAll();
}

void GradientBoard::awaitRoom(LayerId id, int64_t round) {
    const LayerGradients& layer = m_layers[id.index()];
    m_monitor->waitFor([&] { return round - layer.numReleased < static_cast<int64_t>(layer.rounds.size()); });
    m_monitor->notes().awaited(Awaited::kGradientsAdded, place(id, round));
}

void GradientBoard::post(LayerId id, int64_t round, device::Event written) {
    LayerGradients& layer = m_layers[id.index()];
    m_monitor->notes().happened(Awaited::kGradientsPosted, place(id, round));
    m_monitor->change([&] {
        of(layer, round).written = std::move(written);
        of(layer, round).posted = round;
    });
}

const std::byte* GradientBoard::await(LayerId id, int64_t round) {
    Round& slot = of(m_layers[id.index()], round);
    const device::Event written =
        m_monitor->waitFor([&] { return slot.posted == round; }, [&] { return slot.written; });
    m_monitor->notes().awaited(Awaited::kGradientsPosted, slot.data);
    m_monitor->await(written, Awaited::kGradientsArrived);
    return slot.data;
}

bool GradientBoard::isThere(LayerId id, int64_t round) {
    const Round& slot = of(m_layers[id.index()], round);
    bool isThere = false;
    m_monitor->look([&] { isThere = slot.posted == round && slot.written.ready(); });
    return isThere;
}

void GradientBoard::release(LayerId id) {
    LayerGradients& layer = m_layers[id.index()];
    m_monitor->notes().happened(Awaited::kGradientsAdded, of(layer, layer.numReleased).data);
    m_monitor->change([&] { ++layer.numReleased; });
}

} // namespace roundpipe::pipeline
