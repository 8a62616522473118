// SPDX-License-Identifier: GPL-3.0-or-later
// Compares every kernel with its CPU twin run in double, on the machine at hand, with fresh random inputs: several
// shapes in every type, rows of odd length and pitch, outputs filled with NaN beforehand.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::kernels {

struct SelfTestResult {
    std::string name;        // kernel, variant, type and place: "rmsNorm 37x1024, BF16, cuda:0"
    double largestError = 0; // over all outputs, relative: the larger of the norm's error and the worst element's by
                             // the largest element; infinite for NaN or a write outside the output
    double tolerance = 0;
    bool passed = false;
    double seconds = 0;
};

// Called after each comparison, in the calling thread.
using SelfTestProgress = std::function<void(const SelfTestResult&, int numDone, int numTotal)>;

// Runs on all of the CUDA devices at once, in all four types; with none of them, the CPU twins in fp32, bf16 and fp16
// are compared. Blocks, for some seconds. Throws kDevice when a device can't be used, kUnsupported when CUDA
// devices are asked of a build without CUDA; a wrong result is a result, no error.
std::vector<SelfTestResult> selfTest(std::span<const int> cudaDevices, const SelfTestProgress& progress = {});

} // namespace roundpipe::kernels
