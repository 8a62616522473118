// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/decoder.h"

#include "base/error.h"
#include "generate/sampler.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace roundpipe::generate {
namespace {

using geometry::SlotKind;

// Of a GPU's free memory, what weights may take; the rest is LibTorch's and the driver's.
constexpr double kWeightShare = 0.85;

// Most prompts are one piece on a GPU, which a few tokens do not fill.
int64_t chunkTokensOn(const device::Device& device) {
    return device.kind() == device::DeviceKind::kCuda ? 2048 : 512;
}

// 0 where no layer is packed.
int64_t mostAssembledBytes(std::span<const geometry::LayerLayout> layouts) {
    int64_t most = 0;
    for (const geometry::LayerLayout& layout : layouts)
        if (layout.hasPacked()) most = std::max(most, layout.base.bytes);
    return most;
}

} // namespace

Decoder::Decoder(const model::Model& model, const transfer::HostWeightStore& store, device::Device& device,
                 int64_t capacity, bool useAdapter, TokenLaunch tokenLaunch)
    : m_model(model)
    , m_store(store)
    , m_device(device)
    , m_stream(device.stream(trace::LaneRole::kCompute))
    , m_capacity(capacity)
    , m_chunkTokens(std::min(capacity, chunkTokensOn(device)))
    , m_useAdapter(useAdapter)
    , m_recordsTokens(tokenLaunch == TokenLaunch::kRecorded && device.kind() == device::DeviceKind::kCuda &&
                      model.spec.config.rope.type != arch::RopeConfig::Type::kDynamic) {
    RP_CHECK(capacity >= 1);
    m_compute.target = {device.kind() == device::DeviceKind::kCuda, m_stream.native()};
    m_compute.cudaIndex = device.cudaIndex();
    m_compute.computeCapability = device.computeCapability();
    m_compute.dtype = model.operandType;
    makeMemory();
    makeWeightSlots();
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
        workspaceBytes = std::max(workspaceBytes, block->workspaceBytes(m_chunkTokens));

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
    m_hostPicks = device::HostBuffer(2 * static_cast<int64_t>(sizeof(int32_t)), m_device.pinnedHost());
}

// Packed layers stay assembled where there is memory for all of them, else they are assembled for every call: in one
// area, as they come in the same order each time.
void Decoder::takeAreas(geometry::WeightRoom& room, int64_t bytesLeft) {
    room.assembledBytes = mostAssembledBytes(m_model.layouts);
    const int64_t numPacked = std::ranges::count_if(m_model.layouts, &geometry::LayerLayout::hasPacked);
    const bool holdsAll = numPacked <= 1 || (m_isResident && room.assembledBytes <= bytesLeft / (numPacked - 1));
    room.numAssembled = holdsAll ? numPacked : 1;
    m_recordsTokens = m_recordsTokens && m_isResident && holdsAll;
}

// As many layers as there is memory for stay on the device, call after call; the others take turns in a few slots.
void Decoder::makeWeightSlots() {
    const auto numLayers = static_cast<std::size_t>(m_model.numLayers());
    geometry::WeightRoom room;
    room.kinds = transfer::WeightSlots::kindsOf(m_store);
    std::vector<int64_t> bytes;
    for (std::size_t l = 0; l < numLayers; ++l)
        bytes.push_back(transfer::WeightSlots::slotBytes(m_store, static_cast<int32_t>(l)));
    int64_t left = std::numeric_limits<int64_t>::max();
    if (m_device.kind() == device::DeviceKind::kCuda)
        left = static_cast<int64_t>(kWeightShare * static_cast<double>(m_device.freeBytes()));
    const int64_t assembledBytes = mostAssembledBytes(m_model.layouts);
    left -= assembledBytes; // one area at least
    m_isResident = std::accumulate(bytes.begin(), bytes.end(), int64_t{0}) <= left;
    if (!m_isResident)
        for (const auto& [kind, count] : {std::pair(SlotKind::kTable, 1), std::pair(SlotKind::kBlock, 2)}) {
            int64_t largest = 0;
            for (std::size_t l = 0; l < numLayers; ++l)
                if (room.kinds[l] == kind) largest = std::max(largest, bytes[l]);
            room.allSlots.insert(room.allSlots.end(), static_cast<std::size_t>(count), {kind, largest, -1});
            left -= count * largest;
        }
    for (std::size_t l = 0; l < numLayers; ++l)
        if (bytes[l] <= left) {
            room.allSlots.push_back({room.kinds[l], bytes[l], static_cast<int32_t>(l)});
            left -= bytes[l];
        }
    takeAreas(room, left);
    geometry::Workspace counting;
    const geometry::WeightBuffers needed(room, counting);
    m_slotMemory = m_device.allocate(counting.usedBytes());
    geometry::Workspace memory(m_slotMemory.data(), m_slotMemory.bytes());
    const geometry::WeightBuffers slots(room, memory);
    m_slots = std::make_unique<transfer::WeightSlots>(m_device, m_store, room, slots, [](LayerId, int64_t) {});
    for (int32_t layer = 0; m_isResident && layer < m_model.numLayers(); ++layer) {
        m_versions.push_back(newest(layer).version);
        m_slots->acquire(std::array{newest(layer)});
    }
}

// Layers that stay keep their place, and so does what was recorded of them.
void Decoder::takeNewestWeights() {
    for (int32_t layer = 0; m_isResident && layer < m_model.numLayers(); ++layer) {
        int64_t& version = m_versions[static_cast<std::size_t>(layer)];
        if (newest(layer).version == version) continue;
        version = newest(layer).version;
        m_slots->release(layer, m_stream.record());
        m_slots->acquire(std::array{newest(layer)});
        m_stream.wait(m_slots->ready(layer), device::Awaited::kWeightsLanded);
        m_slots->weights(layer, m_stream); // a replay assembles nothing
    }
}

// Of each its own: only layers that are trained have newer ones.
transfer::LayerRequest Decoder::newest(int32_t layer) const {
    return {layer, std::max<int64_t>(m_store.adapters().version(LayerId(layer)), 0), {}};
}

void Decoder::requireRoom(std::size_t numTokens) const {
    const int64_t wanted = m_position + static_cast<int64_t>(numTokens);
    if (wanted > m_capacity)
        throw invalidInput("The text would have " + std::to_string(wanted) + " tokens; there is room for " +
                               std::to_string(m_capacity) + ".",
                           "Use a shorter prompt or fewer new tokens.");
}

void Decoder::throwFault() const {
    if (const std::exception_ptr error = m_device.fault()->error()) std::rethrow_exception(error);
}

std::vector<float> Decoder::advance(std::span<const int32_t> ids) {
    RP_CHECK(!ids.empty());
    requireRoom(ids.size());
    m_ahead.reset();
    while (!ids.empty()) {
        const std::size_t count = std::min(ids.size(), static_cast<std::size_t>(m_chunkTokens));
        upload(ids.first(count));
        runTokens(static_cast<int64_t>(count));
        m_position += static_cast<int64_t>(count);
        ids = ids.subspan(count);
        if (!ids.empty()) m_stream.synchronize(); // the host arrays are written anew for the next chunk
    }
    const int64_t vocabSize = m_model.spec.config.vocabSize;
    m_stream.copy(m_hostLogits.data(), m_logits, vocabSize * static_cast<int64_t>(sizeOf(m_model.operandType)));
    m_stream.synchronize();
    throwFault();
    std::vector<float> logits(static_cast<std::size_t>(vocabSize));
    kernels::convert({}, {m_hostLogits.data(), m_model.operandType, 1, vocabSize, vocabSize}, 1.0,
                     {logits.data(), DType::kF32, 1, vocabSize, vocabSize});
    return logits;
}

int32_t Decoder::likeliestAfter(int32_t id) {
    if (!m_recordsTokens) return pickToken(advance({&id, 1}), {}, m_position);
    requireRoom(1);
    if (!m_ahead || id != m_lastPick) {
        upload({&id, 1});
        m_ahead = startPick();
    }
    const Pick pick = *m_ahead;
    ++m_position;
    m_ahead.reset();
    if (m_position < m_capacity) m_ahead = startPick();
    pick.done.synchronize();
    throwFault();
    m_lastPick = *pick.id;
    if (m_lastPick != 0) return m_lastPick;
    rewind(m_position - 1); // the device picks 0 where no logit is a number, which is seen in the logits alone
    return pickToken(advance({&id, 1}), {}, m_position);
}

// The pick takes the place of the token that it follows.
Decoder::Pick Decoder::startPick() {
    const geometry::BatchArrays arrays = arraysAt(m_arrays);
    const int64_t vocabSize = m_model.spec.config.vocabSize;
    runTokens(1);
    m_stream.launch([this, arrays, vocabSize] {
        kernels::nextToken(m_compute.target, dense(m_logits, m_model.operandType, 1, vocabSize), arrays.ids,
                           arrays.positions);
    });
    auto* id = reinterpret_cast<int32_t*>(m_hostPicks.data()) + m_numPicks++ % 2;
    m_stream.copy(id, arrays.ids, sizeof(int32_t));
    return {m_stream.record(), id};
}

void Decoder::runTokens(int64_t numTokens) {
    const model::BatchView batch = uploaded(numTokens);
    const bool isRecorded = m_recordsTokens && numTokens == 1;
    m_lastRow = {static_cast<int32_t>(numTokens) - 1};
    if (isRecorded && m_hasRunToken && !m_token) m_token = m_stream.recorded([&] { runLayers(batch); });
    trace::Record what;
    what.kind = trace::Kind::kAnswer;
    m_stream.openSpan(what);
    if (isRecorded && m_token)
        m_stream.replay(*m_token);
    else
        runLayers(batch);
    m_stream.closeSpan();
    m_hasRunToken = m_hasRunToken || numTokens == 1;
}

void Decoder::runLayers(const model::BatchView& batch) {
    const int32_t numLayers = m_model.numLayers();
    for (int32_t layer = 0; layer < numLayers; ++layer) {
        if (!m_isResident) {
            m_slots->acquire(std::array{newest(layer)});
            m_slots->prefetch(std::array{newest((layer + 1) % numLayers)});
        }
        if (!m_isLoaded) m_stream.wait(m_slots->ready(layer), device::Awaited::kWeightsLanded);
        model::LayerWeights weights = m_slots->weights(layer, m_stream);
        if (!m_useAdapter) weights.adapter = nullptr;
        launch(layer, batch, weights);
        if (!m_isResident) m_slots->release(layer, m_stream.record());
    }
    m_isLoaded = m_isResident;
}

void Decoder::upload(std::span<const int32_t> ids) {
    takeNewestWeights();
    const geometry::BatchArrays host = arraysAt(m_hostArrays.data());
    const auto count = static_cast<int64_t>(ids.size());
    std::ranges::copy(ids, host.ids);
    for (int64_t t = 0; t < count; ++t)
        host.positions[t] = static_cast<int32_t>(m_position + t);
    host.starts[0] = 0;
    host.starts[1] = static_cast<int32_t>(count);
    *host.exampleIds = 0;
    m_stream.copy(m_arrays, m_hostArrays.data(), m_hostArrays.bytes());
}

// Tokens that lie in the device's arrays, the first at the present position.
model::BatchView Decoder::uploaded(int64_t numTokens) const {
    const geometry::BatchArrays device = arraysAt(m_arrays);
    model::BatchView batch;
    batch.numTokens = numTokens;
    batch.numSequences = 1;
    batch.maxLength = m_position + numTokens;
    batch.ids = device.ids;
    batch.positions = device.positions;
    batch.starts = device.starts;
    batch.exampleIds = device.exampleIds;
    batch.startsHost = {arraysAt(m_hostArrays.data()).starts, 2};
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

void Decoder::rewind(int64_t position) {
    RP_CHECK(position >= 0 && position <= m_position);
    m_ahead.reset();
    m_position = position;
}

int64_t Decoder::cacheBytes(int64_t numTokens) const {
    const arch::ModelConfig& config = m_model.spec.config;
    const auto elementBytes = static_cast<int64_t>(sizeOf(m_model.operandType));
    return 2 * std::ssize(m_caches) * numTokens * config.numKvHeads * config.headDim * elementBytes;
}

device::HostBuffer Decoder::saveCache() {
    device::HostBuffer cache(cacheBytes(m_position), m_device.pinnedHost());
    copyCache(cache, [this](std::byte* host, std::byte* own, int64_t bytes) { m_stream.copy(host, own, bytes); });
    return cache;
}

void Decoder::loadCache(const device::HostBuffer& cache, int64_t numTokens) {
    RP_CHECK(numTokens <= m_capacity && cache.bytes() == cacheBytes(numTokens));
    m_ahead.reset();
    copyCache(cache, [this](std::byte* host, std::byte* own, int64_t bytes) { m_stream.copy(own, host, bytes); });
    m_position = numTokens;
}

// Keys of the first block, its values, keys of the second one, …
void Decoder::copyCache(const device::HostBuffer& cache,
                        const std::function<void(std::byte* host, std::byte* own, int64_t bytes)>& copy) {
    const int64_t bytes = cache.bytes() / (2 * std::ssize(m_caches));
    std::byte* host = cache.data();
    for (const model::KvCacheView& own : m_caches)
        for (std::byte* rows : {own.keys, own.values}) {
            copy(host, rows, bytes);
            host += bytes;
        }
    m_stream.synchronize();
    throwFault();
}

} // namespace roundpipe::generate
