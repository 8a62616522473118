// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/device_sets.h"

#include <algorithm>
#include <string_view>

namespace roundpipe::queue {
namespace {

// "cuda:0@4090@20GiB" is the device "cuda:0", "cpu:3" the processor.
std::string_view deviceIn(std::string_view text) {
    text = text.substr(0, text.find('@'));
    return text.starts_with("cpu") ? text.substr(0, 3) : text;
}

bool isAll(const std::vector<std::string>& devices) {
    return devices.empty() || std::ranges::find(devices, "auto") != devices.end();
}

} // namespace

bool shareDevices(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    if (isAll(a) || isAll(b)) return true;
    return std::ranges::any_of(a, [&](const std::string& one) {
        return std::ranges::any_of(b, [&](const std::string& other) { return deviceIn(one) == deviceIn(other); });
    });
}

std::vector<std::vector<std::size_t>> linesOf(const std::vector<std::vector<std::string>>& devicesOfRuns) {
    std::vector<std::vector<std::size_t>> lines;
    for (std::size_t run = 0; run < devicesOfRuns.size(); ++run) {
        const auto meets = [&](const std::vector<std::size_t>& line) {
            return std::ranges::any_of(
                line, [&](std::size_t other) { return shareDevices(devicesOfRuns[other], devicesOfRuns[run]); });
        };
        const auto first = std::ranges::find_if(lines, meets);
        if (first == lines.end()) {
            lines.push_back({run});
            continue;
        }
        first->push_back(run); // and what it joins is one line from now on
        std::vector<std::vector<std::size_t>> apart;
        for (auto line = first + 1; line != lines.end(); ++line)
            meets(*line) ? void(first->insert(first->end(), line->begin(), line->end())) : apart.push_back(*line);
        std::ranges::sort(*first);
        lines.erase(first + 1, lines.end());
        lines.insert(lines.end(), apart.begin(), apart.end());
    }
    return lines;
}

} // namespace roundpipe::queue
