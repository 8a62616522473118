// SPDX-License-Identifier: GPL-3.0-or-later
// Linears whose frozen weights are multiplied in FP8, as a GPU with such units does, by the twin of its way: against
// plain products, and how far they are from those in full.
#include "base/error.h"
#include "base/fp8.h"
#include "geometry/attention.h"
#include "geometry/packed_parts.h"
#include "kernels/packing.h"
#include "layer_case.h"
#include "model/compute/fp8_products.h"
#include "reference.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <cstring>

namespace roundpipe::testing {
namespace {

using enum model::Fp8Products;

at::Tensor asFp8(const at::Tensor& values) {
    return values.to(at::kFloat8_e4m3fn);
}

TEST(E4m3, isThatOfLibTorchToTheBit) {
    std::vector<float> values;
    for (uint32_t bits = 0; bits < 0x10000; ++bits) { // all of bf16, and between them
        for (const uint32_t low : {0u, 1u, 0x7fffu, 0x8000u}) {
            const float value = bitsAs<float>(bits << 16 | low);
            if (std::abs(value) <= kLargestE4m3) values.push_back(value);
        }
    }
    const at::Tensor all = at::from_blob(values.data(), {std::ssize(values)}, at::kFloat);
    const at::Tensor codes = asFp8(all).view(at::kByte), back = asFp8(all).to(at::kFloat);
    for (int64_t i = 0; i < std::ssize(values); ++i) {
        const uint8_t code = toE4m3(values[static_cast<std::size_t>(i)]);
        ASSERT_EQ(code, codes.const_data_ptr<uint8_t>()[i]) << values[static_cast<std::size_t>(i)];
        ASSERT_EQ(fromE4m3(code), back.const_data_ptr<float>()[i]);
    }
}

TEST(PackFp8, givesTheCodesOfLibTorch) {
    for (const auto type : {at::kFloat, at::kBFloat16}) {
        const at::Tensor weights = (at::randn({40, 300}) * 0.05).to(type).to(at::kFloat);
        const at::Tensor scales = weights.abs().amax(1, true) / kLargestE4m3;
        const at::Tensor expected = asFp8(weights / scales).view(at::kByte);
        std::vector<uint8_t> codes(300);
        for (int64_t row = 0; row < weights.size(0); ++row) {
            float scale = 0;
            kernels::packFp8Row(weights[row].const_data_ptr<float>(), 300, codes.data(), &scale);
            ASSERT_EQ(scale, scales[row].item<float>());
            ASSERT_EQ(std::memcmp(codes.data(), expected[row].const_data_ptr<uint8_t>(), codes.size()), 0) << row;
        }
    }
}

// q, k and v of a block whose base is packed in FP8: with biases, of two widths, with adapters.
struct Fp8Case {
    explicit Fp8Case(DType type)
        : dtype(type)
        , config(configOf())
        , layout(geometry::makeLayouts(arch::makeModelSpec(config), tinyLora(0), dtype, WeightFormat::kFp8)[1])
        , weights(layout, dtype, 3)
        , half(config, layout, dtype)
        , packed(layout.base.slotBytes)
        , transposed(layout.base.bytes)
        , device(dtype, 256)
        , x(randomValues(kTokens * in(), dtype, 1, 5))
        , dy(randomValues(kTokens * out(), dtype, 1, 6)) {
        RP_CHECK(layout.mayMultiplyFp8());
        std::memcpy(transposed.data(), weights.base.data(), static_cast<std::size_t>(layout.base.bytes));
        for (const geometry::TensorPlace& place : layout.base.tensors)
            if (place.mayMultiplyFp8) pack(place);
    }

    static arch::ModelConfig configOf() {
        arch::ModelConfig config = tinyConfig(arch::Family::kQwen2);
        config.hiddenSize = 64;
        config.headDim = 32;
        config.intermediateSize = 96;
        return config;
    }

    // In the slot, transposed, and what is unpacked of it: which takes the place of the weights.
    void pack(const geometry::TensorPlace& place) {
        const int64_t rows = place.rows(), cols = place.spec.shape.back();
        const geometry::PackedParts parts(WeightFormat::kFp8, rows, cols);
        auto* const codes = reinterpret_cast<uint8_t*>(packed.data() + place.slotOffset);
        auto* const scales = reinterpret_cast<float*>(packed.data() + place.slotOffset + parts.scales);
        Matrix whole = dense(weights.base.data() + place.offsetBytes, dtype, rows, cols);
        whole.pitch = place.pitchElements;
        std::vector<float> values(static_cast<std::size_t>(cols));
        for (int64_t row = 0; row < rows; ++row) {
            kernels::convert({}, rowsOf(whole, row, 1), 1, dense(values.data(), DType::kF32, 1, cols));
            kernels::packFp8Row(values.data(), cols, codes + row * cols, scales + row);
        }
        kernels::transposeCodes({}, codes, rows, cols,
                                reinterpret_cast<uint8_t*>(transposed.data() + place.offsetBytes));
        kernels::unpackFp8({}, codes, scales, whole);
    }

    int64_t in() const { return half.qkv.inFeatures(); }
    int64_t out() const { return half.qkv.outFeatures(); }

    struct Result {
        at::Tensor y, dx;
    };
    Result run(model::Fp8Products products) {
        device.compute.fp8 = products;
        const bool inFp8 = products != model::Fp8Products::kNone;
        const model::LayerWeights view{inFp8 ? transposed.data() : weights.base.data(), weights.adapter.data(),
                                       packed.data()};
        const Buffer y = zeros(out()), xA = zeros(half.qkv.adapterColumns()), dx = zeros(in()),
                     delta = zeros(half.qkv.adapterColumns()), sums(layout.gradientElements * 8), scratch(kScratch);
        geometry::Workspace memory(scratch.data(), kScratch);
        model::LinearCall call{device.compute, view, {}};
        call.delta = delta.data();
        call.quantised = geometry::QuantisedRows(memory, kTokens, half.qkv.codeColumns());
        const auto matrix = [&](const Buffer& data, int64_t cols) { return dense(data.data(), dtype, kTokens, cols); };
        const Matrix gradient = matrix(dx, in());
        linearForward(call, half.qkv, matrix(x, in()), matrix(xA, half.qkv.adapterColumns()), matrix(y, out()));
        inputGradient(call, half.qkv, matrix(dy, out()), &gradient);
        return {toDouble(y.data(), dtype, kTokens, out()), toDouble(dx.data(), dtype, kTokens, in())};
    }
    Buffer zeros(int64_t cols) const { return randomValues(kTokens * cols, dtype, 0, 1); }

    static constexpr int64_t kTokens = 50, kScratch = 1 << 16;
    DType dtype;
    arch::ModelConfig config;
    geometry::LayerLayout layout;
    RandomWeights weights;
    geometry::AttentionHalf half;
    Buffer packed, transposed;
    CpuCompute device;
    Buffer x, dy;
};

// By a fiftieth of their norm: a value of e4m3 is one of 8 to a factor of two, and terms of a sum are off to either
// side.
TEST(Fp8Linears, areOffByTheRoundingOfTheirInputs) {
    for (const auto& [dtype, products] :
         {std::pair{DType::kF32, kScaled}, {DType::kBF16, kScaled}, {DType::kBF16, kScaledAfter}}) {
        Fp8Case given(dtype);
        const Fp8Case::Result plain = given.run(kNone), fp8 = given.run(products);
        const double forward = relativeError(fp8.y, plain.y), backward = relativeError(fp8.dx, plain.dx);
        std::printf("[          ] %s: outputs %.4f, gradients %.4f of their norm\n", toString(dtype), forward,
                    backward);
        EXPECT_GT(forward, 0.01);
        EXPECT_LT(forward, 0.035);
        EXPECT_GT(backward, 0.01);
        EXPECT_LT(backward, 0.035);
        const Fp8Case::Result again = given.run(products);
        EXPECT_TRUE(again.y.equal(fp8.y) && again.dx.equal(fp8.dx));
    }
}

// What a product of inputs that are exact in e4m3 gives is that of any other.
TEST(Fp8Linears, areExactWhereTheirInputsAre) {
    Fp8Case given(DType::kF32);
    const auto makeExact = [](const Buffer& buffer, int64_t rows, int64_t cols) {
        auto* const values = reinterpret_cast<float*>(buffer.data());
        for (int64_t i = 0; i < rows * cols; ++i)
            values[i] = i % cols == 0 ? 448 : static_cast<float>(std::lround(values[i] * 3)); // scales of 1
    };
    makeExact(given.x, Fp8Case::kTokens, given.in());
    const Fp8Case::Result plain = given.run(kNone);
    for (const model::Fp8Products products : {kScaled, kScaledAfter})
        EXPECT_LT(relativeError(given.run(products).y, plain.y), 1e-6);
}

// With a scale a row the larger range of e5m2 gains nothing, even of gradients with a long tail.
TEST(Fp8Linears, gradientsAreNearerInE4m3ThanInE5m2) {
    const at::Tensor gradients = at::randn({64, 4096}) * at::randn({64, 4096}).mul(2).exp(); // over four decades
    const auto error = [&](at::ScalarType type, double largest) {
        const at::Tensor scales = gradients.abs().amax(1, true) / largest;
        return ((gradients / scales).to(type).to(at::kFloat) * scales - gradients).norm().item<double>() /
               gradients.norm().item<double>();
    };
    const double e4m3 = error(at::kFloat8_e4m3fn, 448), e5m2 = error(at::kFloat8_e5m2, 57344);
    std::printf("[          ] e4m3 %.4f, e5m2 %.4f of the norm\n", e4m3, e5m2);
    EXPECT_LT(e4m3, 0.6 * e5m2);
}

} // namespace
} // namespace roundpipe::testing
