// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/host_blobs.h"
#include "geometry/linear.h"
#include "geometry/packed_parts.h"
#include "geometry/workspace.h"
#include "small_model.h"

#include <gtest/gtest.h>

namespace roundpipe::geometry {
namespace {

using testing::smallLora;
using testing::smallModel;

constexpr const char* kTied = R"(,"tie_word_embeddings":true)";

TEST(Layout, placesTensorsAlignedAndApart) {
    for (const LayerLayout& layout : makeLayouts(smallModel(), smallLora(), DType::kBF16)) {
        int64_t end = 0;
        for (const TensorPlace& place : layout.base.tensors) {
            EXPECT_EQ(place.offsetBytes % kAlignmentBytes, 0);
            EXPECT_GE(place.offsetBytes, end);
            end = place.offsetBytes + place.spec.numElements() * 2;
        }
        EXPECT_GE(layout.base.bytes, end);
    }
}

TEST(Layout, adapterIsCompact) {
    const AdapterLayout adapter = makeLayouts(smallModel(), smallLora(), DType::kF32)[1].adapter;
    ASSERT_EQ(adapter.linears.size(), 7u);
    int64_t end = 0;
    for (const AdapterPlace& place : adapter.linears) {
        EXPECT_EQ(place.offsetA, end);
        end += adapter.rank * place.linear.inFeatures;
    }
    for (const AdapterPlace& place : adapter.linears) {
        EXPECT_EQ(place.offsetB, end);
        end += adapter.rank * place.linear.outFeatures;
    }
    EXPECT_EQ(adapter.numElements, end);
    EXPECT_DOUBLE_EQ(adapter.scale, 2);
}

LinearGroup qkvOf(const LayerLayout& layout) {
    return {layout,
            {{arch::TensorRole::kQ, arch::TensorRole::kQBias},
             {arch::TensorRole::kK, arch::TensorRole::kKBias},
             {arch::TensorRole::kV, arch::TensorRole::kVBias}}};
}

std::vector<int64_t> rowsOfAdapters(const LinearGroup& group) {
    std::vector<int64_t> rows;
    for (const AdapterRows& each : group.adapters)
        rows.push_back(each.rows);
    return rows;
}

// q, k and v have 16, 8 and 8 rows of 8 columns.
TEST(LinearGroup, isOneProductOfWhatLiesTogether) {
    const LayerLayout layout = makeLayouts(smallModel(), smallLora(), DType::kF64)[1];
    const LinearGroup qkv = qkvOf(layout);
    ASSERT_EQ(qkv.weights.size(), 1u);
    EXPECT_EQ(qkv.weights[0].weight.spec.shape, (std::vector<int64_t>{32, 8}));
    EXPECT_EQ(qkv.outFeatures(), 32);
    EXPECT_EQ(rowsOfAdapters(qkv), std::vector<int64_t>{9});
    EXPECT_EQ(qkv.adapterColumns(), 9);
    EXPECT_EQ(qkv.linears[2].column, 24);
    EXPECT_EQ(qkv.linears[2].adapterColumn, 6);
    EXPECT_EQ(qkv.gradientWidth(), 16 + 3) << "of q's B; no weight is trained";

    const LayerLayout trained = makeLayouts(smallModel(), arch::Trained::weights(), DType::kF64)[1];
    ASSERT_EQ(qkvOf(trained).weights.size(), 1u);
    EXPECT_TRUE(qkvOf(trained).weights[0].isTrained);
    EXPECT_EQ(qkvOf(trained).gradientWidth(), 32 + 8);
    EXPECT_EQ(qkvOf(trained).adapterColumns(), 0);
}

TEST(LinearGroup, isSeveralWhereSomethingLiesBetween) {
    const LinearGroup padded = qkvOf(makeLayouts(smallModel(), smallLora(), DType::kBF16)[1]);
    ASSERT_EQ(padded.weights.size(), 2u) << "k's 128 bytes are padded";
    EXPECT_EQ(padded.weights[0].outFeatures(), 24);
    EXPECT_EQ(padded.weights[1].column, 24);
    EXPECT_EQ(padded.adapters.size(), 1u) << "adapters have no padding";

    const LinearGroup biased = qkvOf(makeLayouts(smallModel("Qwen2ForCausalLM"), smallLora(), DType::kF64)[1]);
    EXPECT_EQ(biased.weights.size(), 3u) << "biases of 128 and 64 bytes are padded";
    EXPECT_EQ(biased.apart.size(), 3u) << "for dropout: each adapter has a mask of its own";
    EXPECT_EQ(biased.apart[2].column, 6);

    LayerLayout apart = makeLayouts(smallModel(), arch::Trained::weights(), DType::kF64)[1];
    for (TensorPlace& place : apart.base.tensors)
        if (place.spec.role == arch::TensorRole::kV) place.gradientOffset += 8;
    EXPECT_EQ(qkvOf(apart).weights.size(), 2u) << "gradients are one product, too";
}

TEST(LinearGroup, joinsTheAdaptersThatThereAre) {
    arch::LoraConfig lora = smallLora();
    lora.targets = {"q_proj", "v_proj"};
    const LinearGroup qkv = qkvOf(makeLayouts(smallModel(), lora, DType::kF64)[1]);
    EXPECT_EQ(rowsOfAdapters(qkv), std::vector<int64_t>{6});
    EXPECT_EQ(qkv.adapterColumns(), 6);
    EXPECT_EQ(qkv.linears[1].rank, 0);
    EXPECT_EQ(qkv.linears[2].adapterColumn, 3);
    lora.targets = {"o_proj"};
    EXPECT_FALSE(qkvOf(makeLayouts(smallModel(), lora, DType::kF64)[1]).isAdapted());
}

TEST(HostBlobs, lieSideBySideAndTravelInAsFewPiecesAsCanBe) {
    const auto layouts = makeLayouts(smallModel("Qwen3ForCausalLM", kTied), smallLora(), DType::kBF16);
    const auto blobs = hostBlobs(layouts);
    ASSERT_EQ(blobs.size(), 4u);
    for (std::size_t l = 0; l < blobs.size(); ++l) {
        const bool isHead = l == 3;
        EXPECT_EQ(blobs[l].segments.size(), isHead ? 2u : 1u) << "the tied table comes from elsewhere";
        for (std::size_t t = 0; t < blobs[l].tensors.size(); ++t) {
            const TensorPlace& place = layouts[l].base.tensors[t];
            const bool isShared = place.spec.role == arch::TensorRole::kLmHead;
            EXPECT_EQ(blobs[l].tensors[t].owner, isShared ? 0 : l);
            EXPECT_EQ(blobs[l].tensors[t].offset, isShared ? 0 : place.offsetBytes) << "as on the device";
        }
    }
    EXPECT_EQ(blobs[0].bytes, alignUp(11 * 8 * 2));
    EXPECT_EQ(blobs[3].bytes, alignUp(8 * 2));
    EXPECT_EQ(blobs[3].uploadBytes(), 8 * 2 + 11 * 8 * 2);
    const TensorPlace& last = layouts[1].base.tensors.back();
    EXPECT_EQ(blobs[1].uploadBytes(), last.offsetBytes + last.hostBytes()) << "without what pads the last tensor";
}

TEST(HostBlobs, packOnlyMatricesOfBlocks) {
    const arch::ModelSpec model = smallModel();
    const auto adapted = arch::trainedLayers(model, smallLora());
    const LayerLayout block = makeLayout(model.layers[1], adapted[1], smallLora(), DType::kBF16, WeightFormat::kNf4);
    EXPECT_TRUE(block.hasPacked());
    int64_t bytes = 0;
    for (const TensorPlace& place : block.base.tensors) {
        const int64_t count = place.spec.numElements();
        EXPECT_EQ(isPacked(place.packing), place.spec.shape.size() == 2);
        EXPECT_EQ(place.hostBytes(), isPacked(place.packing)
                                         ? PackedParts(WeightFormat::kNf4, place.rows(), place.spec.shape.back()).bytes
                                         : count * 2);
        EXPECT_EQ(place.slotOffset, bytes);
        bytes += alignUp(place.hostBytes());
    }
    const std::vector layouts{block};
    EXPECT_EQ(block.base.slotBytes, bytes);
    EXPECT_EQ(hostBlobs(layouts)[0].bytes, bytes);
    EXPECT_EQ(hostBlobs(layouts)[0].segments.size(), 1u) << "they land side by side, as they lie";
    EXPECT_FALSE(makeLayout(model.layers[0], adapted[0], smallLora(), DType::kBF16, WeightFormat::kNf4).hasPacked());
    EXPECT_FALSE(makeLayout(model.layers[1], adapted[1], smallLora(), DType::kBF16, WeightFormat::kMxfp4).hasPacked());
}

} // namespace
} // namespace roundpipe::geometry
