// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of cuBLASLt tried on the products that a run computes anyway: nothing waits for it, and no bit depends on it
// (kernel_trials.h). On one H200 what cuBLAS chooses itself takes up to 10 % longer than the fastest of eight.
// Internal to the folder.
#pragma once

#include "model/compute/cublas_kernel.h"
#include "model/compute/found_kernels.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

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

    KernelTrials& trialsOf(const ProductClass& products);
    static TimingEvent recorded(cudaStream_t stream);
    void takeWhatEnded();
    void compare(cublasLtHandle_t handle, CublasKernel& kernel, KernelTrials& trials, KernelTrials::Next next,
                 const ProductArrays& arrays, void* workspace, cudaStream_t stream);
    bool cornersAreEqual() const;

    std::string m_device; // as found_kernels.h has it; empty before the first product
    std::map<ProductClass, KernelTrials> m_trials;
    std::deque<Pending> m_pending;                        // in the stream's order
    std::unique_ptr<std::byte, FreeHostMemory> m_corners; // page-locked: two, of the comparison that is under way
};

} // namespace roundpipe::model
