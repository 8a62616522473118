// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/rig/rig_notation.h"

#include "base/error.h"
#include "base/units.h"
#include "plan/rig/rig_presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

namespace roundpipe::plan {
namespace {

constexpr const char* kExamples = "Write 4x4090, 8x3090@pcie3x8, 2x4090+2x3090 or 4x4090,ram=256,root=2; \"this\" for "
                                  "this machine, or the path of a rig file.";

struct DeviceGroup {
    int32_t count = 1;
    const DevicePreset* preset = nullptr;
    std::optional<PcieSlot> slot;
    bool nvlink = false;
};

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::string withoutBlanks(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (std::isspace(static_cast<unsigned char>(c)) == 0)
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

// The count before an "x", if the text begins with one: "4x4090" has it, "4090" and "xeon" have not.
int32_t takeCount(std::string& text, const std::string& group) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0 || digits == text.size() || text[digits] != 'x') return 1;
    int32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + digits, count);
    if (error != std::errc() || count < 1 || count > kMaxEqualDevices)
        throw invalidInput(fmt::format("The rig's '{}' asks for {} devices.", group, text.substr(0, digits)),
                           fmt::format("Give 1 to {}.", kMaxEqualDevices));
    text.erase(0, digits + 1);
    return count;
}

DeviceGroup parseGroup(const std::string& text) {
    const std::vector<std::string> parts = split(text, '@');
    std::string name = parts[0];
    DeviceGroup group;
    group.count = takeCount(name, text);
    if (name.empty()) throw invalidInput(fmt::format("The rig's '{}' names no device.", text), kExamples);
    group.preset = &devicePreset(name);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (parts[i] == "nvlink") {
            group.nvlink = true;
        } else if (const auto slot = parsePcieSlot(parts[i])) {
            group.slot = slot;
        } else {
            throw invalidInput(fmt::format("The rig's '{}' has the link '{}', which is not known.", text, parts[i]),
                               "Write @pcie3x4 … @pcie5x16 (generation 3 to 5, 4, 8 or 16 lanes) or @nvlink.");
        }
    }
    if (group.nvlink && group.preset->nvlinkBytesPerSecond == 0)
        throw invalidInput(
            fmt::format("The rig's '{}' asks for NVLink, which no {} has.", text, group.preset->device.name),
            "Leave @nvlink out.");
    if (group.slot && group.preset->pcieGeneration == 0)
        throw invalidInput(fmt::format("The rig's '{}' puts a CPU worker into a PCIe slot.", text),
                           "Leave the link of CPU workers out.");
    return group;
}

struct RigOptions {
    std::optional<double> memoryGib;
    std::optional<double> memoryGBs;
    int32_t devicesPerRoot = 1;
};

double positiveNumber(const std::string& option, const std::string& text) {
    constexpr double kMost = 1e6;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const char* const last = text.data() + text.size();
    const bool hasUnit =
        error == std::errc() && end != last && std::all_of(end, last, [](char c) { return std::isdigit(c) == 0; });
    const auto refuse = [&](const std::string& why) {
        throw invalidInput(fmt::format("The rig's option '{}={}' {}.", option, text, why),
                           "Write ram=256 (GiB), ramrate=150 (GB/s) or root=2 (GPUs that share a root complex).");
    };
    if (hasUnit) refuse("has a unit: it takes the number alone");
    if (error == std::errc::result_out_of_range || value > kMost) refuse(fmt::format("is more than {:.0f}", kMost));
    if (error != std::errc() || end != text.data() + text.size() || !(value > 0)) refuse("is not a number above zero");
    return value;
}

RigOptions parseOptions(const std::vector<std::string>& parts, std::size_t numDevices) {
    RigOptions options;
    std::set<std::string> given;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::size_t equals = parts[i].find('=');
        const std::string key = parts[i].substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : parts[i].substr(equals + 1);
        if (!given.insert(key).second)
            throw invalidInput(fmt::format("The rig says '{}' twice.", key), "Leave one of them out.");
        if (key == "ram") {
            options.memoryGib = positiveNumber(key, value);
        } else if (key == "ramrate") {
            options.memoryGBs = positiveNumber(key, value);
        } else if (key == "root") {
            const double share = positiveNumber(key, value);
            if (share != std::floor(share) || share > static_cast<double>(numDevices))
                throw invalidInput(
                    fmt::format("The rig's option 'root={}' does not suit {} device(s).", value, numDevices),
                    "Give the whole number of GPUs that share a root complex.");
            options.devicesPerRoot = static_cast<int32_t>(share);
        } else {
            throw invalidInput(fmt::format("The rig has the option '{}', which is not known.", parts[i]),
                               "Known are ram=256 (GiB), ramrate=150 (GB/s) and root=2.");
        }
    }
    return options;
}

// Every `share` GPUs after one another hang on an uplink of 16 lanes of the fastest one's generation. CPU workers have
// no lanes.
void addRoots(Rig& rig, const std::vector<const DevicePreset*>& presets, int32_t share) {
    int32_t numGpus = 0;
    for (std::size_t d = 0; d < presets.size(); ++d) {
        const int generation = presets[d]->pcieGeneration;
        if (generation == 0) continue;
        if (numGpus++ % share == 0) rig.roots.push_back({fmt::format("root {}", rig.roots.size()), 0, 0, true});
        RootComplex& root = rig.roots.back();
        root.upBytesPerSecond = std::max(root.upBytesPerSecond, pcieBytesPerSecond({generation, 16}));
        root.downBytesPerSecond = root.upBytesPerSecond;
        rig.links[d].root = static_cast<int32_t>(rig.roots.size()) - 1;
    }
    if (numGpus == 0)
        throw invalidInput("The rig's option 'root' is about PCIe, but the rig has no GPUs.", "Leave it out.");
}

void addPeers(Rig& rig, const DeviceGroup& group, int32_t first) {
    constexpr double kLatencySeconds = 5e-6; // no host in between: about half of a copy over PCIe
    for (int32_t from = 0; from < group.count; ++from)
        for (int32_t to = 0; to < group.count; ++to) {
            const bool joined = from != to && (group.preset->nvlinkReachesAll || from / 2 == to / 2);
            if (joined)
                rig.peers.push_back({first + from, first + to, group.preset->nvlinkBytesPerSecond, kLatencySeconds});
        }
}

// "2 x RTX 4090, PCIe 4.0 x8 + RTX 3090, PCIe 4.0 x16, NVLink"
std::string nameOf(const std::vector<DeviceGroup>& groups, int32_t numDevices) {
    std::string name;
    for (const DeviceGroup& group : groups) {
        if (!name.empty()) name += " + ";
        if (group.count > 1) name += fmt::format("{} x ", group.count);
        name += group.preset->device.name;
        if (group.preset->pcieGeneration == 0) continue;
        const PcieSlot slot = usedSlot(*group.preset, numDevices, group.slot);
        name += fmt::format(", PCIe {}.0 x{}{}", slot.generation, slot.lanes, group.nvlink ? ", NVLink" : "");
    }
    return name;
}

} // namespace

Rig parseRig(std::string_view text) {
    const std::vector<std::string> parts = split(withoutBlanks(text), ',');
    if (parts[0].empty()) throw invalidInput("The rig is empty.", kExamples);
    std::vector<DeviceGroup> groups;
    std::vector<const DevicePreset*> presets;
    for (const std::string& part : split(parts[0], '+')) {
        groups.push_back(parseGroup(part));
        presets.insert(presets.end(), static_cast<std::size_t>(groups.back().count), groups.back().preset);
    }
    const auto numDevices = static_cast<int32_t>(presets.size());

    Rig rig;
    rig.name = nameOf(groups, numDevices);
    for (const DeviceGroup& group : groups) {
        if (group.nvlink) addPeers(rig, group, rig.numDevices());
        for (int32_t i = 0; i < group.count; ++i) {
            rig.devices.push_back(group.preset->device);
            rig.links.push_back(presetLink(*group.preset, numDevices, group.slot));
        }
    }
    const RigOptions options = parseOptions(parts, presets.size());
    if (options.devicesPerRoot > 1) addRoots(rig, presets, options.devicesPerRoot);
    rig.host = presetHost(presets);
    if (options.memoryGib) rig.host.memoryBytes = hostShare(*options.memoryGib);
    if (options.memoryGBs) rig.host.memoryBytesPerSecond = *options.memoryGBs * 1e9;
    validate(rig);
    return rig;
}

} // namespace roundpipe::plan
