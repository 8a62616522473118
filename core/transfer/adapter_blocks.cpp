#include "transfer/adapter_blocks.h"

#include "base/error.h"
#include "kernels/kernels.h"

namespace roundpipe::transfer {

AdapterBlocks::AdapterBlocks(std::span<const model::LayerLayout> layouts, DType operandType, bool pinned)
    : m_operandType(operandType), m_masterType(kernels::statisticsType(operandType)) {
    for (const model::LayerLayout& layout : layouts) {
        Layer& layer = *m_layers.emplace_back(std::make_unique<Layer>());
        layer.numElements = layout.adapter.numElements;
        if (layer.numElements == 0) continue;
        layer.masters = device::HostBuffer(layer.numElements * static_cast<int64_t>(sizeOf(m_masterType)), false);
        for (device::HostBuffer& version : layer.versions)
            version = device::HostBuffer(layer.numElements * static_cast<int64_t>(sizeOf(operandType)), pinned);
    }
}

std::size_t AdapterBlocks::masterBytes(LayerId layer) const {
    return static_cast<std::size_t>(numElements(layer)) * sizeOf(m_masterType);
}

int64_t AdapterBlocks::blockBytes(LayerId layer) const {
    return numElements(layer) * static_cast<int64_t>(sizeOf(m_operandType));
}

void AdapterBlocks::publish(LayerId id) {
    Layer& layer = *m_layers[id.index()];
    const int64_t next = layer.newest.load(std::memory_order_relaxed) + 1;
    if (const int64_t count = layer.numElements; count > 0)
        kernels::convert({}, {layer.masters.data(), m_masterType, 1, count, count}, 1.0,
                         {layer.versions[static_cast<std::size_t>(next % 2)].data(), m_operandType, 1, count, count});
    layer.newest.store(next, std::memory_order_release);
}

void AdapterBlocks::publishAll() {
    for (std::size_t l = 0; l < m_layers.size(); ++l)
        publish(LayerId(static_cast<int32_t>(l)));
}

int64_t AdapterBlocks::version(LayerId layer) const {
    return m_layers[layer.index()]->newest.load(std::memory_order_acquire);
}

const std::byte* AdapterBlocks::block(LayerId layer, int64_t version) const {
    const int64_t newest = this->version(layer);
    RP_CHECK(version >= 0 && version <= newest && version + 1 >= newest);
    return m_layers[layer.index()]->versions[static_cast<std::size_t>(version % 2)].data();
}

} // namespace roundpipe::transfer
