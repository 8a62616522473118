// Known GPUs and a short notation for rigs made of them: "4x4090", "2x4090+2x3090@pcie4x8,ram=256".
//
//   rig     = group { "+" group } { "," option }
//   group   = [ count "x" ] gpu { "@" link }          "8x3090@pcie3x8", "h200", "2xa6000@nvlink", "3xcpu"
//   link    = "pcie" generation "x" lanes | "nvlink"  generation 3, 4, 5; lanes 4, 8, 16
//   option  = "ram=" GiB | "ramrate=" GB/s | "root=" number of GPUs that share a root complex
//
// Case and blanks don't matter, nor do "NVIDIA", "GeForce" and "RTX" before a name. What is not said:
// - A GeForce alone has 16 lanes; several have 8 each, as on a desktop board that splits its processor's 16, or a
//   workstation board with risers. Workstation and data-centre GPUs have 16. The slower of slot and GPU decides the
//   generation.
// - No GPU reaches another directly unless "@nvlink" says so: H100 and H200 then all reach each other, a 3090 or A6000
//   the neighbour that its bridge joins it to (0 and 1, 2 and 3, …).
// - "root=2": the first two GPUs share an uplink of 16 lanes, the next two another. Otherwise each has its own.
// - Host memory is 128 GiB for up to 2 GPUs, 256 for up to 4, 512 for more; 256 for each H100 or H200. A tenth is left
//   to the system.
#pragma once

#include "plan/rig/rig.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::plan {

inline constexpr int32_t kMaxEqualDevices = 64; // what a count before a GPU may say

// Throws kInvalidInput saying what is not understood and what could stand there.
Rig parseRig(std::string_view text);

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

// Reached by long copies of page-locked memory, each direction.
double pcieBytesPerSecond(PcieSlot slot);
// "pcie4x8" or "4x8"; nothing when it is no slot.
std::optional<PcieSlot> parsePcieSlot(std::string_view text);
// The slot that one of `numDevices` sits in: the usual one if none is given, at the GPU's own generation at most.
PcieSlot usedSlot(const DevicePreset& preset, int32_t numDevices, std::optional<PcieSlot> slot = {});
Link presetLink(const DevicePreset& preset, int32_t numDevices, std::optional<PcieSlot> slot = {});
// Of installed memory, what a run may use.
int64_t hostShare(double installedGib);
// What a machine with such devices usually has; null: a device of no preset.
HostSpec presetHost(const std::vector<const DevicePreset*>& devices);

} // namespace roundpipe::plan
