// Turns CUDA errors into typed exceptions. For the cuda_*.cpp files only.
#pragma once

#include "base/error.h"

#include <cuda_runtime_api.h>
#include <string>

namespace roundpipe::device::cuda {

inline void check(cudaError_t status, const char* doing) {
    if (status == cudaSuccess) return;
    cudaGetLastError(); // errors that are not sticky must not show up again in an innocent call
    throw Error(status == cudaErrorMemoryAllocation ? ErrorKind::kOutOfMemory : ErrorKind::kDevice,
                std::string("CUDA failed at ") + doing + ": " + cudaGetErrorString(status));
}

} // namespace roundpipe::device::cuda
