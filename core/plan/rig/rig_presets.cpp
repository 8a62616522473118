// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/rig/rig_presets.h"

#include "base/error.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace roundpipe::plan {
namespace {

// From one stream's request, through an event, to another's first byte. 256 KiB reaches two thirds of a fast link's
// rate back to back, so the copy's own share is only 3 microseconds.
constexpr double kCopyLatencySeconds = 10e-6;
constexpr double kShareForRuns = 0.9; // of installed memory

int64_t mebibytes(int64_t count) {
    return count * kMiB;
}

DevicePreset gpu(const char* key, const char* name, int64_t memoryMiB, double teraflops, double memoryGBs,
                 int32_t numMultiprocessors, int32_t computeCapability, int pcieGeneration) {
    DevicePreset preset;
    preset.key = key;
    preset.device = {name, mebibytes(memoryMiB), teraflops * kTera, memoryGBs * kGiga,
                     true, numMultiprocessors,   computeCapability};
    preset.pcieGeneration = pcieGeneration;
    return preset;
}

DevicePreset geForce(DevicePreset preset) {
    preset.isConsumer = true;
    return preset;
}

// A bridge carries 56.25 GB/s each way (third-generation NVLink, 4 links of 14.06); copies reach nine tenths.
DevicePreset bridged(DevicePreset preset) {
    preset.nvlinkBytesPerSecond = 50 * kGiga;
    return preset;
}

// 450 GB/s each way by data sheet (fourth generation, 18 links of 25); copies reach about 370.
DevicePreset switched(DevicePreset preset) {
    preset.isServer = true;
    preset.nvlinkReachesAll = true;
    preset.nvlinkBytesPerSecond = 370 * kGiga;
    return preset;
}

// Memory: what CUDA reports as the device's total, which is a little less than what the box says. Matrix rate: large
// dense bf16 products accumulated in fp32. Memory rate: a copy within the device, counting reads and writes, which
// reaches nine tenths of the data sheet's rate where nothing was measured.
std::vector<DevicePreset> makePresets() {
    std::vector<DevicePreset> presets;
    // Data sheet: 71.2 TFLOP/s, 936 GB/s. Large products hold the clock that the sheet counts with, and reach nine
    // tenths.
    presets.push_back(bridged(geForce(gpu("3090", "RTX 3090", 24'259, 65, 845, 82, 86, 4))));
    // Data sheet: 165.2 TFLOP/s (fp32 accumulation is half of fp16's 330), 1008 GB/s. Assumed: 150 leaves room for the
    // clock at 450 W. Published training of Llama-3.1-8B, 3,142 tokens/s on one, comes to 147 TFLOP/s without recompute
    // and 193 with all blocks computed again, which products accumulated in fp32 do not reach by that sheet.
    presets.push_back(geForce(gpu("4090", "RTX 4090", 24'207, 150, 910, 128, 89, 4)));
    // Data sheet: 209.5 TFLOP/s, 1792 GB/s.
    presets.push_back(geForce(gpu("5090", "RTX 5090", 32'119, 195, 1'610, 170, 120, 5)));
    // Data sheet: 154.8 TFLOP/s, 768 GB/s. Its 300 W do not hold the sheet's clock in products: about 115.
    presets.push_back(bridged(gpu("a6000", "RTX A6000", 48'685, 115, 690, 84, 86, 4)));
    // Data sheet (SXM): 989 TFLOP/s, 3350 GB/s. The same chip as the H200, whose measured product rate it shares; with
    // 3.2 TB/s its runs are as far from their estimates as the H200's (tests/bench/RESULTS.md, 2026-11-25).
    presets.push_back(switched(gpu("h100", "H100", 81'079, 740, 3'200, 132, 90, 5)));
    // Data sheet: 989 TFLOP/s, 4800 GB/s. Measured on a cool H200: 740 TFLOP/s in a layer's seven products (at 690 W
    // sustained less), 4.2 TB/s in copies (tests/bench/RESULTS.md).
    presets.push_back(switched(gpu("h200", "H200", 143'068, 740, 4'200, 132, 90, 5)));
    // A worker is one thread of a desktop core: fp32 products at half of what two 256-bit multiply-adds a clock give,
    // copies by one thread. `plan --rig this` measures the real ones.
    DevicePreset worker;
    worker.key = "cpu";
    worker.device = {"CPU worker", mebibytes(8'192), 60e9, 12 * kGiga, false};
    presets.push_back(worker);
    return presets;
}

// "NVIDIA GeForce RTX 4090" and "rtx4090" are "4090".
std::string canonical(std::string_view text) {
    std::string name;
    for (const char c : text)
        if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_')
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view prefix : {"nvidia", "geforce", "rtx"})
        if (name.starts_with(prefix)) name.erase(0, prefix.size());
    return name;
}

} // namespace

const std::vector<DevicePreset>& devicePresets() {
    static const std::vector<DevicePreset> presets = makePresets();
    return presets;
}

const DevicePreset& devicePreset(std::string_view name) {
    const std::string key = canonical(name);
    for (const DevicePreset& preset : devicePresets())
        if (preset.key == key) return preset;
    std::string known;
    for (const DevicePreset& preset : devicePresets())
        known += (known.empty() ? "" : ", ") + preset.key;
    throw invalidInput(fmt::format("'{}' is no device that is known.", name),
                       "Known are " + known + ". Describe any other in a rig file.");
}

int32_t usualCpuWorkers(uint32_t numCores) {
    return static_cast<int32_t>(std::clamp<uint32_t>(numCores, 1, 4));
}

double pcieBytesPerSecond(PcieSlot slot) {
    // The wire carries 0.985, 1.969 and 3.938 GB/s a lane; packets' headers and flow control leave 0.81 to 0.86.
    const double perLane = slot.generation == 3 ? 0.80 : slot.generation == 4 ? 1.62 : 3.38;
    return perLane * slot.lanes * kGiga;
}

std::optional<PcieSlot> parsePcieSlot(std::string_view text) {
    if (text.starts_with("pcie")) text.remove_prefix(4);
    PcieSlot slot;
    if (text.size() < 3 || text.size() > 4 || text[1] != 'x') return std::nullopt;
    slot.generation = text[0] - '0';
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), slot.lanes);
    const bool known =
        slot.generation >= 3 && slot.generation <= 5 && (slot.lanes == 4 || slot.lanes == 8 || slot.lanes == 16);
    if (error != std::errc() || end != text.data() + text.size() || !known) return std::nullopt;
    return slot;
}

PcieSlot usedSlot(const DevicePreset& preset, int32_t numDevices, std::optional<PcieSlot> slot) {
    PcieSlot used = slot.value_or(PcieSlot{preset.pcieGeneration, preset.isConsumer && numDevices > 1 ? 8 : 16});
    used.generation = std::min(used.generation, preset.pcieGeneration);
    return used;
}

Link presetLink(const DevicePreset& preset, int32_t numDevices, std::optional<PcieSlot> slot) {
    Link link;
    link.latencySeconds = kCopyLatencySeconds;
    if (preset.pcieGeneration == 0) { // a worker's transfers are copies within the host
        link.upBytesPerSecond = link.downBytesPerSecond = preset.device.memoryBytesPerSecond / 2;
        return link;
    }
    link.upBytesPerSecond = link.downBytesPerSecond = pcieBytesPerSecond(usedSlot(preset, numDevices, slot));
    return link;
}

int64_t hostShare(double installedGib) {
    return std::llround(installedGib * kShareForRuns * static_cast<double>(kGiB));
}

int64_t installedGibFor(int64_t bytes) {
    return static_cast<int64_t>(std::ceil(static_cast<double>(bytes) / kShareForRuns / static_cast<double>(kGiB)));
}

HostSpec presetHost(const std::vector<const DevicePreset*>& devices) {
    const auto numServer = std::ranges::count_if(
        devices, [](const DevicePreset* preset) { return preset != nullptr && preset->isServer; });
    const double home = devices.size() <= 2 ? 128 : devices.size() <= 4 ? 256 : 512;
    HostSpec host;
    host.memoryBytes = hostShare(std::max(home, 256.0 * static_cast<double>(numServer)));
    // Two channels of DDR5-5600 carry 90 GB/s by data sheet, eight of DDR4-3200 205 (a board that takes four GPUs), a
    // two-socket server's twenty-four of DDR5-4800 920; transfers reach about three quarters of one socket's share.
    host.memoryBytesPerSecond = (numServer > 0 ? 350 : devices.size() <= 2 ? 65 : 150) * kGiga;
    return host;
}

} // namespace roundpipe::plan
