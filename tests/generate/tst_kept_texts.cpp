// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/kept_texts.h"

#include "device/open_devices.h"
#include "random_model.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace roundpipe::generate {
namespace {

constexpr int64_t kCapacity = 200;

arch::ModelConfig smallConfig() {
    arch::ModelConfig config;
    config.family = arch::Family::kQwen3;
    config.vocabSize = 300;
    config.hiddenSize = 32;
    config.intermediateSize = 64;
    config.numLayers = 3;
    config.numHeads = 2;
    config.numKvHeads = 1;
    config.headDim = 16;
    config.maxPositions = 256;
    config.rmsNormEps = 1e-6;
    config.rope.theta = 10000;
    config.qkNorm = true;
    config.tiedEmbeddings = true;
    return config;
}

class KeptTextsTest : public ::testing::Test {
protected:
    static std::vector<int32_t> text(int32_t first, int64_t count) {
        std::vector<int32_t> ids(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < ids.size(); ++i)
            ids[i] = static_cast<int32_t>((first + 7 * i) % 300);
        return ids;
    }
    // Reads what is left of the text; what there was before, and the logits behind it.
    int64_t read(KeptTexts& kept, const std::vector<int32_t>& ids, double weight = 1) {
        const int64_t before = kept.begin({{weight}, ids});
        EXPECT_EQ(m_decoder->position(), before);
        m_logits = m_decoder->advance(std::span(ids).subspan(static_cast<std::size_t>(before)));
        kept.hasRead({{weight}, ids});
        return before;
    }
    std::vector<float> fresh(const std::vector<int32_t>& ids) {
        Decoder decoder(m_random.model(), m_random.store(), *m_devices[0], kCapacity, true);
        return decoder.advance(ids);
    }
    void expectLogitsOf(const std::vector<int32_t>& ids) {
        const std::vector<float> expected = fresh(ids);
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_NEAR(m_logits[i], expected[i], 1e-5) << i;
    }

    const testing::RandomModel m_random{smallConfig(), DType::kF32, 0, false};
    const std::vector<std::unique_ptr<device::Device>> m_devices = device::openDevices({"cpu"}, {});
    const std::unique_ptr<Decoder> m_decoder =
        std::make_unique<Decoder>(m_random.model(), m_random.store(), *m_devices[0], kCapacity, true);
    std::vector<float> m_logits;
};

TEST_F(KeptTextsTest, readOfATextThatGrowsOnlyWhatIsNew) {
    KeptTexts kept(*m_decoder, 0);
    EXPECT_EQ(read(kept, text(1, 40)), 0);
    const std::vector<int32_t> longer = text(1, 60);
    EXPECT_EQ(read(kept, longer), 40);
    expectLogitsOf(longer);
    EXPECT_EQ(read(kept, longer), 59); // the same again: its last logits are wanted
    expectLogitsOf(longer);
}

TEST_F(KeptTextsTest, goBackToWhereATextIsAnother) {
    KeptTexts kept(*m_decoder, 0);
    read(kept, text(1, 60));
    std::vector<int32_t> other = text(1, 50);
    other.resize(70, 5);
    EXPECT_EQ(read(kept, other), 50);
    expectLogitsOf(other);
}

TEST_F(KeptTextsTest, comeBackOfConversationsThatTakeTurns) {
    KeptTexts kept(*m_decoder, int64_t{1} << 20);
    read(kept, text(1, 40));
    EXPECT_EQ(read(kept, text(2, 40)), 0);
    EXPECT_EQ(kept.keptBytes(), m_decoder->cacheBytes(40));
    const std::vector<int32_t> first = text(1, 55), second = text(2, 70);
    EXPECT_EQ(read(kept, first), 40);
    expectLogitsOf(first);
    EXPECT_EQ(read(kept, second), 40);
    expectLogitsOf(second);
}

TEST_F(KeptTextsTest, areOfTheWeightsThatReadThem) {
    KeptTexts kept(*m_decoder, int64_t{1} << 20);
    read(kept, text(1, 40), 1);
    EXPECT_EQ(read(kept, text(1, 50), 0.5), 0);
    EXPECT_EQ(read(kept, text(1, 50), 1), 40);
}

TEST_F(KeptTextsTest, stayWithinTheirBytesAndDropTheLongestUnused) {
    KeptTexts kept(*m_decoder, 2 * m_decoder->cacheBytes(40));
    for (int32_t conversation = 1; conversation <= 4; ++conversation) {
        read(kept, text(conversation, 40));
        EXPECT_LE(kept.keptBytes(), 2 * m_decoder->cacheBytes(40));
    }
    EXPECT_EQ(read(kept, text(1, 41)), 0);  // dropped
    EXPECT_EQ(read(kept, text(4, 41)), 40); // put aside last
}

TEST_F(KeptTextsTest, surviveAReadingThatWasBrokenOff) {
    KeptTexts kept(*m_decoder, int64_t{1} << 20);
    read(kept, text(1, 40));
    const std::vector<int32_t> longer = text(1, 80);
    kept.begin({{1}, longer});
    m_decoder->advance(std::span(longer).subspan(40, 10)); // and then an error: nobody says what was read
    EXPECT_EQ(read(kept, text(1, 60)), 40);
    expectLogitsOf(text(1, 60));
}

} // namespace
} // namespace roundpipe::generate
