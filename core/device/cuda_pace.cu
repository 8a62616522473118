// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda_pace.h"

#include "device/cuda_check.h"

namespace roundpipe::device::cuda {
namespace {

__device__ unsigned long long nowNs() {
    unsigned long long ns = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

__global__ void noteBegin(unsigned long long* beganNs) {
    *beganNs = nowNs();
}

// Takes its turn on the link, then waits for its end. A link that is free since before the copy began is free then.
__global__ void waitForEnd(unsigned long long* freeNs, const unsigned long long* beganNs, unsigned long long lastsNs) {
    unsigned long long seen = *freeNs, end = 0;
    for (;;) {
        end = (seen > *beganNs ? seen : *beganNs) + lastsNs;
        const unsigned long long found = atomicCAS(freeNs, seen, end);
        if (found == seen) break;
        seen = found;
    }
    while (nowNs() < end)
        __nanosleep(500);
}

} // namespace

CudaPace::CudaPace(double bytesPerSecond) : m_bytesPerSecond(bytesPerSecond) {
    constexpr std::size_t kBytes = (1 + kMaxStreams) * sizeof(unsigned long long);
    check(cudaMalloc(reinterpret_cast<void**>(&m_times), kBytes), "taking memory for a link's clock");
    check(cudaMemset(m_times, 0, kBytes), "clearing a link's clock");
    check(cudaDeviceSynchronize(), "clearing a link's clock"); // our streams do not wait for it
}

CudaPace::~CudaPace() {
    cudaFree(m_times);
}

void CudaPace::begin(cudaStream_t stream, int index) {
    noteBegin<<<1, 1, 0, stream>>>(m_times + 1 + index);
}

void CudaPace::end(cudaStream_t stream, int index, int64_t bytes) {
    const auto lastsNs = static_cast<unsigned long long>(1e9 * static_cast<double>(bytes) / m_bytesPerSecond);
    waitForEnd<<<1, 1, 0, stream>>>(m_times, m_times + 1 + index, lastsNs);
    check(cudaGetLastError(), "slowing a link down");
}

} // namespace roundpipe::device::cuda
