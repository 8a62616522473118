// SPDX-License-Identifier: GPL-3.0-or-later
// The buffers of layers, of a microbatch and of a device, against sums worked out by hand.
#include "base/error.h"
#include "base/units.h"
#include "geometry/attention.h"
#include "geometry/attention_backend.h"
#include "geometry/batch_arrays.h"
#include "geometry/device_buffers.h"
#include "geometry/head.h"
#include "geometry/host_bytes.h"
#include "geometry/layer_sizes.h"
#include "geometry/saved_room.h"
#include "small_model.h"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <set>

namespace roundpipe::geometry {
namespace {

using testing::smallLora;
using testing::smallModel;

constexpr int64_t kTokens = 300; // of a microbatch: rows of one byte already fill more than one aligned piece

// Pieces of so many bytes a token.
int64_t rows(std::initializer_list<int64_t> bytesEach) {
    int64_t sum = 0;
    for (const int64_t bytes : bytesEach)
        sum += alignUp(kTokens * bytes);
    return sum;
}

ModelSizes sizesOf(const arch::ModelSpec& model, const arch::LoraConfig& lora, WeightFormat weights = {},
                   DType operandType = DType::kBF16) {
    return modelSizes(model, arch::trainedLayers(model, lora), {lora, operandType, weights, kTokens, 4});
}

TEST(Workspace, refusesToOverflowAndCountsWithoutMemory) {
    std::array<std::byte, 1024> memory;
    Workspace workspace(memory.data(), 1024);
    EXPECT_EQ(workspace.take(1), memory.data());
    EXPECT_EQ(workspace.take(700), memory.data() + 256);
    EXPECT_EQ(workspace.usedBytes(), 1024);
    EXPECT_THROW(workspace.take(1), Error);
    workspace.reset();
    EXPECT_EQ(workspace.take(1024), memory.data());
    Workspace counting;
    EXPECT_EQ(counting.take(1'000'000), nullptr);
    EXPECT_EQ(counting.usedBytes(), 1'000'192);
}

TEST(Buffers, lieApartAndKnowHowManyTheyAre) {
    std::array<std::byte, 2048> memory;
    Workspace workspace(memory.data(), 2048);
    const Buffers buffers(workspace, 3, 300);
    EXPECT_EQ(buffers[0], memory.data());
    EXPECT_EQ(buffers[2], memory.data() + 1024);
    EXPECT_EQ(buffers.bytes(), 3 * 512);
    EXPECT_EQ(workspace.usedBytes(), buffers.bytes());
    EXPECT_THROW(buffers[3], Error);
    Workspace counting;
    EXPECT_THROW(Buffers(counting, 3, 300)[0], Error) << "there is nothing to point to";
}

// Hidden 8, queries 16, keys 8, MLP 12, 4 and 2 heads, rank 3; two bytes an element, four a statistic.
TEST(BlockBuffers, areThoseOfADenseBlock) {
    const LayerSizes block = sizesOf(smallModel(), smallLora()).layers[1];
    const int64_t ofAttention = rows({32 + 16 + 16, 32, 4 * 4}) + rows({3 * 6, 6});
    const int64_t mlp = rows({24 + 24}) + rows({2 * 6, 6}); // gate and up, and what adapters keep
    const int64_t scratch = rows({16});
    const int64_t backward = rows({16, 3 * 6}) + alignUp(256 * (16 + 3) * 4); // q's B, o's A
    const int64_t rotated = rows({32, 16, 4 * 4}) + alignUp(2 * 8);           // with the frequencies
    const int64_t attention = rotated + rows({64, 32, 16, 16, 4, 4 * 4, 2 * 4, 4 * 4});
    EXPECT_EQ(block.saved, ofAttention + rows({16}) + mlp);
    EXPECT_EQ(block.savedWithoutGateUp, ofAttention + rows({16}));
    EXPECT_EQ(block.workspace, scratch + backward + attention);
    EXPECT_GT(attention, mlp + rows({24, 4})) << "the MLP's backward takes less";
    EXPECT_GT(backward + attention, rows({16}) + rotated + ofAttention) << "and so does a forward that keeps nothing";

    const LayerSizes dropping = sizesOf(smallModel(), smallLora(0.1)).layers[1];
    EXPECT_EQ(dropping.saved, block.saved);
    EXPECT_EQ(dropping.workspace, scratch + rows({8, 32}) + backward + rows({32}) + attention);

    // Without a QK-norm q and k are rotated in place; in fp64 nothing is widened.
    const LayerSizes plain = sizesOf(smallModel("LlamaForCausalLM"), smallLora(), {}, DType::kF64).layers[1];
    const int64_t savedByAttention = rows({256, 128, 4 * 8}) + rows({3 * 24, 24});
    const int64_t table = rows({4 * 8}) + alignUp(2 * 8);
    EXPECT_EQ(plain.saved, savedByAttention + rows({64, 96 + 96}) + rows({2 * 24, 24}));
    EXPECT_EQ(plain.workspace, rows({64}) + std::max(rows({64}) + table + savedByAttention,
                                                     rows({64, 3 * 24}) + table + rows({256, 128, 64, 64, 8, 4 * 8})));
}

// Two of five experts of 20 a token.
TEST(BlockBuffers, areThoseOfASparseBlock) {
    const LayerSizes block =
        sizesOf(
            smallModel("Qwen3MoeForCausalLM", R"(,"num_experts":5,"num_experts_per_tok":2,"moe_intermediate_size":20)"),
            smallLora())
            .layers[1];
    const int64_t ofAttention = rows({64, 32, 4 * 4, 16}) + rows({3 * 6, 6});
    const int64_t experts = rows({5 * 4, 2 * 2, 8, 8, 8, 160}) + alignUp(6 * 4);
    const int64_t backward = rows({16, 3 * 6}) + alignUp(256 * (16 + 3) * 4);
    EXPECT_EQ(block.saved, ofAttention + experts);
    EXPECT_EQ(block.savedWithoutGateUp, ofAttention);
    EXPECT_EQ(block.workspace, rows({16}) + backward + experts + rows({5 * 2, 80, 32}) + rows({4, 2 * 2}));
}

// Beside the same block without it: its gate and up, xA of its four linears, its weight; activation and gradient of the
// weight while it computes.
TEST(BlockBuffers, ofASparseBlockHaveRoomForASharedExpert) {
    const auto sizesWith = [](int64_t sharedSize, double dropout) {
        arch::ModelConfig config =
            smallModel("Qwen3MoeForCausalLM", R"(,"num_experts":5,"num_experts_per_tok":2,"moe_intermediate_size":20)")
                .config;
        config.experts.sharedSize = sharedSize;
        return sizesOf(arch::makeModelSpec(config), smallLora(dropout)).layers[1];
    };
    const LayerSizes plain = sizesWith(0, 0), shared = sizesWith(12, 0);
    const int64_t saved = rows({2, 2 * 24, 2 * 6, 6, 6});
    EXPECT_EQ(shared.saved - plain.saved, saved);
    EXPECT_EQ(shared.savedWithoutGateUp, plain.savedWithoutGateUp);
    EXPECT_EQ(shared.workspace - plain.workspace, saved + rows({24, 2}));
    // With dropout the widest input of a linear, twice: 48 columns in the place of 20.
    const int64_t wide = rows({96, 96}) - rows({40, 40});
    EXPECT_EQ(sizesWith(48, 0.1).workspace - sizesWith(0, 0.1).workspace,
              rows({2, 2 * 96, 2 * 6, 6, 6, 96, 2}) + wide + alignUp(256 * (48 + 3) * 4) - alignUp(256 * 19 * 4));
}

TEST(HeadBuffers, keepTheLogitsOfAChunkWithinTheirLimit) {
    EXPECT_EQ(headChunkRows(151'936, 100'000, DType::kBF16), 768);
    EXPECT_EQ(headChunkRows(151'936, 100, DType::kBF16), 100);
    EXPECT_EQ(headChunkRows(int64_t{1} << 40, 100, DType::kBF16), 1);
    EXPECT_EQ(headChunkRows(151'936, 0, DType::kBF16), 1);
    // All rows in one chunk: hidden, normed and its gradient, logits, xA and delta of no adapter.
    const LayerSizes head = sizesOf(smallModel(), smallLora(0.1)).layers[3];
    EXPECT_EQ(head.saved, 0);
    EXPECT_EQ(head.workspace, rows({16, 16, 16, 22, 4, 4, 4, 8}));
    const LayerSizes adapted = sizesOf(smallModel(), {3, 6, 0.1, false, {"lm_head"}}).layers[3];
    EXPECT_EQ(adapted.workspace, head.workspace + 2 * rows({6}) + rows({8, 8, 16, 16}) + alignUp(256 * (11 + 3) * 4));
}

TEST(LayerSizes, areThoseOfEveryLayerAndAMicrobatch) {
    const ModelSizes sizes = sizesOf(smallModel(), smallLora());
    ASSERT_EQ(sizes.numLayers(), 4);
    EXPECT_EQ(sizes.firstTrainable, 1);
    EXPECT_EQ(sizes.packetBytes, kTokens * 8 * 2);
    EXPECT_EQ(sizes.batchBytes, 4 * rows({4}) + alignUp(5 * 4) + alignUp(4 * 8));
    EXPECT_EQ(sizes.layers[0].saved + sizes.layers[0].workspace + sizes.layers[0].gradients, 0);
    EXPECT_EQ(sizes.layers[0].hostBase, alignUp(11 * 8 * 2));
    const LayerSizes& block = sizes.layers[2];
    EXPECT_EQ(block.name, "block 1");
    EXPECT_EQ(block.trainedElements, 3 * ((8 + 16) + 2 * (8 + 8) + (16 + 8) + 3 * (8 + 12)));
    EXPECT_EQ(block.adapterUp, 2 * block.trainedElements);
    EXPECT_EQ(block.gradientsDown, 4 * block.trainedElements);
    EXPECT_EQ(block.gradients, alignUp(block.gradientsDown));
    EXPECT_EQ(sizesOf(smallModel(), {3, 6, 0, false, {"lm_head"}}).firstTrainable, 3);

    const HostBytes host = hostBytes(sizes.layers);
    EXPECT_EQ(host.versions, 2 * 2 * alignUp(block.adapterUp));
    EXPECT_EQ(host.gradients, 2 * block.gradients);
    EXPECT_EQ(host.checkpoint, 3 * 2 * block.gradientsDown);
}

TEST(LayerSizes, haveAStampBeforeTheWeights) {
    const LayerSizes block = sizesOf(smallModel(), smallLora()).layers[1];
    EXPECT_EQ(block.weights, alignUp(sizeof(SlotStamp)) + alignUp(block.hostBase) + alignUp(block.adapterUp));
}

TEST(LayerSizes, countWhatStaysPackedAndWhereItIsAssembled) {
    const LayerSizes whole = sizesOf(smallModel(), smallLora()).layers[1];
    const LayerSizes packed = sizesOf(smallModel(), smallLora(), WeightFormat::kInt8).layers[1];
    EXPECT_LT(packed.baseUp, whole.baseUp);
    EXPECT_EQ(packed.weights, alignUp(sizeof(SlotStamp)) + alignUp(packed.hostBase) + alignUp(packed.adapterUp));
    EXPECT_EQ(packed.assembled, alignUp(whole.hostBase));
    EXPECT_EQ(whole.assembled, 0);
    EXPECT_EQ(sizesOf(smallModel(), smallLora(), WeightFormat::kMxfp4).layers[1].weights, whole.weights)
        << "a dense block has no experts to pack";
}

TEST(DeviceBuffers, areAllThatAPipelineUsesInTurn) {
    const DeviceNeeds needs{.weights = {{}, {{SlotKind::kTable, 1000}, {SlotKind::kBlock, 300, 2}}},
                            .gradients = {10, 700},
                            .hidden = 4,
                            .innerGradients = 2,
                            .packet = 600,
                            .saved = 5000,
                            .workspace = 7000,
                            .batch = 512,
                            .numMicrobatches = 40};
    std::vector<std::byte> memory(100'000);
    Workspace workspace(memory.data(), static_cast<int64_t>(memory.size()));
    const DeviceBuffers buffers(needs, workspace);
    EXPECT_EQ(workspace.usedBytes(),
              1024 + 512 + 256 + 768 + (2 + 2 + 3 + 4 + 2) * 768 + 5120 + 7168 + 2 * (40 * 512 + 512));
    std::set<std::byte*> starts(buffers.weights.allSlots.begin(), buffers.weights.allSlots.end());
    for (const Buffers* each :
         {&buffers.inputs, &buffers.outputGradients, &buffers.outgoing, &buffers.trainedGradients[0],
          &buffers.trainedGradients[1], &buffers.hidden, &buffers.saved, &buffers.scratchGradients, &buffers.workspace,
          &buffers.batches, &buffers.losses})
        for (std::size_t i = 0; i < each->size(); ++i)
            EXPECT_TRUE(starts.insert((*each)[i]).second);
    EXPECT_EQ(starts.size(), 2u + 2 + 2 + 3 + 2 + 4 + 1 + 2 + 1 + 2 + 2);
}

// Two areas of their own, one in which the others take turns.
TEST(SavedRoom, isSharedByLayersOfWhichTheInputAloneIsSaved) {
    LayerSizes small, large;
    small.saved = 1000;
    small.savedWithoutGateUp = 300;
    large.saved = 3000;
    large.savedWithoutGateUp = 700;
    SavedRoom room;
    room.add(small, Saving::kInput);
    EXPECT_EQ(room.bytes(), 512);
    room.add(large, Saving::kAll);
    room.add(small, Saving::kWithoutGateUp);
    EXPECT_EQ(room.own, 3072 + 512);
    room.add(large, Saving::kInput);
    room.add(small, Saving::kInput);
    EXPECT_EQ(room.inTurns, 768);
    EXPECT_EQ(room.bytes(), 768 + 3072 + 512);
    for (const Saving what : {Saving::kAll, Saving::kWithoutGateUp})
        room.add(large, {what, true});
    EXPECT_EQ(room.bytes(), 768 + 3072 + 512) << "what comes from the host has buffers of its own";
    SavedRoom fromHost;
    fromHost.add(large, {Saving::kInput, true});
    EXPECT_EQ(fromHost.bytes(), 768) << "it is computed again from there";
    EXPECT_EQ(alignUp(LayerSizes{}.saved), 0) << "an embedding or a head takes none";
}

TEST(LayerSaving, isReadAsItIsWritten) {
    for (const Saving what : {Saving::kAll, Saving::kWithoutGateUp, Saving::kInput})
        for (const bool onHost : {false, true}) {
            const LayerSaving saving{what, onHost};
            EXPECT_EQ(layerSavingFrom(saving.spelling()), saving) << saving.spelling();
        }
    // Plans of before there was a choice of what lies in host memory.
    EXPECT_EQ(layerSavingFrom("on-host"), LayerSaving(Saving::kAll, true));
    EXPECT_EQ(layerSavingFrom("all"), LayerSaving(Saving::kAll));
    EXPECT_FALSE(layerSavingFrom("nothing"));
}

TEST(BatchArrays, takeNoMoreThanTheLargestMicrobatch) {
    const int64_t most = BatchArrays::maxBytes(300, 7);
    for (const auto& [tokens, sequences, trained] :
         {std::array<int64_t, 3>{300, 7, 300}, {300, 1, 0}, {1, 1, 1}, {129, 7, 128}}) {
        Workspace counting;
        BatchArrays(counting, tokens, sequences, trained);
        EXPECT_LE(counting.usedBytes(), most);
    }
}

TEST(AttentionBackend, isALibraryWhereItTakesTheShape) {
    using enum AttentionBackend;
    EXPECT_EQ(attentionBackend(true, 89, DType::kBF16, 128), kFlash);
    EXPECT_EQ(attentionBackend(true, 0, DType::kBF16, 128), kFlash) << "not known";
    EXPECT_EQ(attentionBackend(true, 86, DType::kF16, 256), kFlash);
    EXPECT_EQ(attentionBackend(true, 120, DType::kBF16, 128), kFlash);
    EXPECT_EQ(attentionBackend(true, 90, DType::kBF16, 128), kCudnn);
    EXPECT_EQ(attentionBackend(false, 0, DType::kBF16, 128), kOwnKernels);
    EXPECT_EQ(attentionBackend(true, 90, DType::kF32, 128), kOwnKernels);
    EXPECT_EQ(attentionBackend(true, 90, DType::kBF16, 12), kOwnKernels);
    EXPECT_EQ(attentionBackend(true, 90, DType::kBF16, 264), kOwnKernels);
}

TEST(CudnnSize, isOneOfFew) {
    std::set<std::array<int64_t, 3>> sizes;
    for (int64_t tokens = 1; tokens <= 8192; ++tokens) {
        const CudnnSize size(1 + tokens % 16, 1 + tokens / 4, tokens);
        EXPECT_GE(size.sequences, 1 + tokens % 16);
        EXPECT_GE(size.length, 1 + tokens / 4);
        EXPECT_GE(size.tokens, tokens);
        EXPECT_LE(4 * size.tokens, 5 * tokens + 4) << "a quarter more at most";
        sizes.insert({size.sequences, size.length, size.tokens});
    }
    EXPECT_LE(sizes.size(), 5 * 14 * 4);
    EXPECT_EQ(CudnnSize(3, 1, 3).length, 2) << "sequences of one token each: cuDNN refuses 1";
    const CudnnSize exact(4, 2048, 8192);
    EXPECT_EQ((std::array{exact.sequences, exact.length, exact.tokens}), (std::array<int64_t, 3>{4, 2048, 8192}));
}

// As cuDNN 9.19 asked for on an H200 (tests/bench/RESULTS.md), in MiB.
TEST(AttentionBackend, countsWhatCudnnAsksFor) {
    const auto mebibytes = [](const CudnnSize& size, int64_t heads, int64_t headDim, bool deterministic) {
        return static_cast<double>(cudnnBackwardBytes(size, heads, headDim, deterministic)) / kMiB;
    };
    EXPECT_NEAR(mebibytes({4, 2048, 8192}, 32, 128, false), 385.0, 0.1);
    EXPECT_NEAR(mebibytes({4, 2048, 8192}, 32, 128, true), 1281.0, 0.1);
    EXPECT_NEAR(mebibytes({1, 2048, 2048}, 32, 128, false), 96.3, 0.1);
    EXPECT_NEAR(mebibytes({8, 2048, 16'384}, 16, 128, false), 385.0, 0.1);
    EXPECT_NEAR(mebibytes({1, 32'768, 32'768}, 32, 128, false), 1540.0, 0.1);
    EXPECT_NEAR(mebibytes({4, 2048, 8192}, 32, 64, false), 193.0, 0.1);
}

TEST(AttentionBackend, goesByCudnnWhereScoresFit) {
    EXPECT_EQ(cudnnSequencesAtOnce(32, 2048), 4);
    EXPECT_EQ(cudnnSequencesAtOnce(32, 1025), 4) << "as 2048";
    EXPECT_EQ(cudnnSequencesAtOnce(32, 4096), 1);
    EXPECT_EQ(cudnnSequencesAtOnce(32, 4097), 0);
    EXPECT_EQ(cudnnSequencesAtOnce(12, 2048), 8) << "a power of two";
    using enum AttentionBackend;
    const auto bytes = [](AttentionBackend backend, int64_t tokens, int64_t length, bool deterministic) {
        return backendBytes(backend, {tokens, length, 32, 128, deterministic, 132});
    };
    EXPECT_EQ(bytes(kCudnn, 8192, 2048, true), cudnnBackwardBytes({4, 2048, 8192}, 32, 128, true));
    EXPECT_EQ(bytes(kCudnn, 16'384, 2048, true), cudnnBackwardBytes({4, 2048, 16'384}, 32, 128, true)) << "in turns";
    EXPECT_EQ(bytes(kCudnn, 8192, 2048, false), cudnnBackwardBytes({4, 2048, 8192}, 32, 128, false));
    EXPECT_EQ(backendBytes(kCudnn, {8192, 2048, 32, 128, false, 132, 1024}),
              bytes(kCudnn, 8192, 2048, false) + int64_t{2} * 1024 * 8192)
        << "v, copied";
    EXPECT_EQ(backendBytes(kCudnn, {8192, 2048, 32, 128, true, 132, 1024}), bytes(kCudnn, 8192, 2048, true));
    EXPECT_EQ(bytes(kCudnn, 65'536, 65'536, true), bytes(kFlash, 65'536, 65'536, true));
    EXPECT_EQ(bytes(kCudnn, 8192, 8192, true), cudnnBackwardBytes({1, 4096, 8192}, 32, 128, true))
        << "for shorter sequences in as large a microbatch";
}

TEST(AttentionBackend, keepsManySumsOfFewSequencesWhereTheirOrderIsFixed) {
    using enum AttentionBackend;
    const auto bytes = [](int64_t tokens, int64_t length, int64_t heads, bool deterministic) {
        return backendBytes(kFlash, {tokens, length, heads, 128, deterministic, 132});
    };
    const auto expected = [](int64_t tokens, int64_t sequences, int64_t heads, int64_t sums) {
        return (8 * tokens + 4 * sums * (tokens + 128 * sequences)) * heads * 128;
    };
    // 132 multiprocessors, a block of each head and sequence on each: 9, 5 and 3 sums.
    EXPECT_EQ(bytes(73'728, 73'728, 16, true), expected(73'728, 1, 16, 9));
    EXPECT_EQ(bytes(49'152, 49'152, 32, true), expected(49'152, 1, 32, 5));
    EXPECT_EQ(bytes(8'192, 2'048, 16, true), expected(8'192, 4, 16, 3));
    EXPECT_EQ(bytes(49'152, 49'152, 32, false), expected(49'152, 1, 32, 1));
    // Two full sequences with two sums each take more than the two and a half that fit, with one.
    EXPECT_EQ(bytes(250, 100, 66, true), std::max(expected(250, 3, 66, 1), expected(100, 1, 66, 2)));
    EXPECT_EQ(bytes(2'500, 1'000, 44, true),
              std::max({expected(1'000, 1, 44, 3), expected(2'000, 2, 44, 2), expected(2'500, 3, 44, 1)}));
    EXPECT_EQ(backendBytes(kOwnKernels, {1000, 1000, 16, 128, true, 132}), 0);
}

} // namespace
} // namespace roundpipe::geometry
