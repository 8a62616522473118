// SPDX-License-Identifier: GPL-3.0-or-later
// What NVIDIA's management library knows and CUDA does not: the slot, the power limit, NVLink. It is loaded when asked
// for; a machine without it is no error.
#pragma once

#include "base/gpu_reading.h"

#include <cstdint>
#include <memory>
#include <string>

namespace roundpipe::device {

struct SlotFacts {
    int generation = 0; // of PCIe, now; a GPU at rest slows its link down
    int lanes = 0;
    int maxGeneration = 0; // that slot and GPU agree on
    int maxLanes = 0;
    int numNvlinks = 0; // that are up
    int powerLimitWatts = 0;
    int64_t usedBytes = 0; // of its memory, by all programs; without what the driver keeps for itself
};

// As the library lays it out (its second version).
struct NvmlMemory {
    unsigned version = sizeof(NvmlMemory) | 2u << 24;
    unsigned long long total = 0;
    unsigned long long reserved = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};

struct NvmlUtilisation {
    unsigned gpu = 0; // percent
    unsigned memory = 0;
};

// The functions of the library that are used, under its own names; null: the library has none of the name.
struct NvmlApi {
    using Handle = void*;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*driverVersion)(char* text, unsigned length) = nullptr;
    int (*deviceByBusId)(const char* busId, Handle* device) = nullptr;
    int (*generation)(Handle device, unsigned* value) = nullptr;
    int (*lanes)(Handle device, unsigned* value) = nullptr;
    int (*maxGeneration)(Handle device, unsigned* value) = nullptr;
    int (*maxLanes)(Handle device, unsigned* value) = nullptr;
    int (*nvlinkState)(Handle device, unsigned link, unsigned* isUp) = nullptr;
    int (*powerLimit)(Handle device, unsigned* milliwatts) = nullptr;
    int (*power)(Handle device, unsigned* milliwatts) = nullptr;
    int (*temperature)(Handle device, int sensor, unsigned* celsius) = nullptr;
    int (*clock)(Handle device, int domain, unsigned* megahertz) = nullptr;
    int (*utilisation)(Handle device, NvmlUtilisation* percent) = nullptr;
    int (*memory)(Handle device, NvmlMemory* memory) = nullptr;
    int (*displayActive)(Handle device, unsigned* isActive) = nullptr;
};

// The library, started, until it is destroyed. One thread at a time.
class NvmlSession {
public:
    explicit NvmlSession(const NvmlApi& api) : m_api(api) {} // started by the caller
    ~NvmlSession();
    NvmlSession(const NvmlSession&) = delete;
    NvmlSession& operator=(const NvmlSession&) = delete;

    std::string driver() const;                     // "580.65.06"; empty: not told
    SlotFacts slot(const std::string& busId) const; // zeros where the library does not say
    GpuReading reading(const std::string& busId) const;
    bool drivesDisplay(const std::string& busId) const; // a desktop draws on it; false where the library does not say

private:
    NvmlApi::Handle find(const std::string& busId) const; // null: not known to the library

    NvmlApi m_api;
};
// Null when the library is not there or does not start.
std::unique_ptr<NvmlSession> openNvml();
std::unique_ptr<NvmlSession> openNvml(const NvmlApi& api);

// "PCIe 4.0 x8 of 4.0 x16, 450 W"; what is not known is left out.
std::string describe(const SlotFacts& slot);

} // namespace roundpipe::device
