// SPDX-License-Identifier: GPL-3.0-or-later
// Stacked experts on their way from a checkpoint: transposed there, or in mxfp4.
#include "arch/safetensors_write.h"
#include "base/mxfp4.h"
#include "geometry/packed_parts.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"
#include "transfer/load_checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace roundpipe::transfer {
namespace {

constexpr int64_t kExperts = 3, kHidden = 64, kInner = 32;

arch::ModelSpec smallModel(bool mxfp4) {
    arch::ModelConfig config;
    config.architecture = "GptOssForCausalLM";
    config.family = arch::Family::kGptOss;
    config.vocabSize = 11;
    config.hiddenSize = kHidden;
    config.intermediateSize = kInner;
    config.numLayers = 1;
    config.numHeads = 2;
    config.numKvHeads = 1;
    config.headDim = 8;
    config.attentionSinks = true;
    config.slidingWindow = {0};
    config.experts.count = kExperts;
    config.experts.perToken = 1;
    config.experts.intermediateSize = kInner;
    config.experts.normalised = config.experts.stacked = true;
    config.experts.mxfp4 = mxfp4;
    config.experts.sparse = {true};
    return arch::makeModelSpec(config);
}

// What is floating is counted up in fp32, from 0 in each tensor; what is packed is of bytes that differ.
struct Folder {
    explicit Folder(bool mxfp4) : spec(smallModel(mxfp4)) {
        for (const arch::LayerSpec& layer : spec.layers)
            for (const arch::TensorSpec& tensor : layer.tensors)
                for (const arch::StoredTensor& stored : arch::storedTensors(tensor)) {
                    int64_t count = 1;
                    for (const int64_t size : stored.shape)
                        count *= size;
                    std::vector<std::byte>& data = bytes[stored.name];
                    data.resize(static_cast<std::size_t>(count) * (stored.packed ? 1 : sizeof(float)));
                    for (int64_t i = 0; i < count; ++i)
                        if (stored.packed)
                            data[static_cast<std::size_t>(i)] =
                                std::byte(stored.name.ends_with("scales") ? 120 + i % 7 : i * 37 % 251);
                        else
                            reinterpret_cast<float*>(data.data())[i] = static_cast<float>(i % 9001);
                }
    }
    arch::Checkpoint checkpoint() {
        std::vector<arch::TensorToWrite> tensors;
        for (const arch::LayerSpec& layer : spec.layers)
            for (const arch::TensorSpec& tensor : layer.tensors)
                for (const arch::StoredTensor& stored : arch::storedTensors(tensor))
                    if (const auto found = bytes.find(stored.name); found != bytes.end())
                        tensors.push_back(
                            {stored.name, stored.packed ? typeOfPacked : DType::kF32, stored.shape, found->second});
        arch::writeSafetensors(folder.path() / "model.safetensors", tensors);
        return arch::Checkpoint::open(folder.path());
    }

    roundpipe::testing::TemporaryFolder folder;
    arch::ModelSpec spec;
    std::map<std::string, std::vector<std::byte>> bytes;
    DType typeOfPacked = DType::kU8;
};

std::vector<geometry::LayerLayout> layoutsOf(const arch::ModelSpec& spec, WeightFormat format,
                                             DType operandType = DType::kF32) {
    arch::LoraConfig lora;
    lora.rank = 2;
    return geometry::makeLayouts(spec, lora, operandType, format);
}

const HostTensor& gateUpOf(const HostWeightStore& store) {
    return *std::ranges::find(store.tensors(), arch::TensorRole::kExpertsGateUp,
                              [](const HostTensor& tensor) { return tensor.place->spec.role; });
}

using roundpipe::testing::expectError;

const std::string kGateUp = "model.layers.0.mlp.experts.gate_up_proj";

TEST(StoredExperts, areTransposedOnTheWay) {
    Folder folder(false);
    const auto layouts = layoutsOf(folder.spec, WeightFormat::kAsIs);
    HostWeightStore store(layouts, DType::kF32, false);
    loadCheckpoint(store, folder.checkpoint());
    const auto* found = reinterpret_cast<const float*>(gateUpOf(store).data);
    const auto* stored = reinterpret_cast<const float*>(folder.bytes.at(kGateUp).data());
    constexpr int64_t kOut = 2 * kInner;
    for (int64_t e = 0; e < kExperts; ++e)
        for (int64_t out = 0; out < kOut; ++out)
            for (int64_t in = 0; in < kHidden; ++in)
                ASSERT_EQ(found[(e * kOut + out) * kHidden + in], stored[(e * kHidden + in) * kOut + out]);
}

// As the format says, value by value; and packed, byte by byte as in the file.
TEST(StoredExperts, areUnpackedOrKeptPacked) {
    Folder folder(true);
    const std::vector<std::byte>&codes = folder.bytes.at(kGateUp + "_blocks"),
          &scales = folder.bytes.at(kGateUp + "_scales");
    const auto whole = layoutsOf(folder.spec, WeightFormat::kAsIs);
    HostWeightStore unpacked(whole, DType::kF32, false);
    loadCheckpoint(unpacked, folder.checkpoint());
    const auto* found = reinterpret_cast<const float*>(gateUpOf(unpacked).data);
    for (std::size_t i = 0; i < 2 * codes.size(); ++i) {
        const auto code = std::to_integer<std::size_t>(codes[i / 2] >> (i % 2 == 0 ? 0 : 4)) & 15;
        const int exponent = std::to_integer<int>(scales[i / 32]) - 127;
        ASSERT_EQ(found[i], std::ldexp(kE2m1Values[code], exponent)) << i;
    }
    const auto layouts = layoutsOf(folder.spec, WeightFormat::kMxfp4);
    HostWeightStore packed(layouts, DType::kF32, false);
    loadCheckpoint(packed, folder.checkpoint());
    const HostTensor& gateUp = gateUpOf(packed);
    const geometry::PackedParts parts(WeightFormat::kMxfp4, gateUp.rows, gateUp.cols);
    EXPECT_TRUE(std::equal(codes.begin(), codes.end(), gateUp.data));
    EXPECT_TRUE(std::equal(scales.begin(), scales.end(), gateUp.data + parts.scales));
}

TEST(StoredExperts, nameWhatIsMissingOrNoNumber) {
    const auto layouts = layoutsOf(smallModel(true), WeightFormat::kAsIs);
    const auto load = [&](Folder& folder) {
        HostWeightStore store(layouts, DType::kF32, false);
        loadCheckpoint(store, folder.checkpoint());
    };
    Folder without(true);
    without.bytes.erase(kGateUp + "_scales");
    expectError(ErrorKind::kInvalidInput, {kGateUp + "_scales", "missing"}, [&] { load(without); });
    Folder ofOtherType(true);
    ofOtherType.typeOfPacked = DType::kI8;
    expectError(ErrorKind::kInvalidInput, {kGateUp + "_blocks", "I8", "U8"}, [&] { load(ofOtherType); });
    Folder noNumber(true);
    noNumber.bytes.at(kGateUp + "_scales")[7] = std::byte{255};
    expectError(ErrorKind::kInvalidInput, {kGateUp + "_scales", "no number", "row 4"}, [&] { load(noNumber); });
    Folder tooLarge(true);
    std::ranges::fill(tooLarge.bytes.at(kGateUp + "_scales"), std::byte{127 + 15});
    const auto inFp16 = layoutsOf(tooLarge.spec, WeightFormat::kMxfp4, DType::kF16);
    HostWeightStore store(inFp16, DType::kF16, false);
    expectError(ErrorKind::kInvalidInput, {kGateUp, "65,504", "fp16"},
                [&] { loadCheckpoint(store, tooLarge.checkpoint()); });
    Folder whole(false); // of a config that says mxfp4
    expectError(ErrorKind::kInvalidInput, {"mlp.experts.down_proj", "no place"}, [&] { load(whole); });
}

} // namespace
} // namespace roundpipe::transfer
