// SPDX-License-Identifier: GPL-3.0-or-later
// One direction of a GPU's link, made as slow as another one, by the GPU's own clock.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

namespace roundpipe::device::cuda {

// The streams of the direction share it. One thread at a time, with the GPU chosen.
class CudaPace {
public:
    static constexpr int kMaxStreams = 2;

    explicit CudaPace(double bytesPerSecond); // throws kDevice
    ~CudaPace();
    CudaPace(const CudaPace&) = delete;
    CudaPace& operator=(const CudaPace&) = delete;

    // Around a copy in a stream, the `index`-th of the direction: what follows in the stream waits until the copy would
    // be through.
    void begin(cudaStream_t stream, int index);
    void end(cudaStream_t stream, int index, int64_t bytes);

private:
    double m_bytesPerSecond;
    unsigned long long* m_times = nullptr; // on the GPU: from when on the link is free; when each stream's copy began
};

} // namespace roundpipe::device::cuda
