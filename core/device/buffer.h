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
    HostBuffer(int64_t bytes, bool pinned);

    std::byte* data() const { return m_data.get(); }
    int64_t bytes() const { return m_bytes; }

private:
    std::unique_ptr<std::byte, void (*)(std::byte*)> m_data{nullptr, nullptr};
    int64_t m_bytes = 0;
};

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
