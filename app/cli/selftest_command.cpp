// roundpipe selftest: every kernel against its double-precision twin, on this machine's own GPUs.
#include "commands.h"
#include "device/cuda_runtime.h"
#include "exit_codes.h"
#include "kernels/selftest.h"

#include <fmt/format.h>

#include <numeric>
#include <vector>

namespace roundpipe::cli {

CommandBody addSelfTestCommand(CLI::App&) {
    return [] {
        const device::cuda::Probe probe = device::cuda::probe();
        std::vector<int> gpus(static_cast<std::size_t>(probe.numGpus));
        std::iota(gpus.begin(), gpus.end(), 0);
        if (gpus.empty())
            fmt::print("Testing the CPU kernels only: {} {}\n\n", probe.problem, probe.advice);
        else
            fmt::print("Testing on {} GPU(s)\n\n", gpus.size());
        int numFailed = 0;
        const auto results = kernels::selfTest(gpus, [](const kernels::SelfTestResult& result, int, int) {
            fmt::print("{}  {:58} {:9.2e}  (at most {:.0e})\n", result.passed ? "pass" : "FAIL", result.name,
                       result.largestError, result.tolerance);
        });
        for (const kernels::SelfTestResult& result : results)
            numFailed += result.passed ? 0 : 1;
        fmt::print("\n{} passed, {} failed\n", results.size() - static_cast<std::size_t>(numFailed), numFailed);
        return static_cast<int>(numFailed == 0 ? kSuccess : kSelfTestFailed);
    };
}

} // namespace roundpipe::cli
