// SPDX-License-Identifier: GPL-3.0-or-later
// How much host memory there is, is used, and a run may use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace roundpipe::device {

// "MemAvailable" of the text of /proc/meminfo: free, or freed at once when needed. 0 when the text does not say.
int64_t availableBytes(std::string_view meminfo);

// The same, within the limit that a container's memory controller sets. CUDA's page-locked memory is not under the
// process's memlock limit: the driver locks it.
int64_t availableHostBytes(const std::filesystem::path& root = "/");

// Shares of the last ten seconds in which programs waited for memory: some of them, or all at once. As the kernel's
// pressure stall information has it (Documentation/accounting/psi.rst). Nothing where it does not count them.
struct MemoryPressure {
    double some = 0;
    double all = 0;
};
std::optional<MemoryPressure> memoryPressure(const std::filesystem::path& root = "/");

int64_t physicalBytes(); // of the machine
int64_t pinnedBytes();   // page-locked for GPUs by this process; any thread
// Of physical memory, by this process. 0 when the system does not say.
int64_t residentBytes(const std::filesystem::path& root = "/");
// Of it, what is no part of a file, as libraries are, and not shared with other programs.
int64_t anonymousBytes(const std::filesystem::path& root = "/");

} // namespace roundpipe::device
