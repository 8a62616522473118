// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/misfit.h"

#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace roundpipe::plan {
namespace {

std::string nameOf(const Shortfall& shortfall) {
    switch (shortfall.memory) {
    case MemoryKind::kDevice:
        return fmt::format("device {} ({})", shortfall.device, shortfall.deviceName);
    case MemoryKind::kHost:
        return "host memory";
    case MemoryKind::kPageLocked:
        return "page-locked host memory";
    case MemoryKind::kDisk:
        return "the disk";
    }
    return {};
}

std::string sizesOf(const Shortfall& shortfall) {
    return formatBytes(shortfall.neededBytes) + " of " + formatBytes(shortfall.availableBytes);
}

// Neighbours of a name that lack the same are said once.
std::string listed(const std::vector<Shortfall>& shortfalls) {
    std::string text;
    for (auto first = shortfalls.begin(); first != shortfalls.end();) {
        const auto isAlike = [&](const Shortfall& other) {
            return other.memory == first->memory && other.deviceName == first->deviceName &&
                   other.neededBytes == first->neededBytes && other.availableBytes == first->availableBytes;
        };
        const auto end = std::find_if_not(first, shortfalls.end(), isAlike);
        text += text.empty() ? "" : "; ";
        text += end - first == 1 ? first->text()
                                 : fmt::format("devices {} to {} ({}) need {} each", first->device, (end - 1)->device,
                                               first->deviceName, sizesOf(*first));
        first = end;
    }
    return text;
}

} // namespace

std::string Shortfall::text() const {
    return nameOf(*this) + " needs " + sizesOf(*this);
}

std::string Misfit::text() const {
    switch (obstacle) {
    case Obstacle::kNone:
        return {};
    case Obstacle::kMemory:
        return listed(shortfalls);
    case Obstacle::kSmallestPlan:
        if (!shortfalls.empty() && !isOfDevices())
            return "The model does not fit this rig, however it is cut: " + listed(shortfalls) + ".";
        return "The model does not fit this rig even with one layer at a time: " +
               (shortfalls.empty() ? "no device takes all of its stages" : listed(shortfalls)) + ".";
    case Obstacle::kFewLayers:
        return "there are more devices than layers";
    case Obstacle::kAsSaid:
        return said;
    }
    return {};
}

bool Misfit::isOfDevices() const {
    return std::ranges::find(shortfalls, MemoryKind::kDevice, &Shortfall::memory) != shortfalls.end();
}

const Shortfall* Misfit::largest() const {
    const auto found = std::ranges::max_element(shortfalls, {}, &Shortfall::missingBytes);
    return found == shortfalls.end() ? nullptr : &*found;
}

} // namespace roundpipe::plan
