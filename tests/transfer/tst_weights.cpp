// SPDX-License-Identifier: GPL-3.0-or-later
// From a checkpoint on disk through the host store to a device slot.
#include "arch/safetensors_write.h"
#include "base/error.h"
#include "base/units.h"
#include "device/cpu_device.h"
#include "device/cuda_runtime.h"
#include "device/host_memory.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"
#include "transfer/load_checkpoint.h"
#include "transfer/weight_slots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <thread>

namespace roundpipe::transfer {
namespace {

struct OtherValue { // in place of what Tiny::valueOf() says
    std::string tensor;
    int64_t element = 0;
    double value = 0;
};

struct Tiny {
    explicit Tiny(bool tied = true, DType stored = DType::kF32) {
        arch::ModelConfig config;
        config.architecture = "Qwen3ForCausalLM";
        config.family = arch::Family::kQwen3;
        config.vocabSize = 11;
        config.hiddenSize = 8;
        config.intermediateSize = 12;
        config.numLayers = 2;
        config.numHeads = 2;
        config.numKvHeads = 1;
        config.headDim = 4;
        config.qkNorm = true;
        config.tiedEmbeddings = tied;
        config.slidingWindow = {0, 0};
        spec = arch::makeModelSpec(config);
        arch::LoraConfig lora;
        lora.rank = 2;
        layouts = geometry::makeLayouts(spec, lora, DType::kF32);
        write(stored);
    }

    // Exact in every type.
    static double valueOf(std::size_t tensor, int64_t element) {
        return static_cast<double>(tensor + 1) + static_cast<double>(element % 4) / 4;
    }

    void write(DType stored, const OtherValue& other = {}) {
        names.clear();
        std::vector<std::vector<std::byte>> data;
        std::vector<arch::TensorToWrite> tensors;
        for (const arch::LayerSpec& layer : spec.layers)
            for (const arch::TensorSpec& tensor : layer.tensors) {
                if (std::find(names.begin(), names.end(), tensor.name) != names.end()) continue;
                names.push_back(tensor.name);
                auto& bytes = data.emplace_back(static_cast<std::size_t>(tensor.numElements()) * sizeOf(stored));
                for (int64_t i = 0; i < tensor.numElements(); ++i) {
                    const bool isOther = tensor.name == other.tensor && i == other.element;
                    const double value = isOther ? other.value : valueOf(names.size() - 1, i);
                    const auto single = static_cast<float>(value);
                    auto* to = bytes.data() + static_cast<std::size_t>(i) * sizeOf(stored);
                    if (stored == DType::kF64)
                        std::memcpy(to, &value, 8);
                    else if (stored == DType::kF32)
                        std::memcpy(to, &single, 4);
                    else
                        std::memcpy(to, reinterpret_cast<const std::byte*>(&single) + 2, 2); // bf16
                }
                tensors.push_back({tensor.name, stored, tensor.shape, {}});
            }
        for (std::size_t i = 0; i < data.size(); ++i)
            tensors[i].data = data[i];
        arch::writeSafetensors(folder.path() / "model.safetensors", tensors);
    }

    arch::Checkpoint checkpoint() const { return arch::Checkpoint::open(folder.path()); }

    roundpipe::testing::TemporaryFolder folder;
    arch::ModelSpec spec;
    std::vector<std::string> names;
    std::vector<geometry::LayerLayout> layouts;
};

void expectValues(const Tiny& tiny, const geometry::TensorPlace& place, const std::byte* data) {
    const auto found = std::find(tiny.names.begin(), tiny.names.end(), place.spec.name);
    ASSERT_NE(found, tiny.names.end());
    const auto index = static_cast<std::size_t>(found - tiny.names.begin());
    const int64_t cols = place.spec.shape.back();
    for (int64_t i = 0; i < place.spec.numElements(); ++i) {
        float value = 0;
        std::memcpy(&value, data + (i / cols * place.pitchElements + i % cols) * 4, 4);
        ASSERT_EQ(value, static_cast<float>(Tiny::valueOf(index, i))) << place.spec.name << " element " << i;
    }
}

TEST(HostWeightStore, readsEveryStoredTypeIntoTheTypeOfItsPlace) {
    for (const DType stored : {DType::kF32, DType::kF64, DType::kBF16}) {
        const Tiny tiny(true, stored);
        HostWeightStore store(tiny.layouts, DType::kF32, false);
        int64_t done = 0;
        int64_t total = 0;
        loadCheckpoint(store, tiny.checkpoint(), [&](int64_t doneBytes, int64_t totalBytes) {
            done = doneBytes;
            total = totalBytes;
            return true;
        });
        EXPECT_GT(total, 0);
        EXPECT_EQ(done, total);
        for (const HostTensor& tensor : store.tensors())
            expectValues(tiny, *tensor.place, tensor.data);
    }
}

// A larger one would become infinite.
TEST(HostWeightStore, refusesWhatFp16CannotHold) {
    Tiny tiny;
    const auto layouts = geometry::makeLayouts(tiny.spec, arch::LoraConfig{}, DType::kF16);
    {
        HostWeightStore store(layouts, DType::kF16, false);
        loadCheckpoint(store, tiny.checkpoint());
    }
    const std::string name = "model.layers.1.mlp.down_proj.weight"; // [8, 12]
    for (const auto& [value, fits] : {std::pair{65504.0, true}, {-65519.0, true}, {-65520.0, false}, {1e9, false}}) {
        tiny.write(DType::kF32, {name, 5 * 12 + 3, value});
        HostWeightStore store(layouts, DType::kF16, false);
        if (fits)
            loadCheckpoint(store, tiny.checkpoint());
        else
            roundpipe::testing::expectError(ErrorKind::kInvalidInput, {name, "65,504", "row 6"},
                                            [&] { loadCheckpoint(store, tiny.checkpoint()); });
    }
}

// Whatever lies side by side, and page-locked where it can be: the same bytes go to a device.
TEST(HostWeightStore, uploadsTheSameBytesFromPiecesOfAnySize) {
    const Tiny tiny;
    const auto uploaded = [&](int64_t pieceBytes) {
        HostWeightStore store(tiny.layouts, DType::kF32, false, pieceBytes);
        loadCheckpoint(store, tiny.checkpoint());
        std::vector<std::byte> bytes;
        for (std::size_t l = 0; l < tiny.layouts.size(); ++l)
            for (const Segment& segment : store.segments(LayerId(static_cast<int32_t>(l))))
                bytes.insert(bytes.end(), segment.from, segment.from + segment.bytes);
        return bytes;
    };
    const std::vector<std::byte> expected = uploaded(kGiB);
    EXPECT_EQ(uploaded(1), expected);
    EXPECT_EQ(uploaded(2000), expected);
}

TEST(HostWeightStore, takesNoMoreRowsThanATensorHas) {
    const Tiny tiny;
    HostWeightStore store(tiny.layouts, DType::kF32, false, 1);
    const HostTensor& table = store.tensors().front();
    store.filled(table, table.rows - 1);
    store.filled(table, 1);
    EXPECT_THROW(store.filled(table, 1), Error);
}

TEST(HostArena, isZeroAndLockedPieceByPieceWhereThereAreGpus) {
    const std::array<int64_t, 5> sizes{5, 0, 700, 3 * kMiB, 256};
    const device::HostBufferBytes before = device::hostBufferBytes();
    {
        HostArena arena(sizes, "blocks", kMiB);
        ASSERT_EQ(arena.numPieces(), 3u) << "small blocks lie side by side, a large one has a piece of its own";
        EXPECT_EQ(arena.pieceOf(2), 0u);
        EXPECT_EQ(arena.block(2) - arena.block(0), 256);
        EXPECT_EQ(arena.block(3) - arena.block(0), 2 * kMiB) << "pieces share no page";
        EXPECT_EQ(arena.block(4) - arena.block(3), 4 * kMiB);
        const int64_t bytes = 256 + 768 + 3 * kMiB + 256;
        EXPECT_EQ(device::hostBufferBytes().pageable - before.pageable, bytes);
        EXPECT_TRUE(
            std::all_of(arena.block(0), arena.block(4) + sizes[4], [](std::byte b) { return b == std::byte{0}; }));
        std::memset(arena.block(3), 7, static_cast<std::size_t>(sizes[3]));
        const bool hasGpu = device::cuda::probe().numGpus > 0;
        EXPECT_EQ(arena.lock(1), hasGpu);
        EXPECT_EQ(device::pinnedBytes() - before.pinned, hasGpu ? 3 * kMiB : 0);
        EXPECT_EQ(arena.block(3)[sizes[3] - 1], std::byte{7});
    }
    EXPECT_EQ(device::hostBufferBytes().pageable, before.pageable);
    EXPECT_EQ(device::pinnedBytes(), before.pinned);

    HostArena arena(sizes, "blocks", kMiB);
    const bool hasGpu = device::cuda::probe().numGpus > 0;
    EXPECT_EQ(arena.lockAll(), hasGpu ? 0 : 256 + 768 + 3 * kMiB + 256) << "what was refused";
    EXPECT_EQ(device::pinnedBytes() - before.pinned, hasGpu ? 256 + 768 + 3 * kMiB + 256 : 0);

    try {
        const std::array<int64_t, 1> tooMuch{int64_t{1} << 60};
        const HostArena impossible(tooMuch, "gradients");
        ADD_FAILURE() << "an exbibyte was taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
        EXPECT_NE(error.message().find("of gradients"), std::string::npos) << error.message();
    }
}

TEST(HostWeightStore, keepsATiedTableOnce) {
    const Tiny tied(true);
    const Tiny untied(false);
    const HostWeightStore one(tied.layouts, DType::kF32, false);
    const HostWeightStore two(untied.layouts, DType::kF32, false);
    EXPECT_EQ(two.bytes() - one.bytes(), geometry::alignUp(11 * 8 * 4));
    const LayerId head(3);
    EXPECT_EQ(one.segments(head).size(), 2u);
    EXPECT_EQ(two.segments(head).size(), 1u); // a layer of its own is one piece
    EXPECT_EQ(one.segments(LayerId(1)).size(), 1u);
}

TEST(HostWeightStore, namesAMissingTensorAndStopsWhenCancelled) {
    const Tiny untied(false);
    const Tiny tied(true);
    HostWeightStore store(untied.layouts, DType::kF32, false);
    try {
        loadCheckpoint(store, tied.checkpoint()); // has no lm_head
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("lm_head.weight"), std::string::npos) << error.message();
    }
    try {
        loadCheckpoint(store, untied.checkpoint(), [](int64_t, int64_t) { return false; });
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kCancelled);
    }
}

TEST(AdapterBlocks, keepTheNewestTwoVersions) {
    const Tiny tiny;
    AdapterBlocks blocks(tiny.layouts, DType::kF32, false);
    const LayerId layer(1);
    ASSERT_GT(blocks.numElements(layer), 0);
    EXPECT_EQ(blocks.numElements(LayerId(0)), 0);
    auto* masters = reinterpret_cast<float*>(blocks.masters(layer).data());
    const auto first = [&](int64_t version) {
        float value = 0;
        std::memcpy(&value, blocks.block(layer, version), 4);
        return value;
    };
    for (int version = 0; version < 4; ++version) {
        EXPECT_EQ(blocks.version(layer), version - 1);
        masters[0] = static_cast<float>(version);
        blocks.publishAll();
        EXPECT_EQ(first(version), static_cast<float>(version));
        if (version > 0) {
            EXPECT_EQ(first(version - 1), static_cast<float>(version - 1));
        }
    }
    EXPECT_THROW(blocks.block(layer, 1), Error);
    EXPECT_THROW(blocks.block(layer, 4), Error);
}

TEST(SlotChecks, findWhoUsesADisplacedLayer) {
    const auto device = device::makeCpuDevice(DeviceId(0), {});
    device::Stream& stream = device->stream(trace::LaneRole::kCompute);
    const device::DeviceBuffer slot = device->allocate(4096);
    SlotChecks checks(*device);
    const geometry::SlotStamp first{3, 0, 1}, second{5, 0, 2};
    checks.poison(stream, slot.data(), slot.bytes());
    checks.mark(stream, slot.data(), first);
    checks.expect(stream, slot.data(), first);
    stream.synchronize();
    checks.verify();
    EXPECT_EQ(checks.numVerified(), 1);
    float poisoned = 0;
    std::memcpy(&poisoned, slot.data() + slot.bytes() - 4, 4);
    EXPECT_NE(poisoned, poisoned) << "NaN";
    checks.mark(stream, slot.data(), second);
    checks.expect(stream, slot.data(), first);
    stream.synchronize();
    try {
        checks.verify();
        ADD_FAILURE() << "layer 5 passed for layer 3";
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("layer 5"), std::string::npos) << error.message();
    }
}

TEST(SlotChecks, findWhoUsesAnotherVersionOfALayer) {
    const auto device = device::makeCpuDevice(DeviceId(0), {});
    device::Stream& stream = device->stream(trace::LaneRole::kCompute);
    const device::DeviceBuffer slot = device->allocate(4096);
    SlotChecks checks(*device);
    checks.mark(stream, slot.data(), {3, 0, 1, 6});
    checks.expect(stream, slot.data(), {3, 0, 1, 7});
    stream.synchronize();
    try {
        checks.verify();
        ADD_FAILURE() << "version 6 passed for version 7";
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("of version 7 and holds those"), std::string::npos) << error.message();
    }
}

TEST(WeightSlots, assembleBaseAndAdapterOfTheAskedVersion) {
    const Tiny tiny;
    HostWeightStore store(tiny.layouts, DType::kF32, false);
    loadCheckpoint(store, tiny.checkpoint());
    store.adapters().publishAll();
    const auto device = device::makeCpuDevice(DeviceId(0), {});
    // The embedding and the head in turn; room for both blocks.
    geometry::WeightRoom weightRoom{WeightSlots::kindsOf(store), {}};
    for (const int32_t layer : {0, 1, 2})
        weightRoom.allSlots.push_back({weightRoom.kinds[static_cast<std::size_t>(layer)],
                                       std::max(WeightSlots::slotBytes(store, layer), WeightSlots::slotBytes(store, 3)),
                                       -1});
    geometry::Workspace counting;
    const geometry::WeightBuffers needed(weightRoom, counting);
    const device::DeviceBuffer memory = device->allocate(counting.usedBytes());
    const LayerId block(1);
    int waits = 0;
    const auto publishNext = [&](LayerId layer, int64_t version) { // stands in for the optimizer thread
        ++waits;
        while (store.adapters().version(layer) < version) {
            auto* masters = reinterpret_cast<float*>(store.adapters().masters(layer).data());
            masters[0] = 42;
            std::memcpy(store.adapters().nextVersion(layer), masters,
                        static_cast<std::size_t>(store.adapters().blockBytes(layer)));
            store.adapters().publishNext(layer);
        }
    };
    geometry::Workspace room(memory.data(), memory.bytes());
    WeightSlots slots(*device, store, weightRoom, geometry::WeightBuffers(weightRoom, room), publishNext);
    const auto requests = [](int32_t begin, int32_t end, int64_t version) {
        std::vector<LayerRequest> made;
        for (int32_t layer = begin; layer < end; ++layer)
            made.push_back({layer, version, {}});
        return made;
    };
    const auto expectSlot = [&](int32_t begin, int32_t end, float adapter) {
        for (int32_t layer = begin; layer < end; ++layer) {
            slots.ready(layer).synchronize();
            const model::LayerWeights weights = slots.weights(layer, device->stream(trace::LaneRole::kCompute));
            const geometry::LayerLayout& layout = tiny.layouts[static_cast<std::size_t>(layer)];
            for (const geometry::TensorPlace& place : layout.base.tensors)
                expectValues(tiny, place, weights.base + place.offsetBytes);
            EXPECT_EQ(weights.adapter != nullptr, !layout.adapter.empty());
            float value = 0;
            if (weights.adapter) std::memcpy(&value, weights.adapter, 4);
            if (layer == block.value) {
                EXPECT_EQ(value, adapter);
            }
        }
        for (int32_t layer = begin; layer < end; ++layer)
            slots.release(layer, {});
    };
    slots.acquire(requests(0, 2, 0));
    slots.prefetch(requests(2, 4, 0));
    expectSlot(0, 2, 0);
    slots.acquire(requests(2, 4, 0)); // as guessed, but for the head, which had no room
    slots.prefetch(requests(2, 3, 1));
    expectSlot(2, 4, 0);
    EXPECT_EQ(waits, 0);
    slots.acquire(requests(0, 3, 1)); // of a version that is not there yet
    expectSlot(0, 3, 42);
    EXPECT_EQ(waits, 2); // both blocks
}

TEST(WeightSlots, uploadAheadInSharesBehindPackets) {
    const Tiny tiny;
    HostWeightStore store(tiny.layouts, DType::kF32, false);
    loadCheckpoint(store, tiny.checkpoint());
    store.adapters().publishAll();
    std::atomic<int> numUploads{0};
    device::DeviceContext context;
    context.onSpan = [&](const trace::Record&) { ++numUploads; };
    const auto device = device::makeCpuDevice(DeviceId(0), context);
    geometry::WeightRoom weightRoom{WeightSlots::kindsOf(store), {}};
    for (const int32_t layer : {1, 2})
        weightRoom.allSlots.push_back(
            {weightRoom.kinds[static_cast<std::size_t>(layer)], WeightSlots::slotBytes(store, layer), -1});
    geometry::Workspace counting;
    const geometry::WeightBuffers needed(weightRoom, counting);
    const device::DeviceBuffer memory = device->allocate(counting.usedBytes());
    geometry::Workspace room(memory.data(), memory.bytes());
    WeightSlots slots(*device, store, weightRoom, geometry::WeightBuffers(weightRoom, room),
                      [](LayerId, int64_t) { FAIL() << "all are published"; });
    device::Stream& packets = device->stream(trace::LaneRole::kActivationsUp);
    device::Stream& weights = device->stream(trace::LaneRole::kWeightsUp);

    std::promise<void> packetLands;
    packets.launch([&] { packetLands.get_future().wait(); });
    slots.prefetch(std::vector<LayerRequest>{{1, 0, {}}, {2, 0, {}}});
    weights.synchronize();
    EXPECT_EQ(numUploads, 0) << "nothing goes before its share";
    slots.uploadShare(2, packets);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(numUploads, 0) << "the packet goes first";
    packetLands.set_value();
    weights.synchronize();
    EXPECT_EQ(numUploads, 2) << "a layer's base and adapter";
    slots.uploadShare(1, packets);
    weights.synchronize();
    EXPECT_EQ(numUploads, 4);

    slots.acquire(std::vector<LayerRequest>{{1, 0, {}}, {2, 0, {}}});
    weights.synchronize();
    EXPECT_EQ(numUploads, 4) << "they are there";
    for (const int32_t layer : {1, 2})
        for (const geometry::TensorPlace& place : tiny.layouts[static_cast<std::size_t>(layer)].base.tensors)
            expectValues(tiny, place, slots.weights(layer, weights).base + place.offsetBytes);
}

} // namespace
} // namespace roundpipe::transfer
