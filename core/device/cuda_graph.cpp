// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda_graph.h"

#include "device/cuda_check.h"

#include <memory>
#include <type_traits>

namespace roundpipe::device::cuda {
namespace {

struct Destroy {
    void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
};
using Captured = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Destroy>;

Captured capture(cudaStream_t stream, const std::function<void()>& work) {
    // Other threads may allocate and ask for events meanwhile.
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning to record launches");
    cudaGraph_t graph = nullptr;
    try {
        work();
    } catch (...) { // the stream must not be left capturing
        if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) Destroy()(graph);
        cudaGetLastError();
        throw;
    }
    check(cudaStreamEndCapture(stream, &graph), "recording launches");
    return Captured(graph);
}

} // namespace

CudaGraph::CudaGraph(cudaStream_t stream, const std::function<void()>& work) {
    const Captured captured = capture(stream, work);
    check(cudaGraphInstantiate(&m_graph, captured.get(), 0), "making a graph of launches");
}

CudaGraph::~CudaGraph() {
    cudaGraphExecDestroy(m_graph);
}

void CudaGraph::launch(cudaStream_t stream) const {
    check(cudaGraphLaunch(m_graph, stream), "launching a graph");
}

} // namespace roundpipe::device::cuda
