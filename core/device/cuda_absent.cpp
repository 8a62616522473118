// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled in place of the cuda_*.cpp files when the build has no CUDA.
#include "base/error.h"
#include "device/cuda_runtime.h"

namespace roundpipe::device::cuda {

Probe probe() {
    return {0, "this build has no CUDA", "Build with -DROUNDPIPE_CUDA=ON to use GPUs."};
}

GpuFacts describeGpu(int) {
    throw Error(ErrorKind::kDevice, probe().problem, probe().advice);
}

bool openPeerPath(int, int) noexcept {
    return false;
}

std::byte* allocatePinned(std::size_t) noexcept {
    return nullptr;
}

void releasePinned(std::byte*) {}

bool lockPages(std::byte*, std::size_t) noexcept {
    return false;
}

void unlockPages(std::byte*) {}

int64_t libraryAllocations(int) {
    return 0;
}

std::unique_ptr<Device> makeDevice(DeviceId, int, const DeviceContext&, const DeviceLimits&) {
    throw Error(ErrorKind::kDevice, probe().problem, probe().advice);
}

} // namespace roundpipe::device::cuda
