// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/compute_scope.h"

#include "base/error.h"

#include <atomic>
#include <mutex>

#include <ATen/Context.h>
#include <c10/util/env.h>

namespace roundpipe::model {
namespace {

#ifdef ROUNDPIPE_HAS_CUDA
// Process-wide switches of LibTorch. The deterministic flag is read by the attention backward; with it on, LibTorch
// refuses cuBLAS products unless this variable says that their workspace is fixed (which LibTorch's own always is).
void configureCuda(bool deterministic) {
    static std::atomic<int> configured{-1}; // asked for with each layer's call
    if (configured.load() == int{deterministic}) return;
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    at::Context& context = at::globalContext();
    if (deterministic && !c10::utils::has_env("CUBLAS_WORKSPACE_CONFIG"))
        c10::utils::set_env("CUBLAS_WORKSPACE_CONFIG", ":4096:8", false);
    context.setDeterministicAlgorithms(deterministic, false);
    context.setDeterministicFillUninitializedMemory(false);
    context.setAllowBF16ReductionCuBLAS(false); // products accumulate in fp32
    context.setAllowFP16ReductionCuBLAS(false);
    configured.store(int{deterministic});
}
#endif

} // namespace

ComputeScope::ComputeScope(Compute& compute) : m_compute(compute), m_usedBytes(compute.workspace.usedBytes()) {
    if (!compute.target.cuda) return;
#ifdef ROUNDPIPE_HAS_CUDA
    configureCuda(compute.deterministic);
    m_stream.emplace(c10::cuda::getStreamFromExternal(static_cast<cudaStream_t>(compute.target.stream),
                                                      static_cast<c10::DeviceIndex>(compute.cudaIndex)));
#else
    throw unsupported("this build has no CUDA", "Build with -DROUNDPIPE_CUDA=ON, or use CPU devices.");
#endif
}

} // namespace roundpipe::model
