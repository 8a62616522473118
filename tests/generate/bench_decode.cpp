// SPDX-License-Identifier: GPL-3.0-or-later
// How fast answers are made token by token, with the launches of a token recorded and one by one, in turns; run by hand
// (tests/bench/README.md). Weights are random. Ends with 1 where the two ways choose other tokens.
//
// usage: bench_decode CONFIG_JSON [DEVICE [PROMPT_TOKENS [NEW_TOKENS [RANK]]]]
#include "base/error.h"
#include "device/cuda_runtime.h"
#include "device/open_devices.h"
#include "generate/decoder.h"
#include "generate/sampler.h"
#include "random_model.h"

#include <fmt/format.h>

#include <chrono>
#include <string>

namespace roundpipe::generate {
namespace {

struct Question {
    std::vector<int32_t> prompt;
    int64_t numNew = 0;
};

// What a token must read: all weights but the embedding's, of which it needs a row.
int64_t bytesOfToken(const testing::RandomModel& random) {
    int64_t bytes = 0;
    const transfer::HostWeightStore& store = random.store();
    for (int32_t layer = 1; layer < random.model().numLayers(); ++layer) {
        const geometry::LayerLayout& layout = random.model().layouts[static_cast<std::size_t>(layer)];
        bytes += store.uploadBytes(LayerId(layer));
        bytes += geometry::bytesOf(random.model().operandType, layout.adapter.numElements);
    }
    return bytes;
}

std::vector<int32_t> answer(const testing::RandomModel& random, device::Device& device, const Question& question,
                            TokenLaunch launch) {
    using Clock = std::chrono::steady_clock;
    Decoder decoder(random.model(), random.store(), device,
                    static_cast<int64_t>(question.prompt.size()) + question.numNew, true, launch);
    std::vector<int32_t> tokens = {pickToken(decoder.advance(question.prompt), {}, decoder.position())};
    constexpr int64_t kWarmUp = 8;
    Clock::time_point begin;
    while (std::ssize(tokens) < question.numNew) {
        if (std::ssize(tokens) == kWarmUp) begin = Clock::now();
        tokens.push_back(decoder.likeliestAfter(tokens.back()));
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const double rate = static_cast<double>(question.numNew - kWarmUp) / seconds;
    fmt::print("{:<24} {:>8.1f} tokens/s {:>8.3f} ms a token {:>6.3f} TB/s of weights\n",
               launch == TokenLaunch::kRecorded ? "recorded" : "launched one by one", rate, 1e3 / rate,
               1e-12 * rate * static_cast<double>(bytesOfToken(random)));
    std::fflush(stdout);
    return tokens;
}

bool run(const std::string& config, const std::string& deviceName, const Question& question, int32_t rank) {
    const auto devices = device::openDevices({deviceName}, {});
    device::Device& device = *devices.front();
    const DType dtype = device.kind() == device::DeviceKind::kCuda ? DType::kBF16 : DType::kF32;
    const testing::RandomModel random(arch::readModelConfig(config), dtype, rank, device.pinnedHost());
    fmt::print("{}, {}, a prompt of {}, adapter of rank {}: {:.2f} GB of weights a token\n", device.name(),
               toString(dtype), question.prompt.size(), rank, 1e-9 * static_cast<double>(bytesOfToken(random)));
    bool isSame = true;
    for (int turn = 0; turn < 3; ++turn)
        isSame = answer(random, device, question, TokenLaunch::kEach) ==
                     answer(random, device, question, TokenLaunch::kRecorded) &&
                 isSame;
    fmt::print("the same tokens in both ways: {}\n", isSame ? "yes" : "NO");
    return isSame;
}

} // namespace
} // namespace roundpipe::generate

int main(int argc, char** argv) {
    const auto argument = [&](int i, const char* otherwise) { return std::string(argc > i ? argv[i] : otherwise); };
    try {
        if (argc < 2 || argc > 6)
            throw roundpipe::invalidInput(
                "usage: bench_decode CONFIG_JSON [DEVICE [PROMPT_TOKENS [NEW_TOKENS [RANK]]]]");
        roundpipe::generate::Question question;
        question.prompt.assign(std::stoull(argument(3, "6")), 11);
        question.numNew = std::max<int64_t>(16, std::stoll(argument(4, "264")));
        return roundpipe::generate::run(argv[1], argument(2, "cuda:0"), question, std::stoi(argument(5, "0"))) ? 0 : 1;
    } catch (const roundpipe::Error& error) {
        fmt::print(stderr, "error: {}\n", error.message());
        return 1;
    }
}
