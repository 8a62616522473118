// SPDX-License-Identifier: GPL-3.0-or-later
// What every call into LibTorch needs: no autograd, and the device's stream as the current one. Internal to the folder.
#pragma once

#include "model/compute/compute.h"

#include <optional>

#include <ATen/core/LegacyTypeDispatch.h>
#ifdef ROUNDPIPE_HAS_CUDA
#include <c10/cuda/CUDAGuard.h>
#endif

namespace roundpipe::model {

// One at the top of each layer call. Also gives back the workspace that the call took.
class ComputeScope {
public:
    explicit ComputeScope(Compute& compute);
    ~ComputeScope() { m_compute.workspace.reset(m_usedBytes); }
    ComputeScope(const ComputeScope&) = delete;
    ComputeScope& operator=(const ComputeScope&) = delete;

private:
    Compute& m_compute;
    int64_t m_usedBytes;
    at::AutoDispatchBelowADInplaceOrView m_noAutograd;
#ifdef ROUNDPIPE_HAS_CUDA
    std::optional<c10::cuda::CUDAStreamGuard> m_stream;
#endif
};

} // namespace roundpipe::model
