// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe selftest: every kernel against its double-precision twin, on this machine's own GPUs; with --full, blocks
// against a CPU worker's and the pipeline against itself, too.
#include "commands.h"
#include "device/cuda_runtime.h"
#include "engine/layers/block_comparison.h"
#include "engine/rehearsal/rehearsal.h"
#include "exit_codes.h"
#include "kernels/selftest/selftest.h"
#include "model/attention/attention_refusals.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <future>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

namespace roundpipe::cli {
namespace {

int testKernels(const std::vector<int>& gpus) {
    int numFailed = 0;
    const auto results = kernels::selfTest(gpus, [](const kernels::SelfTestResult& result, int, int) {
        fmt::print("{}  {:58} {:9.2e}  (at most {:.0e})\n", result.passed ? "pass" : "FAIL", result.name,
                   result.largestError, result.tolerance);
    });
    for (const kernels::SelfTestResult& result : results)
        numFailed += result.passed ? 0 : 1;
    fmt::print("\n{} passed, {} failed\n", results.size() - static_cast<std::size_t>(numFailed), numFailed);
    return numFailed;
}

// On all GPUs at once, as most of the time goes to the CPU workers beside them.
int testBlocks(const std::vector<int>& gpus) {
    if (!gpus.empty()) fmt::print("\nBlocks beside a CPU worker\n\n");
    std::mutex mutex;
    int numFailed = 0, numPassed = 0;
    std::vector<std::future<void>> all;
    for (const int gpu : gpus)
        all.push_back(std::async(std::launch::async, [&, device = fmt::format("cuda:{}", gpu)] {
            engine::compareBlocks(device, [&](const engine::BlockComparison& one) {
                const std::scoped_lock lock(mutex);
                ++(one.passed() ? numPassed : numFailed);
                fmt::print("{}  {:58} {:9.2e}  (at most {:.0e}){}\n", one.passed() ? "pass" : "FAIL",
                           one.name + ", " + device, one.largestError, one.tolerance,
                           one.isSame ? "" : ", other bits when called again");
                std::fflush(stdout);
            });
        }));
    for (std::future<void>& one : all)
        one.get();
    for (const std::string& refusal : model::attentionRefusals()) {
        ++numFailed;
        fmt::print("FAIL  {}\n", refusal);
    }
    if (!gpus.empty()) fmt::print("\n{} passed, {} failed\n", numPassed, numFailed);
    return numFailed;
}

std::vector<std::string> trainingDevices(const std::vector<int>& gpus) {
    std::vector<std::string> devices;
    for (const int gpu : gpus)
        devices.push_back("cuda:" + std::to_string(gpu));
    if (devices.empty()) devices.assign(3, "cpu");
    return devices;
}

void printRehearsal(const engine::Rehearsal& one) {
    const bool passed = one.problem.empty();
    fmt::print("{}  {}{}{}\n", passed ? "pass" : "FAIL", one.name, passed ? "" : ": ", one.problem);
    std::fflush(stdout); // one takes up to minutes, and a pipe or a file shows nothing else until the end
}

int printSum(const std::vector<engine::Rehearsal>& results) {
    const auto numPassed = std::ranges::count(results, "", &engine::Rehearsal::problem);
    const auto numFailed = std::ssize(results) - numPassed;
    fmt::print("\n{} passed, {} failed\n", numPassed, numFailed);
    return static_cast<int>(numFailed);
}

int testPipeline(const std::vector<std::string>& devices) {
    fmt::print("\nThe same bits in every way to train, on {}\n\n", fmt::join(devices, ", "));
    return printSum(engine::rehearse(devices, printRehearsal));
}

int testDelays(const std::vector<std::string>& devices, int64_t numSteps) {
    fmt::print("The same bits with delays as without, on {}\n\n", fmt::join(devices, ", "));
    return printSum(engine::rehearseDelays(devices, numSteps, printRehearsal));
}

} // namespace

CommandBody addSelfTestCommand(CLI::App& app) {
    const auto full = std::make_shared<bool>(false);
    auto* const fullFlag =
        app.add_flag("--full", *full,
                     "Compute blocks beside a CPU worker and train a small random model in many ways, too: all must "
                     "give the same bits.");
    const auto delayedSteps = std::make_shared<int64_t>(0);
    app.add_option("--delayed-steps", *delayedSteps,
                   "Instead: train the small model for so many steps with random delays in all streams, updates in "
                   "time and one step stale, on one device, two, up to all: the same bits as without.")
        ->check(CLI::PositiveNumber)
        ->excludes(fullFlag);
    return [full, delayedSteps] {
        const device::cuda::Probe probe = device::cuda::probe();
        std::vector<int> gpus(static_cast<std::size_t>(probe.numGpus));
        std::iota(gpus.begin(), gpus.end(), 0);
        if (gpus.empty())
            fmt::print("Testing this processor only: {}. {}\n\n", probe.problem, probe.advice);
        else
            fmt::print("Testing on {} GPU(s)\n\n", gpus.size());
        int numFailed = *delayedSteps > 0 ? testDelays(trainingDevices(gpus), *delayedSteps) : testKernels(gpus);
        if (*full) numFailed += testBlocks(gpus) + testPipeline(trainingDevices(gpus));
        return static_cast<int>(numFailed == 0 ? kSuccess : kSelfTestFailed);
    };
}

} // namespace roundpipe::cli
