// SPDX-License-Identifier: GPL-3.0-or-later
// A packed base from a checkpoint through the host store and a slot to where it is computed with.
#include "arch/safetensors_write.h"
#include "base/nf4.h"
#include "device/cpu_device.h"
#include "geometry/packed_parts.h"
#include "kernels/random.h"
#include "model/init.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"
#include "transfer/load_checkpoint.h"
#include "transfer/packing_tensors.h"
#include "transfer/random_weights.h"
#include "transfer/weight_slots.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace roundpipe::transfer {
namespace {

using kernels::philox;
using kernels::uniform;

constexpr std::array kFormats = {WeightFormat::kNf4, WeightFormat::kInt8, WeightFormat::kFp8}; // mxfp4: of experts

// Blocks of 64 values begin and end within rows of 24 and of 40.
arch::ModelSpec smallModel() {
    arch::ModelConfig config;
    config.architecture = "Qwen2ForCausalLM";
    config.family = arch::Family::kQwen2;
    config.vocabSize = 11;
    config.hiddenSize = 24;
    config.intermediateSize = 40;
    config.numLayers = 3;
    config.numHeads = 3;
    config.numKvHeads = 1;
    config.headDim = 8;
    config.qkvBias = true;
    config.slidingWindow = {0, 0, 0};
    return arch::makeModelSpec(config);
}

// Of three experts, whose tensors are alike and unpacked at once.
arch::ModelSpec sparseModel() {
    arch::ModelConfig config = smallModel().config;
    config.architecture = "Qwen3MoeForCausalLM";
    config.family = arch::Family::kQwen3Moe;
    config.qkvBias = false;
    config.qkNorm = true;
    config.experts.count = 3;
    config.experts.perToken = 2;
    config.experts.intermediateSize = 40;
    config.experts.sparse = {true, false, true};
    return arch::makeModelSpec(config);
}

// A checkpoint in fp32.
struct Folder {
    explicit Folder(arch::ModelSpec model = smallModel()) : spec(std::move(model)) {
        for (const arch::LayerSpec& layer : spec.layers)
            for (const arch::TensorSpec& tensor : layer.tensors)
                for (int64_t i = 0; i < tensor.numElements(); ++i) {
                    const auto draw = philox(1, std::hash<std::string>()(tensor.name), static_cast<uint64_t>(i));
                    values[tensor.name].push_back(0.1f * uniform(draw.values[0]) - 0.05f);
                }
        write();
    }
    void write() {
        std::vector<arch::TensorToWrite> tensors;
        for (const arch::LayerSpec& layer : spec.layers)
            for (const arch::TensorSpec& tensor : layer.tensors)
                tensors.push_back({tensor.name, DType::kF32, tensor.shape,
                                   std::as_bytes(std::span<const float>(values[tensor.name]))});
        arch::writeSafetensors(folder.path() / "model.safetensors", tensors);
    }
    arch::Checkpoint checkpoint() const { return arch::Checkpoint::open(folder.path()); }

    roundpipe::testing::TemporaryFolder folder;
    arch::ModelSpec spec;
    std::map<std::string, std::vector<float>> values;
};

std::vector<geometry::LayerLayout> layoutsOf(const arch::ModelSpec& spec, WeightFormat format,
                                             DType operandType = DType::kF32,
                                             std::vector<std::string> modulesToSave = {}) {
    arch::LoraConfig lora;
    lora.rank = 2;
    lora.modulesToSave = std::move(modulesToSave);
    return geometry::makeLayouts(spec, lora, operandType, format);
}

// As far from its value as the format may be: half the widest gap of NF4 times the block's magnitude, which is itself
// off by its code; half a step of int8; of fp8 half a unit of the last bit.
float farthest(WeightFormat format, float largest) {
    if (format == WeightFormat::kFp8) return 1.001f * largest / 16;
    return format == WeightFormat::kNf4 ? 0.17f * largest : 0.51f * largest / 127;
}

void expectAssembled(const Folder& folder, const geometry::LayerLayout& layout, WeightFormat format,
                     const std::byte* base) {
    for (const geometry::TensorPlace& place : layout.base.tensors) {
        const std::vector<float>& values = folder.values.at(place.spec.name);
        const int64_t cols = place.spec.shape.back();
        bool isRounded = false;
        for (int64_t i = 0; i < std::ssize(values); ++i) {
            float found = 0;
            const float value = values[static_cast<std::size_t>(i)];
            std::memcpy(&found, base + place.offsetBytes + (i / cols * place.pitchElements + i % cols) * 4, 4);
            isRounded = isRounded || found != value;
            ASSERT_NEAR(found, value, isPacked(place.packing) ? farthest(format, 0.05f) : 0) << place.spec.name << i;
        }
        EXPECT_EQ(isRounded, isPacked(place.packing)) << place.spec.name;
    }
}

TEST(PackedWeights, areLinearsOfBlocksAndTakeWhatTheirPartsTake) {
    const arch::ModelSpec spec = smallModel();
    for (const WeightFormat format : kFormats)
        for (const geometry::LayerLayout& layout : layoutsOf(spec, format)) {
            const bool isBlock = layout.spec.kind == arch::LayerKind::kBlock;
            EXPECT_EQ(layout.hasPacked(), isBlock);
            EXPECT_EQ(layout.base.slotBytes < layout.base.bytes, isBlock);
            for (const geometry::TensorPlace& place : layout.base.tensors)
                EXPECT_EQ(isPacked(place.packing), isBlock && place.spec.shape.size() == 2) << place.spec.name;
        }
    const geometry::PackedParts nf4(WeightFormat::kNf4, 40, 24); // 15 blocks
    EXPECT_EQ(nf4.magnitudes, 480);
    EXPECT_EQ(nf4.scales, 496) << "aligned to 16";
    EXPECT_EQ(nf4.mean, 512);
    EXPECT_EQ(nf4.bytes, 516);
    const geometry::PackedParts int8(WeightFormat::kInt8, 40, 24);
    EXPECT_EQ(int8.scales, 960);
    EXPECT_EQ(int8.bytes, 960 + 40 * 4);
}

TEST(PackedWeights, areTheSameInWhateverPiecesTheirRowsCome) {
    const std::vector<geometry::LayerLayout> layouts = layoutsOf(smallModel(), WeightFormat::kNf4);
    const geometry::TensorPlace& place = layouts[1].base.at(arch::TensorRole::kGate); // [40, 24]
    std::vector<float> values;
    for (uint64_t i = 0; i < 40 * 24; ++i)
        values.push_back(uniform(philox(2, i, 0).values[0]) - 0.5f);
    const auto packed = [&](const std::vector<std::pair<int64_t, int64_t>>& pieces) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(place.hostBytes()));
        const HostTensor tensor{LayerId(1), &place, bytes.data(), 40, 24};
        EXPECT_EQ(TensorPacker::rowsTogether(tensor), 8) << "of 24 columns, three blocks";
        TensorPacker packer(tensor);
        for (const auto& [first, rows] : pieces)
            packer.pack(first, dense(values.data() + first * 24, DType::kF32, rows, 24));
        return bytes;
    };
    const std::vector<std::byte> whole = packed({{0, 40}});
    EXPECT_EQ(packed({{0, 8}, {8, 8}, {16, 16}, {32, 8}}), whole);
    EXPECT_EQ(packed({{32, 8}, {0, 16}, {24, 8}, {16, 8}}), whole);
}

void expectAreasInTurn(const Folder& folder, WeightFormat format) {
    const std::vector<geometry::LayerLayout> layouts = layoutsOf(folder.spec, format);
    HostWeightStore store(layouts, DType::kF32, false);
    loadCheckpoint(store, folder.checkpoint());
    store.adapters().publishAll();
    const auto device = device::makeCpuDevice(DeviceId(0), {});
    device::Stream& compute = device->stream(trace::LaneRole::kCompute);
    geometry::WeightRoom room{WeightSlots::kindsOf(store), {}};
    for (const int32_t layer : {1, 2, 3})
        room.allSlots.push_back({geometry::SlotKind::kBlock, WeightSlots::slotBytes(store, layer), layer});
    room.numAssembled = 2;
    room.assembledBytes = std::max(layouts[1].base.bytes, layouts[2].base.bytes);
    geometry::Workspace counting;
    const geometry::WeightBuffers needed(room, counting);
    EXPECT_EQ(needed.sharedBytes, 2 * room.assembledBytes);
    const device::DeviceBuffer memory = device->allocate(counting.usedBytes());
    geometry::Workspace taken(memory.data(), memory.bytes());
    WeightSlots slots(*device, store, room, geometry::WeightBuffers(room, taken), [](LayerId, int64_t) {});
    slots.acquire(std::vector<LayerRequest>{{1, 0, {}}, {2, 0, {}}, {3, 0, {}}});
    std::map<int32_t, const std::byte*> areaOf;
    for (const int32_t layer : {1, 2, 3, 2, 1}) {
        slots.ready(layer).synchronize();
        const std::byte* const base = slots.weights(layer, compute).base;
        compute.synchronize();
        expectAssembled(folder, layouts[static_cast<std::size_t>(layer)], format, base);
        areaOf[layer] = base;
    }
    EXPECT_EQ(areaOf[1], areaOf[3]) << "the one that was used longest ago is given away";
    EXPECT_NE(areaOf[1], areaOf[2]);
    // What is there is not unpacked again.
    std::byte* const first = const_cast<std::byte*>(areaOf[1]) + layouts[1].base.at(arch::TensorRole::kQ).offsetBytes;
    *first = std::byte{0x55};
    EXPECT_EQ(slots.weights(1, compute).base, areaOf[1]);
    compute.synchronize();
    EXPECT_EQ(*first, std::byte{0x55});
}

TEST(PackedWeights, areAssembledWhereTheyAreComputedWith) {
    const Folder dense, sparse(sparseModel());
    for (const Folder* folder : {&dense, &sparse})
        for (const WeightFormat format : kFormats) {
            SCOPED_TRACE(folder->spec.config.architecture);
            expectAreasInTurn(*folder, format);
        }
}

// Of more values than are made at once: a row of pieces, the last of which is smaller.
TEST(PackedWeights, thatAreMadeAreThoseOfTheWholeMatrix) {
    geometry::TensorPlace place;
    place.spec.name = "made";
    place.spec.shape = {3, 1001, 2040}; // a stack
    place.pitchElements = 2040;
    const int64_t rows = 3 * 1001, cols = 2040;
    geometry::TensorPlace whole = place;
    std::vector<float> values(static_cast<std::size_t>(rows * cols));
    model::fillRandom(whole, 5, reinterpret_cast<std::byte*>(values.data()));
    for (const WeightFormat format : kFormats) {
        place.packing = format;
        const auto size = static_cast<std::size_t>(geometry::PackedParts(format, rows, cols).bytes);
        std::vector<std::byte> made(size), packed(size);
        fillRandomly({{}, &place, made.data(), rows, cols}, 5);
        const HostTensor tensor{{}, &place, packed.data(), rows, cols};
        TensorPacker(tensor).pack(0, dense(values.data(), DType::kF32, rows, cols));
        EXPECT_EQ(made, packed) << static_cast<int>(format);
    }
}

TEST(PackedWeights, refuseWhatIsNoFiniteNumber) {
    Folder folder;
    const std::string name = "model.layers.1.mlp.up_proj.weight"; // [40, 24]
    const auto load = [&](WeightFormat format, DType operandType) {
        folder.write();
        const std::vector<geometry::LayerLayout> layouts = layoutsOf(folder.spec, format, operandType);
        HostWeightStore store(layouts, operandType, false);
        loadCheckpoint(store, folder.checkpoint());
    };
    for (const WeightFormat format : kFormats) {
        folder.values[name][3 * 24 + 1] = std::numeric_limits<float>::quiet_NaN();
        roundpipe::testing::expectError(ErrorKind::kInvalidInput, {name, "no finite number", "row 4"},
                                        [&] { load(format, DType::kF32); });
        folder.values[name][3 * 24 + 1] = 1e6f;
        roundpipe::testing::expectError(ErrorKind::kInvalidInput, {name, "65,504", "row 4"},
                                        [&] { load(format, DType::kF16); });
        load(format, DType::kBF16);
    }
}

} // namespace
} // namespace roundpipe::transfer
