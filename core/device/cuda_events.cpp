// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda_events.h"

#include "device/cuda_check.h"

namespace roundpipe::device::cuda {

EventPool::~EventPool() {
    for (const cudaEvent_t event : m_free)
        cudaEventDestroy(event);
}

cudaEvent_t EventPool::take() {
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_free.empty()) {
            const cudaEvent_t event = m_free.back();
            m_free.pop_back();
            return event;
        }
    }
    cudaEvent_t event = nullptr;
    check(cudaSetDevice(m_cudaIndex), "choosing a GPU");
    check(cudaEventCreateWithFlags(&event, m_flags), "creating an event");
    return event;
}

void EventPool::giveBack(cudaEvent_t event) {
    const std::scoped_lock lock(m_mutex);
    m_free.push_back(event);
}

} // namespace roundpipe::device::cuda
