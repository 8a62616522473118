// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/slot_checks.h"

#include "base/error.h"
#include "base/units.h"

#include <algorithm>
#include <cstring>

namespace roundpipe::transfer {
namespace {

constexpr int64_t kPoisonBytes = kMiB;
constexpr int64_t kStampsAtOnce = 1024;
constexpr int kPoison = 0xFF; // NaN in every floating type

std::string describe(const geometry::SlotStamp& stamp) {
    return "layer " + std::to_string(stamp.layer) + " in slot " + std::to_string(stamp.slot) + ", generation " +
           std::to_string(stamp.generation) +
           (stamp.version < 0 ? ", of no version" : ", of version " + std::to_string(stamp.version));
}

} // namespace

geometry::SlotStamp* SlotChecks::takeStamp() {
    if (m_free.empty()) {
        const auto bytes = kStampsAtOnce * static_cast<int64_t>(sizeof(geometry::SlotStamp));
        auto* stamps = reinterpret_cast<geometry::SlotStamp*>(m_memory.emplace_back(bytes, m_pinned).data());
        for (int64_t i = 0; i < kStampsAtOnce; ++i)
            m_free.push_back(stamps + i);
    }
    geometry::SlotStamp* stamp = m_free.back();
    m_free.pop_back();
    return stamp;
}

void SlotChecks::poison(device::Stream& stream, std::byte* data, int64_t bytes) {
    if (m_poison.bytes() == 0) {
        m_poison = device::HostBuffer(kPoisonBytes, m_pinned);
        std::memset(m_poison.data(), kPoison, kPoisonBytes);
    }
    for (int64_t at = 0; at < bytes; at += kPoisonBytes)
        stream.copy(data + at, m_poison.data(), std::min(kPoisonBytes, bytes - at));
}

void SlotChecks::mark(device::Stream& stream, std::byte* slot, const geometry::SlotStamp& stamp) {
    StampCopy copy{takeStamp(), stamp, false, {}};
    *copy.onHost = stamp;
    stream.copy(slot, copy.onHost, sizeof(stamp));
    copy.done = stream.record();
    m_copies.push_back(std::move(copy));
}

void SlotChecks::expect(device::Stream& stream, const std::byte* slot, const geometry::SlotStamp& stamp) {
    StampCopy copy{takeStamp(), stamp, true, {}};
    stream.copy(copy.onHost, slot, sizeof(stamp));
    copy.done = stream.record();
    m_copies.push_back(std::move(copy));
}

void SlotChecks::verify() {
    while (!m_copies.empty() && m_copies.front().done.ready()) {
        const StampCopy copy = std::move(m_copies.front());
        copy.done.awaited(device::Awaited::kStampsCopied);
        m_copies.pop_front();
        const geometry::SlotStamp seen = *copy.onHost;
        m_free.push_back(copy.onHost);
        if (!copy.isUse) continue;
        ++m_numVerified;
        if (!(seen == copy.expected))
            throw Error(ErrorKind::kInternal, "a slot should hold the weights of " + describe(copy.expected) +
                                                  " and holds those of " + describe(seen));
    }
}

} // namespace roundpipe::transfer
