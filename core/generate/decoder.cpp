#include "generate/decoder.h"

#include "base/error.h"

#include <algorithm>
#include <cstring>

namespace roundpipe::generate {
namespace {

// Prompts are read in pieces of this many tokens, which bounds the workspace.
constexpr int64_t kChunkTokens = 512;
// Of a GPU's free memory, what weights may take; the rest is LibTorch's and the driver's.
constexpr double kWeightShare = 0.85;

} // namespace

Decoder::Decoder(const model::Model& model, const transfer::HostWeightStore& store, device::Device& device,
                 int64_t capacity, bool useAdapter)
    : m_model(model)
    , m_store(store)
    , m_device(device)
    , m_stream(device.stream(trace::LaneRole::kCompute))
    , m_capacity(capacity)
    , m_chunkTokens(std::min(capacity, kChunkTokens))
    , m_useAdapter(useAdapter) {
    RP_CHECK(capacity >= 1);
    m_compute.target = {device.kind() == device::DeviceKind::kCuda, m_stream.native()};
    m_compute.cudaIndex = device.cudaIndex();
    m_compute.dtype = model.operandType;
    makeMemory();
    makeGroups();
}

Decoder::~Decoder() {
    m_device.drain();
}

// A chunk of ids with what a layer needs beside, as it is uploaded; nothing is trained.
geometry::BatchArrays Decoder::arraysAt(std::byte* memory) const {
    geometry::Workspace room(memory, m_hostArrays.bytes());
    return {room, m_chunkTokens, 1, 0};
}

void Decoder::makeMemory() {
    const arch::ModelConfig& config = m_model.spec.config;
    const auto elementBytes = static_cast<int64_t>(sizeOf(m_model.operandType));
    const int64_t arrayBytes = geometry::BatchArrays::maxBytes(m_chunkTokens, 1);
    const int64_t logitsBytes = config.vocabSize * elementBytes;
    const int64_t cacheBytes = m_capacity * config.numKvHeads * config.headDim * elementBytes;
    int64_t workspaceBytes = m_model.head->workspaceBytes(m_chunkTokens);
    for (const auto& block : m_model.blocks)
        workspaceBytes =
            std::max(workspaceBytes, block->savedBytes(m_chunkTokens) + block->workspaceBytes(m_chunkTokens));

    std::byte* workspace = nullptr;
    const auto takeAll = [&](geometry::Workspace memory) {
        m_arrays = memory.take(arrayBytes);
        m_hidden = memory.take(m_model.hiddenBytes(m_chunkTokens));
        m_nextHidden = memory.take(m_model.hiddenBytes(m_chunkTokens));
        m_logits = memory.take(logitsBytes);
        m_caches.clear();
        for (std::size_t b = 0; b < m_model.blocks.size(); ++b) {
            std::byte* keys = memory.take(cacheBytes);
            m_caches.push_back({keys, memory.take(cacheBytes), m_capacity, 0});
        }
        workspace = memory.take(workspaceBytes);
        return memory.usedBytes();
    };
    m_memory = m_device.allocate(takeAll(geometry::Workspace()));
    takeAll(geometry::Workspace(m_memory.data(), m_memory.bytes()));
    m_compute.workspace = geometry::Workspace(workspace, workspaceBytes);
    m_hostArrays = device::HostBuffer(arrayBytes, m_device.pinnedHost());
    m_hostLogits = device::HostBuffer(logitsBytes, m_device.pinnedHost());
}

// Two groups that fill both regions stay where they are, call after call; more groups take turns.
void Decoder::makeGroups() {
    const int32_t numLayers = m_model.numLayers();
    const bool isGpu = m_device.kind() == device::DeviceKind::kCuda;
    const auto budget = static_cast<int64_t>(kWeightShare * static_cast<double>(m_device.freeBytes()));
    const auto bytesOf = [&](int32_t begin, int32_t end) {
        return transfer::WeightSlots::stageBytes(m_store, begin, end);
    };
    int64_t largestLayer = 0;
    for (int32_t l = 0; l < numLayers; ++l)
        largestLayer = std::max(largestLayer, bytesOf(l, l + 1));
    const int64_t half = bytesOf(0, numLayers) / 2 + largestLayer; // a cut at a layer is at most this uneven
    const int64_t region = isGpu ? std::max(largestLayer, std::min(half, budget / 2)) : half;
    for (int32_t begin = 0; begin < numLayers;) {
        int32_t end = begin + 1;
        const int32_t last = m_groups.empty() ? numLayers - 1 : numLayers; // two groups at least
        while (end < last && bytesOf(begin, end + 1) <= region)
            ++end;
        m_groups.push_back({begin, end});
        begin = end;
    }
    m_slotMemory = m_device.allocate(2 * geometry::alignUp(region));
    geometry::Workspace memory(m_slotMemory.data(), m_slotMemory.bytes());
    m_slots = std::make_unique<transfer::WeightSlots>(m_device, m_store, geometry::Buffers(memory, 2, region),
                                                      [](LayerId, int64_t) {});
}

std::vector<float> Decoder::advance(std::span<const int32_t> ids) {
    RP_CHECK(!ids.empty());
    if (m_position + static_cast<int64_t>(ids.size()) > m_capacity)
        throw invalidInput("The text would have " + std::to_string(m_position + static_cast<int64_t>(ids.size())) +
                               " tokens; there is room for " + std::to_string(m_capacity) + ".",
                           "Use a shorter prompt or fewer new tokens.");
    for (std::size_t done = 0; done < ids.size();) {
        const std::size_t count = std::min(ids.size() - done, static_cast<std::size_t>(m_chunkTokens));
        runChunk(ids.subspan(done, count));
        done += count;
    }
    const int64_t vocabSize = m_model.spec.config.vocabSize;
    m_stream.copy(m_hostLogits.data(), m_logits, vocabSize * static_cast<int64_t>(sizeOf(m_model.operandType)));
    m_stream.synchronize();
    if (const std::exception_ptr error = m_device.fault()->error()) std::rethrow_exception(error);
    std::vector<float> logits(static_cast<std::size_t>(vocabSize));
    kernels::convert({}, {m_hostLogits.data(), m_model.operandType, 1, vocabSize, vocabSize}, 1.0,
                     {logits.data(), DType::kF32, 1, vocabSize, vocabSize});
    return logits;
}

void Decoder::runChunk(std::span<const int32_t> ids) {
    const model::BatchView batch = upload(ids);
    m_lastRow = {static_cast<int32_t>(ids.size()) - 1};
    const bool resident = m_groups.size() == 2;
    trace::Record what;
    what.kind = trace::Kind::kAnswer;
    m_stream.openSpan(what);
    for (const LayerGroup& group : m_groups) {
        const int64_t version = m_store.adapters().version(LayerId(m_model.numLayers() - 2));
        m_slots->acquire({group.begin, group.end, std::max<int64_t>(version, 0), {}});
        for (int32_t layer = group.begin; layer < group.end; ++layer) {
            m_stream.wait(m_slots->ready(layer));
            model::LayerWeights weights = m_slots->weights(layer);
            if (!m_useAdapter) weights.adapter = nullptr;
            launch(layer, batch, weights);
        }
        if (!resident) m_slots->release(m_stream.record());
    }
    m_stream.closeSpan();
    m_position += static_cast<int64_t>(ids.size());
    m_stream.synchronize(); // the host arrays are written anew for the next chunk
}

model::BatchView Decoder::upload(std::span<const int32_t> ids) {
    const geometry::BatchArrays host = arraysAt(m_hostArrays.data());
    const auto count = static_cast<int64_t>(ids.size());
    std::ranges::copy(ids, host.ids);
    for (int64_t t = 0; t < count; ++t)
        host.positions[t] = static_cast<int32_t>(m_position + t);
    host.starts[0] = 0;
    host.starts[1] = static_cast<int32_t>(count);
    *host.exampleIds = 0;
    m_stream.copy(m_arrays, m_hostArrays.data(), m_hostArrays.bytes());

    const geometry::BatchArrays device = arraysAt(m_arrays);
    model::BatchView batch;
    batch.numTokens = count;
    batch.numSequences = 1;
    batch.maxLength = m_position + count;
    batch.ids = device.ids;
    batch.positions = device.positions;
    batch.starts = device.starts;
    batch.exampleIds = device.exampleIds;
    batch.startsHost = {host.starts, 2};
    batch.training = false;
    return batch;
}

void Decoder::launch(int32_t layer, const model::BatchView& batch, const model::LayerWeights& weights) {
    if (layer == 0) {
        m_stream.launch([this, batch, weights] { m_model.embedding->forward(m_compute, batch, weights, m_hidden); });
    } else if (layer == m_model.numLayers() - 1) {
        m_stream.launch([this, batch, weights] {
            m_model.head->logits(m_compute, weights, m_hidden, batch.numTokens, m_lastRow, m_logits);
        });
    } else {
        const auto block = static_cast<std::size_t>(layer) - 1;
        m_caches[block].past = m_position;
        m_stream.launch([this, batch, weights, block] {
            m_model.blocks[block]->forwardCached(m_compute, batch, weights, m_hidden, m_nextHidden, m_caches[block]);
            std::swap(m_hidden, m_nextHidden);
        });
    }
}

} // namespace roundpipe::generate
