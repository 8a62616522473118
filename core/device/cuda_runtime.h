// SPDX-License-Identifier: GPL-3.0-or-later
// The door to CUDA for the rest of this folder; without CUDA in the build cuda_absent.cpp stands behind it.
#pragma once

#include "device/device.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace roundpipe::device::cuda {

// Whether GPUs can be used and, if not, why: no driver is told from one that is too old.
struct Probe {
    int numGpus = 0;
    std::string problem; // a sentence; empty when numGpus > 0
    std::string advice;
};
Probe probe(); // any thread; does not load LibTorch's CUDA half

struct GpuFacts {
    std::string name;  // "NVIDIA GeForce RTX 4090"
    std::string busId; // "0000:01:00.0"
    std::string uuid;  // "GPU-8f3c21d7-…"
    int numMultiprocessors = 0;
    int computeCapability = 0; // times ten
    int clockMHz = 0;          // the highest
};
GpuFacts describeGpu(int cudaIndex); // throws kDevice
// Lets copies between the two go directly, if the driver offers it. Whether the bytes arrive is another question.
bool openPeerPath(int fromCudaIndex, int toCudaIndex) noexcept;

std::byte* allocatePinned(std::size_t bytes) noexcept; // null when there is not enough
void releasePinned(std::byte* data);
// Memory that is there already. False: refused.
bool lockPages(std::byte* data, std::size_t bytes) noexcept;
void unlockPages(std::byte* data);

// How many times LibTorch's allocator has taken memory of the GPU so far. Only where a device of that GPU was made.
int64_t libraryAllocations(int cudaIndex);

// Loads LibTorch's CUDA half on the first call. Throws kDevice.
std::unique_ptr<Device> makeDevice(DeviceId id, int cudaIndex, const DeviceContext& context,
                                   const DeviceLimits& limits = {});

} // namespace roundpipe::device::cuda
