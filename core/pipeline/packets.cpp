// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/packets.h"

namespace roundpipe::pipeline {

PacketBoard::PacketBoard(std::shared_ptr<Monitor> monitor, int64_t packetBytes, bool pinned, int64_t numBuffers,
                         const char* what)
    : m_monitor(std::move(monitor))
    , m_packetBytes(packetBytes)
    , m_pinned(pinned)
    , m_arena(std::vector<int64_t>(static_cast<std::size_t>(numBuffers), packetBytes), what) {
    if (pinned) m_unlockedBytes = m_arena.lockAll();
    for (int64_t i = 0; i < numBuffers; ++i)
        m_free.push_back({m_arena.block(static_cast<std::size_t>(i)), {}});
}

std::byte* PacketBoard::take(device::Stream& down) {
    Free taken;
    m_monitor->change([&] {
        if (m_free.empty()) return;
        taken = std::move(m_free.back());
        m_free.pop_back();
    });
    if (!taken.data) {
        auto buffer = std::make_unique<device::HostBuffer>(m_packetBytes, m_pinned);
        taken.data = buffer->data();
        m_monitor->change([&] { m_more.push_back(std::move(buffer)); });
    }
    for (const device::Event& read : taken.reads)
        down.wait(read, device::Awaited::kPacketRead);
    return taken.data;
}

void PacketBoard::post(const PacketKey& key, std::byte* data, device::Event written, int32_t numReaders) {
    m_monitor->notes().happened(device::Awaited::kPacketPosted, data);
    m_monitor->change([&] { m_posted[key] = {{data, std::move(written)}, numReaders, {}}; });
}

bool PacketBoard::isPosted(const PacketKey& key) {
    bool isPosted = false;
    m_monitor->look([&] { isPosted = m_posted.contains(key); });
    return isPosted;
}

PacketBoard::PostedPacket PacketBoard::await(const PacketKey& key) {
    PostedPacket packet =
        m_monitor->waitFor([&] { return m_posted.contains(key); }, [&] { return m_posted.at(key).packet; });
    m_monitor->notes().awaited(device::Awaited::kPacketPosted, packet.data);
    return packet;
}

void PacketBoard::release(const PacketKey& key, device::Event read) {
    m_monitor->change([&] {
        const auto found = m_posted.find(key);
        Entry& entry = found->second;
        entry.reads.push_back(std::move(read));
        if (--entry.readersLeft > 0) return;
        m_free.push_back({entry.packet.data, std::move(entry.reads)});
        m_posted.erase(found);
    });
}

} // namespace roundpipe::pipeline
