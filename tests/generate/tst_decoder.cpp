// SPDX-License-Identifier: GPL-3.0-or-later
// An answer token by token: whole prompts, single tokens, picks that are made ahead, on a CPU worker and on a GPU where
// there is one.
#include "generate/decoder.h"

#include "base/error.h"
#include "device/cuda_runtime.h"
#include "device/open_devices.h"
#include "generate/sampler.h"
#include "random_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace roundpipe::generate {
namespace {

constexpr int64_t kCapacity = 64;
const std::vector<int32_t> kPrompt = {5, 17, 301, 4, 99, 250, 2, 61, 60};

arch::ModelConfig smallConfig() {
    arch::ModelConfig config;
    config.family = arch::Family::kQwen3;
    config.vocabSize = 320;
    config.hiddenSize = 64;
    config.intermediateSize = 136;
    config.numLayers = 3;
    config.numHeads = 4;
    config.numKvHeads = 2;
    config.headDim = 32;
    config.maxPositions = 256;
    config.rmsNormEps = 1e-6;
    config.rope.theta = 10000;
    config.qkNorm = true;
    config.tiedEmbeddings = false; // a tied head repeats what it is given
    return config;
}

// A device with a model for it.
struct Place {
    Place(const std::string& name, DType dtype, WeightFormat weights = WeightFormat::kAsIs)
        : device(std::move(device::openDevices({name}, {}).front()))
        , random(smallConfig(), dtype, 4, device->pinnedHost(), weights) {}

    Decoder decoder(TokenLaunch launch = TokenLaunch::kRecorded) const {
        return {random.model(), random.store(), *device, kCapacity, true, launch};
    }

    std::unique_ptr<device::Device> device;
    testing::RandomModel random;
};

class OnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() != "cpu:1" && device::cuda::probe().numGpus == 0) GTEST_SKIP() << "no GPU here";
    }
};

double relativeError(const std::vector<float>& values, const std::vector<float>& expected) {
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        difference += std::pow(static_cast<double>(values[i]) - static_cast<double>(expected[i]), 2);
        norm += std::pow(static_cast<double>(expected[i]), 2);
    }
    return std::sqrt(difference / norm);
}

TEST_P(OnDevice, tokenByTokenGivesTheLogitsOfThePromptInOnePiece) {
    const Place place(GetParam(), DType::kF32);
    Decoder whole = place.decoder(), single = place.decoder();
    const std::vector<float> expected = whole.advance(kPrompt);
    std::vector<float> logits;
    for (const int32_t id : kPrompt)
        logits = single.advance({&id, 1});
    EXPECT_LT(relativeError(logits, expected), 2e-5);
    EXPECT_EQ(single.position(), whole.position());
}

TEST_P(OnDevice, recordedTokensGiveTheBitsOfThoseLaunchedOneByOne) {
    for (const DType dtype : {DType::kBF16, DType::kF32}) {
        const Place place(GetParam(), dtype);
        Decoder recorded = place.decoder(), each = place.decoder(TokenLaunch::kEach);
        EXPECT_EQ(recorded.advance(kPrompt), each.advance(kPrompt));
        for (int32_t id = 1; id < 300; id += 37)
            EXPECT_EQ(recorded.advance({&id, 1}), each.advance({&id, 1})) << "after " << id;
    }
}

TEST_P(OnDevice, aPackedBaseAnswersAlikeTokenByTokenAndRecorded) {
    const std::vector<float> asIs = Place(GetParam(), DType::kBF16).decoder().advance(kPrompt);
    for (const WeightFormat weights : {WeightFormat::kNf4, WeightFormat::kInt8, WeightFormat::kFp8}) {
        Place place(GetParam(), DType::kBF16, weights);
        Decoder recorded = place.decoder(), each = place.decoder(TokenLaunch::kEach);
        const std::vector<float> logits = recorded.advance(kPrompt);
        EXPECT_EQ(logits, each.advance(kPrompt));
        EXPECT_NE(logits, asIs) << "the choice does not show";
        EXPECT_LT(relativeError(logits, asIs), weights == WeightFormat::kNf4 ? 0.3 : 0.05);
        for (int32_t id = 1; id < 300; id += 37)
            EXPECT_EQ(recorded.advance({&id, 1}), each.advance({&id, 1})) << "after " << id;
        place.device->drain();
        place.random.publishAdapter(0.3);
        for (int32_t id = 1; id < 300; id += 74)
            EXPECT_EQ(recorded.advance({&id, 1}), each.advance({&id, 1})) << "after " << id;
    }
}

TEST_P(OnDevice, picksAreThoseOfTheLogits) {
    for (const DType dtype : {DType::kBF16, DType::kF32}) {
        const Place place(GetParam(), dtype);
        Decoder picking = place.decoder(), asked = place.decoder(TokenLaunch::kEach);
        picking.advance(kPrompt);
        asked.advance(kPrompt);
        int32_t picked = 40, expected = 40;
        std::set<int32_t> all;
        for (int i = 0; i < 30; ++i) {
            picked = picking.likeliestAfter(picked);
            expected = pickToken(asked.advance({&expected, 1}), {}, asked.position());
            EXPECT_EQ(picked, expected) << "token " << i;
            EXPECT_EQ(picking.position(), asked.position());
            all.insert(picked);
        }
        EXPECT_GT(all.size(), 1u) << "an answer of one token alone shows little";
    }
}

// The device gives 0 for it, and so it does where 0 is the likeliest: here it is half of the time, as all other logits
// are equal.
TEST_P(OnDevice, theFirstTokenIsAPickLikeAnyOther) {
    Place place(GetParam(), DType::kBF16);
    place.random.overwrite("lm_head.weight", std::byte{0}, 1);
    Decoder picking = place.decoder(), asked = place.decoder(TokenLaunch::kEach);
    picking.advance(kPrompt);
    asked.advance(kPrompt);
    int32_t picked = 40, numFirst = 0;
    for (int i = 0; i < 30; ++i) {
        const int32_t expected = pickToken(asked.advance({&picked, 1}), {}, asked.position());
        EXPECT_EQ(picking.likeliestAfter(picked), expected) << "token " << i;
        numFirst += expected == 0 ? 1 : 0;
        picked = (7 * i + 41) % 320; // not the one that the device goes on with
        if (i % 3 == 0) picked = expected;
    }
    EXPECT_GT(numFirst, 0);
    EXPECT_LT(numFirst, 30);
}

// A norm of NaN, as weights have it that overflowed: every logit is NaN.
TEST_P(OnDevice, whatIsNoNumberIsAnErrorAndNoToken) {
    for (const DType dtype : {DType::kBF16, DType::kF32})
        for (const char* norm : {"model.norm.weight", "model.layers.1.input_layernorm.weight"}) {
            SCOPED_TRACE(norm);
            Place place(GetParam(), dtype);
            place.random.overwrite(norm, std::byte{0xff});
            Decoder decoder = place.decoder();
            const std::vector<float> logits = decoder.advance(kPrompt);
            EXPECT_TRUE(std::ranges::all_of(logits, [](float logit) { return std::isnan(logit); }));
            for (int i = 0; i < 3; ++i) // launched, recorded, replayed
                try {
                    decoder.likeliestAfter(40);
                    ADD_FAILURE() << "a token";
                } catch (const Error& error) {
                    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
                    EXPECT_NE(error.message().find("no numbers"), std::string::npos) << error.message();
                }
        }
}

TEST_P(OnDevice, aPickThatNobodyWantsLeavesNothingBehind) {
    const Place place(GetParam(), DType::kBF16);
    Decoder decoder = place.decoder(), straight = place.decoder(TokenLaunch::kEach);
    decoder.advance(kPrompt);
    straight.advance(kPrompt);
    int32_t id = 40;
    for (int i = 0; i < 3; ++i) { // each leaves a pick under way
        const int32_t other = decoder.likeliestAfter(id) + 1;
        straight.advance({&id, 1});
        id = other % 320;
    }
    const std::vector<int32_t> more = {8, 7, 6, 5};
    EXPECT_EQ(decoder.advance(more), straight.advance(more));
}

TEST_P(OnDevice, picksUpToTheCapacityAndRefusesMore) {
    const Place place(GetParam(), DType::kBF16);
    Decoder decoder = place.decoder();
    decoder.advance(kPrompt);
    int32_t id = 40;
    while (decoder.position() < kCapacity)
        id = decoder.likeliestAfter(id);
    EXPECT_THROW(decoder.likeliestAfter(id), Error);
    EXPECT_EQ(decoder.position(), kCapacity);
}

TEST_P(OnDevice, takesTheWeightsThatWerePublishedLast) {
    Place place(GetParam(), DType::kBF16);
    Decoder decoder = place.decoder();
    const std::vector<float> before = decoder.advance(kPrompt);
    decoder.likeliestAfter(decoder.likeliestAfter(40)); // recorded by now, and a pick is under way
    place.device->drain();
    place.random.publishAdapter(0.3);
    decoder.rewind(0);
    Decoder fresh = place.decoder();
    const std::vector<float> after = decoder.advance(kPrompt);
    EXPECT_NE(after, before);
    EXPECT_EQ(after, fresh.advance(kPrompt));
    EXPECT_EQ(decoder.likeliestAfter(40), fresh.likeliestAfter(40));
    EXPECT_EQ(decoder.advance({&kPrompt[0], 1}), fresh.advance({&kPrompt[0], 1}));
}

TEST_P(OnDevice, aTextThatWasPutAsideGoesOn) {
    const Place place(GetParam(), DType::kBF16);
    Decoder decoder = place.decoder(), straight = place.decoder(TokenLaunch::kEach);
    decoder.advance(kPrompt);
    straight.advance(kPrompt);
    int32_t id = 40;
    for (int i = 0; i < 3; ++i) {
        straight.advance({&id, 1});
        id = decoder.likeliestAfter(id);
    }
    const int64_t position = decoder.position();
    const device::HostBuffer cache = decoder.saveCache();
    EXPECT_EQ(cache.bytes(), decoder.cacheBytes(position));
    decoder.rewind(0);
    decoder.advance(std::vector<int32_t>(40, 77)); // writes over all of it
    decoder.loadCache(cache, position);
    EXPECT_EQ(decoder.position(), position);
    EXPECT_EQ(decoder.advance({&id, 1}), straight.advance({&id, 1}));
}

std::string nameOf(const ::testing::TestParamInfo<std::string>& which) {
    std::string name = which.param;
    std::ranges::replace(name, ':', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Decoder, OnDevice, ::testing::Values("cpu:1", "cuda:0"), nameOf);

} // namespace
} // namespace roundpipe::generate
