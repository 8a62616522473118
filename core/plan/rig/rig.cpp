// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/rig/rig.h"

#include "base/counted.h"
#include "base/error.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

namespace roundpipe::plan {
namespace {

// Beyond these a number is a slip of the unit (bytes for GiB, say), and sums of it could overflow.
constexpr int32_t kMaxDevices = 64;
constexpr int64_t kMaxBytes = int64_t{1} << 50;
constexpr int32_t kMaxMultiprocessors = 10'000;
constexpr int32_t kMaxComputeCapability = 990; // times ten, as there are two digits before the point at most
constexpr double kMaxRate = 1e18;              // bytes or FLOP a second
constexpr double kMaxLatencySeconds = 10;      // of one copy

std::string nameOf(const Rig& rig, int32_t device) {
    return fmt::format("device {} ('{}')", device, rig.devices[static_cast<std::size_t>(device)].name);
}

void checkRate(double rate, const std::string& whose, const char* what) {
    if (std::isfinite(rate) && rate > 0 && rate <= kMaxRate) return;
    throw invalidInput(fmt::format("The rig's {} has a {} of {:g} a second.", whose, what, rate),
                       "Give a rate above zero; a link that carries nothing is no link.");
}

void checkLatency(double seconds, const std::string& whose) {
    if (std::isfinite(seconds) && seconds >= 0 && seconds <= kMaxLatencySeconds) return;
    throw invalidInput(fmt::format("The rig's {} has a latency of {:g} s.", whose, seconds),
                       fmt::format("Give a latency from 0 to {:g} s; a copy over PCIe takes about 10 microseconds.",
                                   kMaxLatencySeconds));
}

void checkBytes(int64_t bytes, int64_t least, const std::string& whose, const char* what) {
    if (bytes >= least && bytes <= kMaxBytes) return;
    throw invalidInput(fmt::format("The rig's {} has {} bytes of {}.", whose, bytes, what),
                       fmt::format("Give {} to {} bytes (1 PiB).", least, kMaxBytes));
}

void checkDevices(const Rig& rig) {
    if (rig.devices.empty()) throw invalidInput("The rig has no devices.", "Give it at least one GPU or CPU worker.");
    if (rig.devices.size() > kMaxDevices)
        throw invalidInput(fmt::format("The rig has {} devices.", rig.devices.size()),
                           fmt::format("At most {} can be planned for.", kMaxDevices));
    for (int32_t d = 0; d < rig.numDevices(); ++d) {
        const DeviceSpec& device = rig.devices[static_cast<std::size_t>(d)];
        checkBytes(device.memoryBytes, 1, nameOf(rig, d), "memory");
        checkRate(device.matrixFlops, nameOf(rig, d), "matrix rate (FLOP)");
        checkRate(device.memoryBytesPerSecond, nameOf(rig, d), "memory rate (bytes)");
        if (device.isGpu && (device.numMultiprocessors < 1 || device.numMultiprocessors > kMaxMultiprocessors))
            throw invalidInput(fmt::format("{} has {} multiprocessors.", nameOf(rig, d), device.numMultiprocessors),
                               fmt::format("Give 1 to {}, as the GPU's data sheet says.", kMaxMultiprocessors));
        if (device.computeCapability < 0 || device.computeCapability > kMaxComputeCapability)
            throw invalidInput(
                fmt::format("{} has a compute capability of {}.", nameOf(rig, d), device.computeCapability / 10.0),
                "Give what NVIDIA's list of GPUs says, for instance 8.9, or leave it out.");
    }
}

void checkLinks(const Rig& rig) {
    if (rig.links.size() != rig.devices.size())
        throw invalidInput(fmt::format("The rig has {}, but {}.", counted(std::ssize(rig.devices), "device"),
                                       counted(std::ssize(rig.links), "link")),
                           "Every device needs exactly one link to the host.");
    for (int32_t d = 0; d < rig.numDevices(); ++d) {
        const Link& link = rig.links[static_cast<std::size_t>(d)];
        const std::string whose = "link of " + nameOf(rig, d);
        checkRate(link.upBytesPerSecond, whose, "rate up (bytes)");
        checkRate(link.downBytesPerSecond, whose, "rate down (bytes)");
        checkLatency(link.latencySeconds, whose);
        if (link.root < -1 || link.root >= static_cast<int32_t>(rig.roots.size()))
            throw invalidInput(fmt::format("The rig's {} hangs on root complex {}, but there are {}.", whose, link.root,
                                           rig.roots.size()),
                               "Name a root complex that the rig has, counted from 0, or -1 for one of its own.");
    }
}

void checkPeers(const Rig& rig) {
    std::set<std::pair<int32_t, int32_t>> seen;
    for (const PeerPath& peer : rig.peers) {
        for (const int32_t end : {peer.from, peer.to})
            if (end < 0 || end >= rig.numDevices())
                throw invalidInput(fmt::format("The rig has a peer path from device {} to device {}, but {} devices.",
                                               peer.from, peer.to, rig.numDevices()),
                                   "Peer paths join devices of the rig, counted from 0.");
        const std::string whose = fmt::format("peer path from {} to {}", nameOf(rig, peer.from), nameOf(rig, peer.to));
        if (peer.from == peer.to)
            throw invalidInput(fmt::format("The rig's {} leads to the device itself.", whose), "Remove it.");
        if (!seen.emplace(peer.from, peer.to).second)
            throw invalidInput(fmt::format("The rig's {} is given twice.", whose), "Keep one of the two.");
        checkRate(peer.bytesPerSecond, whose, "rate (bytes)");
        checkLatency(peer.latencySeconds, whose);
    }
}

void checkHost(const HostSpec& host) {
    checkBytes(host.memoryBytes, 1, "host", "memory");
    checkBytes(host.pinnedBytes, 0, "host", "memory that may be page-locked");
    checkBytes(host.diskBytes, 0, "host", "free disk");
    checkRate(host.memoryBytesPerSecond, "host", "memory rate (bytes)");
    if (host.pinnedBytes > host.memoryBytes)
        throw invalidInput(fmt::format("The rig's host may page-lock {} bytes, but has {} bytes of memory.",
                                       host.pinnedBytes, host.memoryBytes),
                           "Page-locked memory is a part of the memory; 0 means all of it.");
    if (host.diskBytesPerSecond != 0) checkRate(host.diskBytesPerSecond, "host", "disk rate (bytes)");
}

} // namespace

const PeerPath* Rig::peer(int32_t from, int32_t to) const {
    for (const PeerPath& path : peers)
        if (path.from == from && path.to == to) return &path;
    return nullptr;
}

void validate(const Rig& rig) {
    checkDevices(rig);
    for (std::size_t r = 0; r < rig.roots.size(); ++r) {
        const std::string whose = fmt::format("root complex {} ('{}')", r, rig.roots[r].name);
        checkRate(rig.roots[r].upBytesPerSecond, whose, "upload rate (bytes)");
        checkRate(rig.roots[r].downBytesPerSecond, whose, "download rate (bytes)");
    }
    checkLinks(rig);
    checkPeers(rig);
    checkHost(rig.host);
}

} // namespace roundpipe::plan
