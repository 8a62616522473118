// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/adapter_blocks.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "geometry/workspace.h"
#include "kernels/kernels.h"

namespace roundpipe::transfer {
namespace {

constexpr int64_t kGrain = 65536; // elements; rounding one takes a third of a nanosecond

std::size_t placeOf(int64_t version) {
    return static_cast<std::size_t>(version) % geometry::kAdapterVersions;
}

} // namespace

AdapterBlocks::AdapterBlocks(std::span<const geometry::LayerLayout> layouts, DType operandType, bool pinned)
    : m_operandType(operandType)
    , m_masterType(statisticsType(operandType))
    , m_shapes(geometry::trainedBlocks(layouts)) {
    for (const geometry::TrainedBlock& shape : m_shapes) {
        LayerVersions& layer = *m_layers.emplace_back(std::make_unique<LayerVersions>());
        const geometry::TrainedBytes bytes(shape, operandType);
        layer.masters = device::HostBuffer(bytes.masters, false);
        for (device::HostBuffer& version : layer.versions)
            version = device::HostBuffer(bytes.version, pinned);
    }
}

std::byte* AdapterBlocks::nextVersion(LayerId layer) {
    return m_layers[layer.index()]->versions[placeOf(version(layer) + 1)].data();
}

void AdapterBlocks::publishNext(LayerId layer) {
    m_layers[layer.index()]->newest.fetch_add(1, std::memory_order_release);
}

void AdapterBlocks::publishAll() {
    ThreadTeam team(0);
    for (int32_t l = 0; l < static_cast<int32_t>(m_layers.size()); ++l) {
        const LayerId layer(l);
        team.split(numElements(layer), kGrain, [&](int64_t begin, int64_t end) {
            if (begin == end) return;
            const auto part = [&](std::byte* data, DType type) {
                return Matrix{data + geometry::bytesOf(type, begin), type, 1, end - begin, end - begin};
            };
            kernels::convert({}, part(masters(layer).data(), m_masterType), 1.0,
                             part(nextVersion(layer), m_operandType));
        });
        publishNext(layer);
    }
}

int64_t AdapterBlocks::version(LayerId layer) const {
    return m_layers[layer.index()]->newest.load(std::memory_order_acquire);
}

const std::byte* AdapterBlocks::block(LayerId layer, int64_t version) const {
    const int64_t newest = this->version(layer);
    RP_CHECK(version >= 0 && version <= newest && version + 1 >= newest);
    return m_layers[layer.index()]->versions[placeOf(version)].data();
}

} // namespace roundpipe::transfer
