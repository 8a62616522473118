// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/machine/pci_topology.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <system_error>

namespace roundpipe::device {
namespace {

namespace fs = std::filesystem;

// The kernel writes the domain with four digits, NVML with eight.
std::string kernelBusId(const std::string& busId) {
    std::string id;
    for (const char c : busId)
        id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const std::size_t colon = id.find(':');
    if (colon != std::string::npos && colon > 4 && id.find_first_not_of('0') >= colon - 4) id.erase(0, colon - 4);
    return id;
}

bool isBridge(const std::string& name) {
    return name.starts_with("pci") ||
           (name.size() >= 12 && std::count(name.begin(), name.end(), ':') == 2 && name.find('.') != std::string::npos);
}

} // namespace

std::vector<std::string> bridgesAbove(const std::string& busId, const fs::path& sysfs) {
    std::error_code failed;
    const fs::path link = sysfs / "bus/pci/devices" / kernelBusId(busId);
    const fs::path place = fs::read_symlink(link, failed); // ../../../devices/pci0000:00/0000:00:01.0/0000:01:00.0
    if (failed) return {};
    std::vector<std::string> bridges;
    for (const fs::path& part : place.parent_path())
        if (isBridge(part.string())) bridges.push_back(part.string());
    return bridges;
}

std::vector<SharedWay> sharedWays(const std::vector<std::vector<std::string>>& bridges) {
    std::map<std::string, std::vector<int>> below; // a bridge's devices
    for (std::size_t d = 0; d < bridges.size(); ++d)
        for (const std::string& bridge : bridges[d])
            below[bridge].push_back(static_cast<int>(d));

    std::vector<SharedWay> ways;
    const auto add = [&](std::size_t device, std::size_t level) {
        const std::string& bridge = bridges[device][level];
        const std::string name = (level == 0 ? "host bridge " : "bridge ") + bridge;
        const auto same = [&](const SharedWay& way) { return way.name == name; };
        if (std::ranges::none_of(ways, same)) ways.push_back({name, below[bridge]});
    };
    for (std::size_t d = 0; d < bridges.size(); ++d)
        for (std::size_t level = bridges[d].size(); level-- > 1;)
            if (below[bridges[d][level]].size() > 1) {
                add(d, level);
                break;
            }
    for (std::size_t d = 0; d < bridges.size(); ++d)
        if (!bridges[d].empty() && below[bridges[d][0]].size() > 1) add(d, 0);
    return ways;
}

} // namespace roundpipe::device
