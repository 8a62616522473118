// SPDX-License-Identifier: GPL-3.0-or-later
// Turns CUDA errors into typed exceptions. For the cuda_*.cpp files only.
#pragma once

#include "base/error.h"

#include <cuda_runtime_api.h>
#include <string>

namespace roundpipe::device::cuda {

constexpr const char* kAdviceOnMemory =
    "Use smaller microbatches, a shorter maximal length or more stages, or close what else runs there.";

inline std::string nameOf(int cudaIndex) {
    return "cuda:" + std::to_string(cudaIndex);
}

inline Error gpuError(int cudaIndex, const std::string& what) {
    return Error(ErrorKind::kDevice, nameOf(cudaIndex) + " failed: " + what,
                 "See what nvidia-smi and the system's log say of it; start the program again.");
}

inline void check(cudaError_t status, const char* doing) {
    if (status == cudaSuccess) return;
    cudaGetLastError(); // errors that are not sticky must not show up again in an innocent call
    int cudaIndex = 0;
    cudaGetDevice(&cudaIndex);
    const std::string what = std::string(cudaGetErrorString(status)) + ", at " + doing;
    if (status == cudaErrorMemoryAllocation)
        throw Error(ErrorKind::kOutOfMemory, nameOf(cudaIndex) + " ran out of memory: " + what, kAdviceOnMemory);
    throw gpuError(cudaIndex, what);
}

} // namespace roundpipe::device::cuda
