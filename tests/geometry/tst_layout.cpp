// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/host_blobs.h"
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
        EXPECT_EQ(place.offsetB, end + adapter.rank * place.linear.inFeatures);
        end = place.offsetB + adapter.rank * place.linear.outFeatures;
    }
    EXPECT_EQ(adapter.numElements, end);
    EXPECT_DOUBLE_EQ(adapter.scale, 2);
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
    const LayerLayout block = makeLayout(model.layers[1], adapted[1], smallLora(), DType::kBF16, kPacked4Bit);
    EXPECT_TRUE(block.hasPacked());
    int64_t bytes = 0;
    for (const TensorPlace& place : block.base.tensors) {
        const int64_t count = place.spec.numElements();
        EXPECT_EQ(place.packing.packed(), place.spec.shape.size() == 2);
        EXPECT_EQ(place.hostBytes(), place.packing.packed() ? count / 2 + (count + 63) / 64 * 2 : count * 2);
        bytes += alignUp(place.hostBytes());
    }
    const std::vector layouts{block};
    EXPECT_EQ(hostBlobs(layouts)[0].bytes, bytes);
    EXPECT_EQ(hostBlobs(layouts)[0].segments.size(), 1u) << "they land side by side, as they lie";
    EXPECT_FALSE(makeLayout(model.layers[0], adapted[0], smallLora(), DType::kBF16, kPacked4Bit).hasPacked());
    EXPECT_FALSE(makeLayout(model.layers[1], adapted[1], smallLora(), DType::kBF16, kPackedMxfp4).hasPacked());
}

} // namespace
} // namespace roundpipe::geometry
