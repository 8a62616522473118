// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of cuBLASLt tried on the products that a run computes anyway: nothing waits for it, and no bit depends on it
// (kernel_trials.h). On one H200 what cuBLAS chooses itself takes up to 10 % longer than the fastest of eight.
// Internal to the folder.
#pragma once

#include "model/compute/cublas_kernel.h"

#include <cuda_runtime_api.h>

#include <array>
#include <compare>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>

namespace roundpipe::model {

constexpr int kMostKinds = 8; // more were never offered for one product

// Whether a choice pays: of small products the launch takes longer than what could be won.
bool isWorthTrying(const ProductShape& shape);

// The trials of one stream. One thread, with the stream's device current.
class CublasTrials {
public:
    // Computes a product by one of its kernels. The kind to take from now on, once that is known.
    std::optional<std::size_t> run(cublasLtHandle_t handle, CublasKernel& kernel, const ProductShape& shape,
                                   const ProductArrays& arrays, void* workspace, cudaStream_t stream);

private:
    // Products that share what is found out: of the same types, each size within a quarter.
    struct Class {
        std::array<int64_t, 3> sizes;
        std::array<int, 6> ways; // types, transposed, bias, scales
        auto operator<=>(const Class&) const = default;
    };
    struct DestroyEvent {
        void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
    };
    using TimingEvent = std::unique_ptr<CUevent_st, DestroyEvent>;
    struct FreeHostMemory {
        void operator()(std::byte* memory) const { cudaFreeHost(memory); }
    };
    struct Pending {
        KernelTrials& trials;
        KernelKind kind;
        double multiplications; // 0: a comparison
        TimingEvent begin, end;
    };

    static Class classOf(const ProductShape& shape);
    static TimingEvent recorded(cudaStream_t stream);
    void takeWhatEnded();
    void compare(cublasLtHandle_t handle, CublasKernel& kernel, KernelTrials& trials, KernelTrials::Next next,
                 const ProductArrays& arrays, void* workspace, cudaStream_t stream);
    bool cornersAreEqual() const;

    std::map<Class, KernelTrials> m_trials;
    std::deque<Pending> m_pending;                        // in the stream's order
    std::unique_ptr<std::byte, FreeHostMemory> m_corners; // page-locked: two, of the comparison that is under way
};

} // namespace roundpipe::model
