// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA events, recycled: creating one costs more than recording it.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>
#include <vector>

namespace roundpipe::device::cuda {

// Events of one device. Any thread. Lives as long as the events that it gave out (shared_ptr).
class EventPool {
public:
    EventPool(int cudaIndex, unsigned flags) : m_cudaIndex(cudaIndex), m_flags(flags) {}
    ~EventPool();
    EventPool(const EventPool&) = delete;
    EventPool& operator=(const EventPool&) = delete;

    cudaEvent_t take();
    void giveBack(cudaEvent_t event);

private:
    int m_cudaIndex;
    unsigned m_flags;
    std::mutex m_mutex;
    std::vector<cudaEvent_t> m_free;
};

} // namespace roundpipe::device::cuda
