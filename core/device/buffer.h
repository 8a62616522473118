// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the host (pinned for GPUs) and of a device, freed by its owner; and how it is cut into aligned pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace roundpipe::device {

// Zero-initialised host memory, 256-byte aligned. `pinned`: page-locked, so that GPUs copy from it at full rate.
// Throws kOutOfMemory naming the size.
class HostBuffer {
public:
    HostBuffer() = default;
    HostBuffer(int64_t bytes, bool pinned); // none for 0 bytes

    std::byte* data() const { return m_data.get(); }
    int64_t bytes() const { return m_bytes; }

private:
    struct Release {
        int64_t bytes; // as taken
        bool pinned;
        void operator()(std::byte* data) const;
    };
    std::unique_ptr<std::byte, Release> m_data;
    int64_t m_bytes = 0;
};

// Keeps memory that is there already page-locked, so that GPUs copy from it at full rate. Any thread; several lock
// different pieces at once.
class PageLock {
public:
    PageLock() = default;
    PageLock(std::byte* data, int64_t bytes); // what is not page-locked shares no page with it

    bool holds() const { return m_data != nullptr; } // false: refused, or there is no GPU

private:
    struct Release {
        int64_t bytes;
        void operator()(std::byte* data) const;
    };
    std::unique_ptr<std::byte, Release> m_data;
};

// Of all host buffers of this process that are alive, with what aligns them. Any thread.
struct HostBufferBytes {
    int64_t pinned = 0;
    int64_t pageable = 0;
};
HostBufferBytes hostBufferBytes();
// Memory that is taken elsewhere (more, or less) and counts as a host buffer; page-locked where a PageLock says so.
void countHostBuffer(int64_t bytes);

// Memory of a device; made by Device::allocate().
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    DeviceBuffer(std::byte* data, int64_t bytes, std::function<void(std::byte*)> release)
        : m_data(data, std::move(release)), m_bytes(bytes) {}

    std::byte* data() const { return m_data.get(); }
    int64_t bytes() const { return m_bytes; }

private:
    std::unique_ptr<std::byte, std::function<void(std::byte*)>> m_data{nullptr, [](std::byte*) {}};
    int64_t m_bytes = 0;
};

} // namespace roundpipe::device
