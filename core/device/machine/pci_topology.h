// SPDX-License-Identifier: GPL-3.0-or-later
// Which GPUs share a way to the host, as the kernel shows it in /sys/bus/pci.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::device {

// The bridges between a PCI device and the processor, host bridge first: {"pci0000:00", "0000:00:01.0"} for a GPU in a
// slot of its own, more where switches stand between. Empty when the system does not say. `busId` as CUDA or NVML write
// it ("00000000:01:00.0", any case).
std::vector<std::string> bridgesAbove(const std::string& busId, const std::filesystem::path& sysfs = "/sys");

// Devices (by position) that share a bridge below the host bridge, nearest first, then those that share a host bridge
// only: each a group of two or more that may share bandwidth. A device is in at most one group of either sort.
struct SharedWay {
    std::string name; // "bridge 0000:00:01.0"
    std::vector<int> devices;
};
std::vector<SharedWay> sharedWays(const std::vector<std::vector<std::string>>& bridges);

} // namespace roundpipe::device
