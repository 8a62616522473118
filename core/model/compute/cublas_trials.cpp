// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/cublas_trials.h"

#include "base/error.h"
#include "model/compute/cublas_library.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace roundpipe::model {
namespace {

constexpr double kLeastMultiplications = 2e9; // some 7 us of an H200
constexpr std::size_t kBothCorners = 2 * CublasKernel::kCornerBytes;

void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    throw Error(ErrorKind::kDevice,
                std::string("The GPU failed while kernels were tried: ") + cudaGetErrorString(status),
                "Run 'roundpipe selftest'.");
}

// Up to the next of 4, 5, 6, 7 times a power of two.
int64_t roundedUp(int64_t size) {
    const auto step = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(std::max<int64_t>(size - 1, 4)))) / 4;
    return (size + step - 1) / step * step;
}

ProductClass classOf(const ProductShape& shape) {
    return {{roundedUp(shape.out.rows), roundedUp(shape.out.cols), roundedUp(shape.inner())},
            {static_cast<int32_t>(shape.a.dtype), static_cast<int32_t>(shape.out.dtype), shape.a.transposed,
             shape.b.transposed, shape.hasBias, shape.hasScales}};
}

std::string currentDevice() {
    int index = 0;
    cudaDeviceProp properties{};
    check(cudaGetDevice(&index));
    check(cudaGetDeviceProperties(&properties, index));
    return std::string(properties.name) + ", cuBLAS " + std::to_string(cublas().version());
}

} // namespace

bool isWorthTrying(const ProductShape& shape) {
    // Of FP8's, those that were the fastest one by one made a step 2 % longer, where power limits the clock.
    return shape.multiplications() >= kLeastMultiplications && shape.a.dtype != DType::kU8;
}

KernelTrials& CublasTrials::trialsOf(const ProductClass& products) {
    if (m_device.empty()) m_device = currentDevice();
    const auto [place, isNew] = m_trials.try_emplace(products);
    if (isNew)
        if (const auto found = foundKernel(m_device, products)) place->second.expect(*found);
    return place->second;
}

CublasTrials::TimingEvent CublasTrials::recorded(cudaStream_t stream) {
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event));
    TimingEvent owned(event);
    check(cudaEventRecord(event, stream));
    return owned;
}

std::optional<std::size_t> CublasTrials::run(cublasLtHandle_t handle, CublasKernel& kernel, const ProductShape& shape,
                                             const ProductArrays& arrays, void* workspace, cudaStream_t stream) {
    takeWhatEnded();
    const ProductClass products = classOf(shape);
    KernelTrials& trials = trialsOf(products);
    const KernelTrials::Next next = trials.next(kernel.kinds());
    if (next.step == KernelTrials::TrialStep::kCompare)
        compare(handle, kernel, trials, next, arrays, workspace, stream);
    const bool isTimed = next.step == KernelTrials::TrialStep::kTime,
               isSettled = next.step == KernelTrials::TrialStep::kSettled;
    TimingEvent begin = isTimed ? recorded(stream) : nullptr;
    kernel.run(handle, isTimed || isSettled ? next.kind : 0, arrays, workspace, stream);
    if (isTimed)
        m_pending.push_back(
            {trials, kernel.kinds()[next.kind], shape.multiplications(), std::move(begin), recorded(stream)});
    if (!isSettled) return std::nullopt;
    if (const auto found = trials.found()) putFoundKernel({m_device, products, *found});
    return next.kind;
}

// The corner of the product, by both kernels, to the workspace's end and on to the host.
void CublasTrials::compare(cublasLtHandle_t handle, CublasKernel& kernel, KernelTrials& trials, KernelTrials::Next next,
                           const ProductArrays& arrays, void* workspace, cudaStream_t stream) {
    if (!m_corners) {
        void* memory = nullptr;
        check(cudaMallocHost(&memory, kBothCorners));
        m_corners.reset(static_cast<std::byte*>(memory));
    }
    const std::size_t rest = kCublasWorkspaceBytes - kBothCorners;
    std::byte* const corners = static_cast<std::byte*>(workspace) + rest;
    check(cudaMemsetAsync(corners, 0, kBothCorners, stream));
    if (!kernel.runCorner(handle, next.reference, arrays, corners, workspace, rest, stream) ||
        !kernel.runCorner(handle, next.kind, arrays, corners + CublasKernel::kCornerBytes, workspace, rest, stream)) {
        trials.same(kernel.kinds()[next.kind], false);
        return;
    }
    check(cudaMemcpyAsync(m_corners.get(), corners, kBothCorners, cudaMemcpyDeviceToHost, stream));
    m_pending.push_back({trials, kernel.kinds()[next.kind], 0, nullptr, recorded(stream)});
}

bool CublasTrials::cornersAreEqual() const {
    return std::memcmp(m_corners.get(), m_corners.get() + CublasKernel::kCornerBytes, CublasKernel::kCornerBytes) == 0;
}

void CublasTrials::takeWhatEnded() {
    while (!m_pending.empty()) {
        Pending& oldest = m_pending.front();
        const cudaError_t status = cudaEventQuery(oldest.end.get());
        if (status == cudaErrorNotReady) return;
        check(status);
        if (oldest.multiplications > 0) {
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, oldest.begin.get(), oldest.end.get()));
            oldest.trials.took(oldest.kind, static_cast<double>(milliseconds) * 1e-3 / oldest.multiplications);
        } else {
            oldest.trials.same(oldest.kind, cornersAreEqual());
        }
        m_pending.pop_front();
    }
}

} // namespace roundpipe::model
