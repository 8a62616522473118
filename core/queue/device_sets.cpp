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

} // namespace roundpipe::queue
