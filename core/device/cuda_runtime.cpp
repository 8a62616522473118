// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda_runtime.h"

#include "base/error.h"
#include "base/units.h"
#include "device/cuda_check.h"
#include "device/cuda_device.h"
#include "device/driver/driver_version.h"
#include "device/driver/nvml.h"

#include <ATen/Context.h>
#include <c10/core/Allocator.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

namespace roundpipe::device::cuda {
namespace {

constexpr int kOldestDriver = 580; // of CUDA 13.0
constexpr const char* kDriverFile = "/proc/driver/nvidia/version";

Probe explainInsufficientDriver() {
    std::ifstream file(kDriverFile);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto version = parseDriverVersion(text);
    if (!version) return {0, "no NVIDIA driver is installed", "Install NVIDIA's driver 580 or newer, or use the CPU."};
    if (std::atoi(version->c_str()) < kOldestDriver)
        return {0, "the NVIDIA driver " + *version + " is too old: CUDA 13 needs 580 or newer",
                "Update NVIDIA's driver, or use the CPU."};
    return {0, "the NVIDIA driver " + *version + " is loaded, but its library libcuda.so.1 cannot be used",
            "Reboot after a driver update; in a container, start it with access to the GPUs."};
}

// LibTorch's CUDA half is loaded only when a GPU is used: it takes seconds and a machine without a driver never needs
// it. It lies beside libc10.so.
void loadTorchCuda() {
    static std::once_flag once;
    std::call_once(once, [] {
        ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0); // reproducible products; read when cuBLAS starts
        Dl_info info{};
        std::string path = "libtorch_cuda.so";
        if (::dladdr(reinterpret_cast<const void*>(&c10::GetAllocator), &info) && info.dli_fname) {
            const auto beside = std::filesystem::path(info.dli_fname).parent_path() / path;
            if (std::filesystem::exists(beside)) path = beside.string();
        }
        if (!::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
            const char* reason = ::dlerror();
            throw Error(ErrorKind::kDevice, std::string("LibTorch's CUDA library cannot be loaded: ") + reason,
                        "Run packaging/setup again.");
        }
        at::globalContext().lazyInitDevice(at::kCUDA);
        // Products accumulate in fp32 whatever the operand type.
        at::globalContext().setAllowBF16ReductionCuBLAS(false);
        at::globalContext().setAllowFP16ReductionCuBLAS(false);
    });
}

// As the driver's tools write it.
std::string uuidText(const cudaUUID_t& uuid) {
    std::string text = "GPU";
    for (std::size_t i = 0; i < sizeof uuid.bytes; ++i)
        text += fmt::format("{}{:02x}", i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                            static_cast<unsigned char>(uuid.bytes[i]));
    return text;
}

// Left to the desktop on a GPU that shows it: what its windows may come to need while a run lasts.
constexpr int64_t kDesktopBytes = kGiB;

int64_t reservedBytesOf(int cudaIndex) {
    const auto nvml = openNvml();
    return nvml && nvml->drivesDisplay(describeGpu(cudaIndex).busId) ? kDesktopBytes : 0;
}

} // namespace

Probe probe() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) cudaGetLastError();
    if (status == cudaErrorInsufficientDriver) return explainInsufficientDriver();
    if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
        return {0, "this machine has no GPU that CUDA can use", "Check CUDA_VISIBLE_DEVICES, or use the CPU."};
    if (status != cudaSuccess)
        return {0, std::string("CUDA does not start: ") + cudaGetErrorString(status), "See what nvidia-smi says."};
    return {count, {}, {}};
}

GpuFacts describeGpu(int cudaIndex) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, cudaIndex), "reading a GPU's properties");
    std::array<char, 32> busId{};
    check(cudaDeviceGetPCIBusId(busId.data(), static_cast<int>(busId.size()), cudaIndex), "reading a GPU's bus id");
    int clockKHz = 0;
    check(cudaDeviceGetAttribute(&clockKHz, cudaDevAttrClockRate, cudaIndex), "reading a GPU's clock");
    return {properties.name,
            busId.data(),
            uuidText(properties.uuid),
            properties.multiProcessorCount,
            10 * properties.major + properties.minor,
            clockKHz / 1000};
}

bool openPeerPath(int fromCudaIndex, int toCudaIndex) noexcept {
    int offered = 0;
    cudaError_t status = cudaDeviceCanAccessPeer(&offered, fromCudaIndex, toCudaIndex);
    if (status == cudaSuccess && offered == 1) status = cudaSetDevice(fromCudaIndex);
    if (status == cudaSuccess && offered == 1) status = cudaDeviceEnablePeerAccess(toCudaIndex, 0);
    if (status != cudaSuccess) cudaGetLastError();
    return offered == 1 && (status == cudaSuccess || status == cudaErrorPeerAccessAlreadyEnabled);
}

std::byte* allocatePinned(std::size_t bytes) noexcept {
    void* data = nullptr;
    if (cudaHostAlloc(&data, bytes, cudaHostAllocPortable) != cudaSuccess) {
        cudaGetLastError();
        return nullptr;
    }
    return static_cast<std::byte*>(data);
}

void releasePinned(std::byte* data) {
    cudaFreeHost(data);
}

bool lockPages(std::byte* data, std::size_t bytes) noexcept {
    if (cudaHostRegister(data, bytes, cudaHostRegisterPortable) == cudaSuccess) return true;
    cudaGetLastError();
    return false;
}

void unlockPages(std::byte* data) {
    if (cudaHostUnregister(data) != cudaSuccess) cudaGetLastError();
}

std::unique_ptr<Device> makeDevice(DeviceId id, int cudaIndex, const DeviceContext& context,
                                   const DeviceLimits& limits) {
    loadTorchCuda();
    return std::make_unique<CudaDevice>(id, cudaIndex, context, limits, reservedBytesOf(cudaIndex));
}

} // namespace roundpipe::device::cuda
