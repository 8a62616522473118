// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/streams/fault.h"

namespace roundpipe::device {

void Fault::raise(std::exception_ptr error) noexcept {
    std::vector<std::function<void()>> listeners;
    {
        const std::scoped_lock lock(m_mutex);
        if (m_error) return;
        m_error = std::move(error);
        m_raised.store(true, std::memory_order_release);
        listeners.swap(m_listeners);
    }
    for (const auto& listener : listeners)
        listener();
}

std::exception_ptr Fault::error() const {
    const std::scoped_lock lock(m_mutex);
    return m_error;
}

void Fault::addListener(std::function<void()> listener) {
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_error) {
            m_listeners.push_back(std::move(listener));
            return;
        }
    }
    listener();
}

} // namespace roundpipe::device
