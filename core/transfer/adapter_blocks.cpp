// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/adapter_blocks.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "geometry/workspace.h"
#include "kernels/kernels.h"

namespace roundpipe::transfer {
namespace {

constexpr int64_t kGrain = 65536; // elements; rounding one takes a third of a nanosecond

// Of each layer's block, `copies` times.
std::vector<int64_t> sizesOf(std::span<const geometry::TrainedBlock> shapes, DType type, std::size_t copies) {
    std::vector<int64_t> sizes;
    for (const geometry::TrainedBlock& shape : shapes)
        sizes.insert(sizes.end(), copies, geometry::bytesOf(type, shape.numElements));
    return sizes;
}

} // namespace

AdapterBlocks::AdapterBlocks(std::span<const geometry::LayerLayout> layouts, DType operandType, bool pinned)
    : m_operandType(operandType)
    , m_masterType(statisticsType(operandType))
    , m_shapes(geometry::trainedBlocks(layouts))
    , m_masters(sizesOf(m_shapes, m_masterType, 1), "what is trained")
    , m_versions(sizesOf(m_shapes, operandType, geometry::kAdapterVersions), "versions of what is trained")
    , m_newest(m_shapes.size()) {
    for (std::atomic<int64_t>& newest : m_newest)
        newest = -1;
    if (pinned) m_unlockedBytes = m_versions.lockAll();
}

std::byte* AdapterBlocks::nextVersion(LayerId layer) {
    return placeOf(layer, version(layer) + 1);
}

void AdapterBlocks::publishNext(LayerId layer) {
    m_newest[layer.index()].fetch_add(1, std::memory_order_release);
}

void AdapterBlocks::publishAll() {
    ThreadTeam team(0);
    for (int32_t l = 0; l < static_cast<int32_t>(m_shapes.size()); ++l) {
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
    return m_newest[layer.index()].load(std::memory_order_acquire);
}

const std::byte* AdapterBlocks::block(LayerId layer, int64_t version) const {
    const int64_t newest = this->version(layer);
    RP_CHECK(version >= 0 && version <= newest && version + 1 >= newest);
    return placeOf(layer, version);
}

} // namespace roundpipe::transfer
