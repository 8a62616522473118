// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/rig/device_wish.h"

#include "base/error.h"
#include "base/units.h"

#include <charconv>
#include <cmath>

namespace roundpipe::plan {
namespace {

constexpr std::string_view kUnit = "GiB";
constexpr double kMostGib = 4096;

int64_t bytesFrom(std::string_view number, const std::string& text) {
    double gib = 0;
    const char* const end = number.data() + number.size();
    const auto [rest, error] = std::from_chars(number.data(), end, gib);
    if (error != std::errc() || rest != end || !(gib > 0 && gib <= kMostGib))
        throw invalidInput("'" + text + "' limits a device's memory to no number of GiB.", "Write cuda:0@24GiB.");
    return std::llround(gib * static_cast<double>(kGiB));
}

DevicePreset cardNamed(std::string_view name, const std::string& text) {
    try {
        return devicePreset(name);
    } catch (const Error&) {
        throw invalidInput("'" + text + "' limits a device to '" + std::string(name) +
                               "', which is neither a number of GiB nor a card that is known.",
                           "Write cuda:0@24GiB, cuda:0@1.5GiB or cuda:0@4090.");
    }
}

// What stands behind one @: GiB of its memory, or a card.
void limitBy(DeviceWish& wish, std::string_view limit, const std::string& text) {
    if (limit.ends_with(kUnit)) {
        wish.memoryBytes = bytesFrom(limit.substr(0, limit.size() - kUnit.size()), text);
    } else {
        wish.actsAs = cardNamed(limit, text);
        wish.memoryBytes = wish.actsAs->device.memoryBytes;
    }
}

} // namespace

DeviceWish parseDeviceWish(const std::string& text) {
    DeviceWish wish;
    const std::size_t at = text.find('@');
    wish.name = text.substr(0, at);
    if (at == std::string::npos) return wish;
    wish.limit = text.substr(at);
    const std::string_view limits = std::string_view(wish.limit).substr(1);
    const std::size_t second = limits.find('@');
    limitBy(wish, limits.substr(0, second), text);
    if (second == std::string::npos) return wish;
    const std::string_view memory = limits.substr(second + 1);
    if (!wish.actsAs || !memory.ends_with(kUnit))
        throw invalidInput("'" + text + "' limits a device twice.",
                           "Write the card first, then how much of its memory: cuda:0@4090@20GiB.");
    limitBy(wish, memory, text);
    if (wish.memoryBytes > wish.actsAs->device.memoryBytes)
        throw invalidInput("'" + text + "' gives a device more memory than such a card has.", "Write fewer GiB.");
    return wish;
}

} // namespace roundpipe::plan
