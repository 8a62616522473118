// SPDX-License-Identifier: GPL-3.0-or-later
// Turns CUDA errors into typed exceptions. For the cuda_*.cpp files only.
#pragma once

#include "base/error.h"

#include <cuda_runtime_api.h>
#include <string>

namespace roundpipe::device::cuda {

// An error of the GPU that the calling thread has chosen, or of LibTorch's on it.
inline Error gpuError(int cudaIndex, bool isMemory, const std::string& what) {
    const std::string name = "cuda:" + std::to_string(cudaIndex);
    if (isMemory)
        return Error(
            ErrorKind::kOutOfMemory, name + " ran out of memory: " + what,
            "Use smaller microbatches, a shorter maximal length or more stages, or close what else runs there.");
    return Error(ErrorKind::kDevice, name + " failed: " + what,
                 "See what nvidia-smi and the system's log say of it; start the program again.");
}

inline void check(cudaError_t status, const char* doing) {
    if (status == cudaSuccess) return;
    cudaGetLastError(); // errors that are not sticky must not show up again in an innocent call
    int cudaIndex = 0;
    cudaGetDevice(&cudaIndex);
    throw gpuError(cudaIndex, status == cudaErrorMemoryAllocation,
                   std::string(cudaGetErrorString(status)) + ", at " + doing);
}

} // namespace roundpipe::device::cuda
