// SPDX-License-Identifier: GPL-3.0-or-later
// The machine that trains: devices, the links between them and the host, and the host itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::plan {

// Rates are what long copies and large products reach, not what a data sheet promises.
struct DeviceSpec {
    std::string name;                 // "RTX 4090"
    int64_t memoryBytes = 0;          // all of it; what the driver and libraries take is the memory model's business
    double matrixFlops = 0;           // FLOP/s of dense products of 16-bit operands, accumulated in fp32
    double memoryBytesPerSecond = 0;  // of its own memory
    bool isGpu = true;                // false: a CPU worker, whose "device memory" is host memory
    int32_t numMultiprocessors = 132; // of a GPU; how much attention keeps depends on it
    int32_t computeCapability = 0;    // of a GPU, times ten: 89 is Ada, 90 Hopper; 0: not known
};

// Between a device and the host.
struct Link {
    double upBytesPerSecond = 0; // host to device
    double downBytesPerSecond = 0;
    double latencySeconds = 0; // from the request to the first byte
    bool duplex = true;        // false: up and down share the larger of the two rates
    int32_t root = -1;         // root complex (or switch uplink) that it hangs on; -1: one of its own
};

// What several links share.
struct RootComplex {
    std::string name;
    double upBytesPerSecond = 0; // of all of them together; where not duplex both ways share the larger rate
    double downBytesPerSecond = 0;
    bool duplex = true;
};

// A verified direct path from one device to another.
struct PeerPath {
    int32_t from = 0;
    int32_t to = 0;
    double bytesPerSecond = 0;
    double latencySeconds = 0;
};

struct HostSpec {
    int64_t memoryBytes = 0;         // that a run may use
    int64_t pinnedBytes = 0;         // of it, at most, page-locked; 0: all of it
    double memoryBytesPerSecond = 0; // of all transfers together; an upload reads it once, a download writes it once
    int64_t diskBytes = 0;           // free for the run's output; 0: unknown
    double diskBytesPerSecond = 0;   // reading the model; 0: unknown
};

struct Rig {
    std::string name; // "4 x RTX 4090, PCIe 4.0 x8"
    std::vector<DeviceSpec> devices;
    std::vector<Link> links; // one per device
    std::vector<RootComplex> roots;
    std::vector<PeerPath> peers;
    HostSpec host;

    int32_t numDevices() const { return static_cast<int32_t>(devices.size()); }
    const PeerPath* peer(int32_t from, int32_t to) const; // null: by way of the host
};

// Throws kInvalidInput naming the device, link or field that is missing, absurd or contradicts another.
void validate(const Rig& rig);

} // namespace roundpipe::plan
