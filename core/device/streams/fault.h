// SPDX-License-Identifier: GPL-3.0-or-later
// The error that ends a run: the first exception of any of its threads. Every wait of the run ends promptly once it is
// there.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace roundpipe::device {

// Ends a host wait of a poisoned run. The top of a thread swallows it: the reason is in the Fault.
struct Poisoned {};

// Any thread may call anything here.
class Fault {
public:
    // Keeps the first error and calls the listeners once, in the calling thread.
    void raise(std::exception_ptr error) noexcept;
    bool raised() const noexcept { return m_raised.load(std::memory_order_acquire); }
    std::exception_ptr error() const; // null while nothing was raised

    // Called when the fault is raised, or at once if it was. Must not throw.
    void addListener(std::function<void()> listener);

private:
    mutable std::mutex m_mutex;
    std::atomic<bool> m_raised{false};
    std::exception_ptr m_error;
    std::vector<std::function<void()>> m_listeners;
};

} // namespace roundpipe::device
