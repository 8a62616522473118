// SPDX-License-Identifier: GPL-3.0-or-later
// How long planning takes, in processor time: plan_speed CONFIG.json RIG [more pairs]. Prints the median of several
// plans of each pair.
#include "plan/cost/cost_model.h"
#include "plan/rig/rig_notation.h"
#include "plan/search/choose_plan.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <exception>
#include <vector>

namespace {

using namespace roundpipe;

void measure(const char* config, const char* rigText, bool stale) {
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(config));
    const plan::Rig rig = plan::parseRig(rigText);
    plan::TrainingShape training;
    training.sequences = 4;
    const plan::Costs costs = plan::modelCosts(model, training, rig);
    const std::array<plan::StepShape, 1> shapes{{{16, 1, stale}}};
    constexpr int kRuns = 15;
    std::vector<double> ms;
    plan::EvaluatedPlan choice;
    for (int i = 0; i < kRuns; ++i) {
        const std::clock_t start = std::clock();
        choice = plan::choosePlan(rig, costs, shapes);
        ms.push_back(1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    std::ranges::sort(ms);
    std::printf("%s on %s, %s: %.1f ms (%.1f to %.1f), %lld plans looked at\n  %s, %.2f s a step, bubble %.1f %%\n",
                config, rigText, stale ? "one step stale" : "synchronous", ms[kRuns / 2], ms.front(), ms.back(),
                static_cast<long long>(choice.numEstimates), choice.plan.describe().c_str(), choice.step.stepSeconds,
                100 * choice.step.bubbleShare);
}

} // namespace

int main(int argc, char** argv) try {
    for (int i = 1; i + 1 < argc; i += 2)
        for (const bool stale : {false, true})
            measure(argv[i], argv[i + 1], stale);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
