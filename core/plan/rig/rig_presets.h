// SPDX-License-Identifier: GPL-3.0-or-later
// Known GPUs, and what a machine made of them usually has around them.
#pragma once

#include "plan/rig/rig.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::plan {

struct PcieSlot {
    int generation = 4;
    int lanes = 16;
    bool operator==(const PcieSlot&) const = default;
};

struct DevicePreset {
    std::string key; // "4090"
    DeviceSpec device;
    int pcieGeneration = 0;          // of the GPU; 0: a CPU worker
    bool isServer = false;           // in a data centre's machine
    bool isConsumer = false;         // shares a desktop's lanes
    double nvlinkBytesPerSecond = 0; // each direction to another GPU; 0: none
    bool nvlinkReachesAll = false;   // by a switch; false: a bridge joins two
};

// In the order of the list that errors show.
const std::vector<DevicePreset>& devicePresets();
const DevicePreset& devicePreset(std::string_view name); // throws kInvalidInput listing what exists

// As many as the engine takes by itself on a host of so many cores: a worker computes with one thread, so cores would
// idle with fewer; more than four gain little.
int32_t usualCpuWorkers(uint32_t numCores);

// Reached by long copies of page-locked memory, each direction.
double pcieBytesPerSecond(PcieSlot slot);
// "pcie4x8" or "4x8"; nothing when it is no slot.
std::optional<PcieSlot> parsePcieSlot(std::string_view text);
// The slot that one of `numDevices` sits in: the usual one if none is given, at the GPU's own generation at most.
PcieSlot usedSlot(const DevicePreset& preset, int32_t numDevices, std::optional<PcieSlot> slot = {});
Link presetLink(const DevicePreset& preset, int32_t numDevices, std::optional<PcieSlot> slot = {});
// Of installed memory, what a run may use.
int64_t hostShare(double installedGib);
// The whole GiB to be installed so that a run may use so many bytes.
int64_t installedGibFor(int64_t bytes);
// What a machine with such devices usually has; null: a device of no preset.
HostSpec presetHost(const std::vector<const DevicePreset*>& devices);

} // namespace roundpipe::plan
