// SPDX-License-Identifier: GPL-3.0-or-later
// What crosses from a device to the host and on to another one: hidden states and their gradients, and what layers save
// in host memory, in recycled host buffers. A forward stage's packet stays as the checkpoint from which a backward
// stage recomputes.
#pragma once

#include "device/buffer.h"
#include "device/streams/stream.h"
#include "pipeline/monitor.h"
#include "transfer/host_arena.h"

#include <compare>
#include <map>
#include <memory>
#include <vector>

namespace roundpipe::pipeline {

// The input of layer `layer` for a microbatch of program `program`, or the gradient of it; or what the layer saved.
struct PacketKey {
    int64_t program = 0;
    bool isGradient = false;
    int32_t layer = 0;
    int32_t microbatch = 0;
    auto operator<=>(const PacketKey&) const = default;
};

// Controller threads. All buffers that training needs are there before it begins; long validations add some.
class PacketBoard {
public:
    // `what` names them where there is no room ("packets"). Throws kOutOfMemory.
    PacketBoard(std::shared_ptr<Monitor> monitor, int64_t packetBytes, bool pinned, int64_t numBuffers,
                const char* what);

    int64_t unlockedBytes() const { return m_unlockedBytes; } // that the system would not page-lock

    // A free host buffer of packetBytes, in which `down` may write: it is made to wait for the buffer's last readers.
    std::byte* take(device::Stream& down);
    // The buffer will hold the packet after `written`; `numReaders` slots will read it.
    void post(const PacketKey& key, std::byte* data, device::Event written, int32_t numReaders);

    struct PostedPacket {
        std::byte* data = nullptr;
        device::Event written;
    };
    bool isPosted(const PacketKey& key);      // await() would not block
    PostedPacket await(const PacketKey& key); // blocks the host until it was posted, not until it was written
    // One reader's copy is issued and done after `read`; after the last reader the buffer is free again.
    void release(const PacketKey& key, device::Event read);

private:
    struct Entry {
        PostedPacket packet;
        int32_t readersLeft = 0;
        std::vector<device::Event> reads;
    };
    struct Free {
        std::byte* data = nullptr;
        std::vector<device::Event> reads;
    };
    std::shared_ptr<Monitor> m_monitor;
    int64_t m_packetBytes;
    bool m_pinned;
    transfer::HostArena m_arena; // of all that training needs
    int64_t m_unlockedBytes = 0;
    // Guarded by the monitor.
    std::map<PacketKey, Entry> m_posted;
    std::vector<Free> m_free;
    std::vector<std::unique_ptr<device::HostBuffer>> m_more; // than the arena has
};

} // namespace roundpipe::pipeline
