// SPDX-License-Identifier: GPL-3.0-or-later
// What a checkpoint reads while training goes on is what there was when it began.
#include "optim/adamw.h"
#include "optim/still_layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

namespace roundpipe::optim {
namespace {

constexpr int64_t kElements = 100'000;
constexpr int32_t kLayers = 4;

// Layers that are trained, and what of them a checkpoint holds.
class TrainedLayers {
public:
    TrainedLayers() {
        for (std::size_t l = 0; l < kLayers; ++l) {
            m_masters.emplace_back(kElements);
            std::iota(m_masters.back().begin(), m_masters.back().end(), static_cast<float>(l));
            m_versions.emplace_back(kElements);
        }
    }

    void update(int64_t step, ThreadTeam& team) {
        for (int32_t l = 0; l < kLayers; ++l) {
            still.willChange(LayerId(l), team);
            const auto at = static_cast<std::size_t>(l);
            still.update(LayerId(l),
                         {m_masters[at].data(), m_gradients.data(), DType::kF32, m_versions[at].data(), DType::kF32},
                         {.learningRate = 0.1, .step = step}, team);
        }
    }
    // A step that changes nothing writes the version all the same.
    void skip(ThreadTeam& team) {
        for (int32_t l = 0; l < kLayers; ++l) {
            still.willChange(LayerId(l), team);
            std::ranges::fill(m_versions[static_cast<std::size_t>(l)], -1.0F);
        }
    }

    std::vector<std::vector<StillLayers::Bytes>> parts() {
        std::vector<std::vector<StillLayers::Bytes>> parts;
        for (int32_t l = 0; l < kLayers; ++l)
            parts.push_back({std::as_bytes(std::span(m_masters[static_cast<std::size_t>(l)])),
                             m_adamw.firstMoment(LayerId(l)), m_adamw.secondMoment(LayerId(l)),
                             std::as_bytes(std::span(m_versions[static_cast<std::size_t>(l)]))});
        return parts;
    }

private:
    std::vector<std::vector<float>> m_masters, m_versions;
    std::vector<float> m_gradients = std::vector<float>(kElements, 0.5F);
    AdamW m_adamw{{}, DType::kF32, DType::kF32, std::vector<LayerParameters>(kLayers, {kElements, {}})};

public:
    StillLayers still{m_adamw};
};

std::vector<std::byte> copyOf(StillLayers::Bytes bytes) {
    return {bytes.begin(), bytes.end()};
}

// All parts in pieces, as a file is written.
std::vector<std::vector<std::byte>> readAll(StillLayers& still,
                                            const std::vector<std::vector<StillLayers::Bytes>>& layers) {
    constexpr std::size_t kPiece = 65'432;
    std::vector<std::vector<std::byte>> read;
    for (const std::vector<StillLayers::Bytes>& parts : layers)
        for (const StillLayers::Bytes& part : parts) {
            std::vector<std::byte>& whole = read.emplace_back();
            for (std::size_t begin = 0; begin < part.size(); begin += kPiece) {
                const StillLayers::Bytes piece = still.read(part.subspan(begin, std::min(kPiece, part.size() - begin)));
                whole.insert(whole.end(), piece.begin(), piece.end());
            }
        }
    return read;
}

std::vector<std::vector<std::byte>> copyOf(const std::vector<std::vector<StillLayers::Bytes>>& layers) {
    std::vector<std::vector<std::byte>> copies;
    for (const std::vector<StillLayers::Bytes>& parts : layers)
        for (const StillLayers::Bytes& part : parts)
            copies.push_back(copyOf(part));
    return copies;
}

TEST(StillLayers, areReadAsTheyWereWhileTheyTrain) {
    TrainedLayers layers;
    ThreadTeam team(2);
    int64_t step = 0;
    for (int round = 0; round < 3; ++round) {
        layers.update(++step, team);
        const std::vector<std::vector<std::byte>> before = copyOf(layers.parts());
        layers.still.hold(layers.parts());
        std::thread training([&] {
            for (int i = 0; i < 5; ++i)
                layers.update(++step, team);
        });
        EXPECT_EQ(readAll(layers.still, layers.parts()), before) << "round " << round << ", beside updates";
        training.join();
        EXPECT_EQ(readAll(layers.still, layers.parts()), before) << "round " << round << ", after them";
        layers.still.release();
        EXPECT_NE(copyOf(layers.parts()), before) << "nothing was trained";
    }
}

TEST(StillLayers, holdTheVersionOfAStepThatIsSkipped) {
    TrainedLayers layers;
    ThreadTeam team;
    layers.update(1, team);
    const std::vector<std::vector<std::byte>> before = copyOf(layers.parts());
    layers.still.hold(layers.parts());
    layers.skip(team);
    EXPECT_EQ(readAll(layers.still, layers.parts()), before);
}

TEST(StillLayers, areLetGoWhileOneIsCopied) {
    TrainedLayers layers;
    ThreadTeam team;
    for (int64_t step = 1; step <= 50; ++step) {
        layers.still.hold(layers.parts());
        std::thread training([&] { layers.update(step, team); });
        layers.still.release();
        training.join();
    }
    layers.still.release(); // nothing is held
}

} // namespace
} // namespace roundpipe::optim
