// SPDX-License-Identifier: GPL-3.0-or-later
#include "open_step.h"

#include "plan/rig/rig_file.h"
#include "session/spec/chosen_microbatches.h"
#include "testing/fixtures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <random>
#include <tuple>
#include <utility>

namespace roundpipe::session {
namespace {

struct Drawn {
    RunSpec spec;
    arch::ModelSpec model;
    plan::Rig rig;
    std::string text;
};

Drawn draw(uint64_t seed, int n, SaidOfStep said) {
    std::mt19937_64 random(seed * 1000 + static_cast<uint64_t>(n));
    const auto any = [&](const auto& values) { return values[random() % values.size()]; };
    const std::string model = any(std::array{"Qwen3-0.6B", "Qwen3-1.7B", "Qwen3-4B", "Llama-3.1-8B", "Qwen3-8B",
                                             "gpt-oss-20b", "Qwen3-32B", "Qwen3-30B-A3B"});
    const std::string rig = any(std::array{"4090,ram=128", "2x4090,ram=128", "4x4090,ram=256", "8x4090,ram=1000",
                                           "2x3090@pcie3x8,ram=128", "4090+3090,ram=256", "2x4090+2x3090,ram=256",
                                           "4x4090+4x3090,ram=500", "2xh200,ram=500", "h200+4090,ram=400"});
    Drawn drawn;
    RunSpec& spec = drawn.spec;
    spec.model.path = (testing::fixtures() / "configs" / (model + ".json")).string();
    spec.data.maxLength = any(std::array{512, 1024, 2048, 4096, 8192});
    spec.batch.microbatchSize = any(std::array{1, 2, 4});
    if (random() % 4 == 0) spec.method = Method::kFull;
    if (random() % 4 == 0) spec.optimizer.updates = Updates::kOneStepStale;
    const int64_t sequences = any(std::array{8, 12, 16, 24, 32, 48, 64});
    if (said == SaidOfStep::kTokens) spec.batch.tokensPerStep = sequences * spec.data.maxLength;
    drawn.model = arch::makeModelSpec(arch::readModelConfig(spec.model.path));
    drawn.rig = plan::loadRig(rig);
    drawn.text = fmt::format("{} on {}, microbatches of {} x {}, {}{}{}", model, rig, spec.batch.microbatchSize,
                             spec.data.maxLength, spec.method == Method::kFull ? "full" : "LoRA",
                             spec.optimizer.updates == Updates::kOneStepStale ? ", one step stale" : "",
                             spec.batch.tokensPerStep > 0 ? fmt::format(", {} tokens a step", spec.batch.tokensPerStep)
                                                          : std::string());
    return drawn;
}

// Tokens a second, and in words; 0 where it does not fit.
std::pair<double, std::string> planned(const Drawn& drawn, const RunSpec& spec) {
    plan::ModelRequest request = planRequestOf(spec, drawn.model, drawn.rig, stepContentOf(spec, {}));
    request.profiles.clear();
    try {
        const plan::ModelChoice found = plan::chooseForModel(request);
        return {found.tokensPerSecond,
                fmt::format("{} x {}, {} replicas: {:.0f} tokens/s", spec.batch.microbatches,
                            found.choice.shape.numRounds(), found.choice.plan.replicas, found.tokensPerSecond)};
    } catch (const plan::DoesNotFit&) {
        return {0, {}};
    }
}

} // namespace

ComparedStep compareStep(uint64_t seed, int n, SaidOfStep said) {
    constexpr int64_t kMostExamples = 128;
    const Drawn drawn = draw(seed, n, said);
    ComparedStep compared;
    compared.question = drawn.text;
    const std::clock_t start = std::clock();
    const RunSpec chosen = withMicrobatches(drawn.spec, drawn.model, drawn.rig, {});
    compared.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::tie(compared.chosenRate, compared.chosen) = planned(drawn, chosen);
    const int64_t all = said == SaidOfStep::kTokens
                            ? drawn.spec.batch.tokensPerStep / drawn.spec.data.maxLength / chosen.batch.microbatchSize
                            : chosen.batch.microbatches * chosen.batch.rounds;
    RunSpec byHand = chosen;
    for (byHand.batch.microbatches = 1; byHand.batch.microbatches <= all; ++byHand.batch.microbatches) {
        if (said == SaidOfStep::kNothing && all % byHand.batch.microbatches != 0) continue;
        byHand.batch.rounds = std::max<int64_t>(1, all / byHand.batch.microbatches);
        const auto [rate, text] = planned(drawn, byHand);
        compared.numByHand += rate > 0 ? 1 : 0;
        if (rate > compared.byHandRate) std::tie(compared.byHandRate, compared.byHand) = std::pair{rate, text};
    }
    compared.largerRate = compared.byHandRate;
    byHand = drawn.spec;
    for (const int64_t microbatches : {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128}) {
        byHand.batch.microbatches = microbatches;
        if (said == SaidOfStep::kTokens || byHand.batch.examplesPerStep() > kMostExamples) break;
        compared.largerRate = std::max(compared.largerRate, planned(drawn, byHand).first);
    }
    compared.fits = compared.chosenRate > 0 || compared.numByHand > 0; // a choice that finds nothing has lost all
    return compared;
}

} // namespace roundpipe::session
