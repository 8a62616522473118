// A loop over indices in several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace roundpipe::data {

// Calls body(i) once for each i < count, in any order and from up to `numThreads` threads (0: one per hardware thread),
// the calling one among them. The first exception of any thread ends the loop and is thrown.
template <class Body>
void forEachIndex(std::size_t count, int numThreads, const Body& body) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failureMutex;
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++)
                body(i);
        } catch (...) {
            next = count;
            const std::lock_guard lock(failureMutex);
            if (!failure) failure = std::current_exception();
        }
    };
    const std::size_t wanted =
        numThreads > 0 ? static_cast<std::size_t>(numThreads) : std::max(1u, std::thread::hardware_concurrency());
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < std::min(wanted, count); ++i)
            threads.emplace_back(work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

} // namespace roundpipe::data
