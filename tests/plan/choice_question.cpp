// SPDX-License-Identifier: GPL-3.0-or-later
#include "choice_question.h"

#include "arch/layers.h"
#include "plan/rig/rig_notation.h"
#include "testing/fixtures.h"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <random>

namespace roundpipe::plan {
namespace {

struct Drawn {
    ModelRequest request;
    std::string text;
};

Drawn draw(uint64_t seed, int n, int64_t largestStep) {
    std::mt19937_64 random(seed * 1000 + static_cast<uint64_t>(n));
    const auto any = [&](const auto& values) { return values[random() % values.size()]; };
    const std::string model = any(std::array{"Qwen3-0.6B", "Qwen3-1.7B", "Qwen3-4B", "Llama-3.1-8B", "Qwen3-8B",
                                             "gpt-oss-20b", "Qwen3-32B", "Qwen3-30B-A3B"});
    const std::string rig =
        any(std::array{"4090,ram=128", "2x4090,ram=128", "4x4090,ram=256", "8x4090,ram=1000", "2x3090@pcie3x8,ram=128",
                       "4x3090,ram=256", "2x4090+2x3090,ram=256", "4x4090+4x3090,ram=500", "2xh200,ram=500"});
    Drawn drawn;
    ModelRequest& request = drawn.request;
    request.model = arch::makeModelSpec(arch::readModelConfig(testing::fixtures() / "configs" / (model + ".json")));
    request.rig = parseRig(rig);
    request.training.maxLength = any(std::array{512, 1024, 2048, 4096, 8192});
    request.training.lora.rank = 16;
    request.training.trainsBase = random() % 4 == 0;
    request.oneStepStale = random() % 4 == 0;
    do
        request.sequencesPerStep = any(std::array{4, 8, 12, 16, 24, 32, 48, 64, 128});
    while (request.sequencesPerStep > largestStep);
    drawn.text = fmt::format("{} on {}, {} x {} tokens a step, {}{}", model, rig, request.sequencesPerStep,
                             request.training.maxLength, request.training.trainsBase ? "full" : "LoRA",
                             request.oneStepStale ? ", one step stale" : "");
    return drawn;
}

std::string shapeText(const ModelChoice& choice) {
    const StepShape& shape = choice.choice.shape;
    return fmt::format("{} x {} in {} rounds, {} replicas: {:.0f} tokens/s", shape.numMicrobatches(),
                       choice.training.sequences, shape.numRounds(), choice.choice.plan.replicas,
                       choice.tokensPerSecond);
}

} // namespace

ComparedChoice compareChoice(uint64_t seed, int n, int64_t largestStep) {
    Drawn drawn = draw(seed, n, largestStep);
    ModelRequest& request = drawn.request;
    ComparedChoice compared;
    compared.question = drawn.text;
    request.choosesMicrobatch = true;
    const std::clock_t start = std::clock();
    try {
        const ModelChoice chosen = chooseForModel(request);
        compared.fits = true;
        compared.chosen = shapeText(chosen);
        compared.chosenRate = chosen.tokensPerSecond;
    } catch (const DoesNotFit&) {
    }
    compared.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    request.choosesMicrobatch = false;
    for (int64_t size = 1; size <= request.sequencesPerStep; ++size) {
        if (request.sequencesPerStep % size != 0) continue;
        request.training.sequences = size;
        const auto numMicrobatches = static_cast<int32_t>(request.sequencesPerStep / size);
        for (request.rounds = 1; request.rounds <= numMicrobatches; ++request.rounds) {
            if (numMicrobatches % request.rounds != 0) continue;
            try {
                const ModelChoice byHand = chooseForModel(request);
                ++compared.numByHand;
                if (byHand.tokensPerSecond <= compared.byHandRate) continue;
                compared.byHandRate = byHand.tokensPerSecond;
                compared.byHand = shapeText(byHand);
            } catch (const DoesNotFit&) {
            }
        }
    }
    compared.fits = compared.fits || compared.numByHand > 0; // a choice that finds nothing has lost all
    return compared;
}

} // namespace roundpipe::plan
