// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that were captured from a stream. For cuda_device.cpp only.
#pragma once

#include "device/streams/stream.h"

#include <cuda_runtime_api.h>

namespace roundpipe::device::cuda {

class CudaGraph final : public Recording {
public:
    // What `work` issues to `stream`, whose device is the thread's current one. Throws kDevice where something of it
    // cannot be captured, and kOutOfMemory.
    CudaGraph(cudaStream_t stream, const std::function<void()>& work);
    ~CudaGraph() override;
    CudaGraph(const CudaGraph&) = delete;
    CudaGraph& operator=(const CudaGraph&) = delete;

    void launch(cudaStream_t stream) const;

private:
    cudaGraphExec_t m_graph = nullptr;
};

} // namespace roundpipe::device::cuda
