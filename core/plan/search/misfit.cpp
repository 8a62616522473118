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

std::string listed(const std::vector<Shortfall>& shortfalls) {
    std::string text;
    for (const Shortfall& shortfall : shortfalls)
        text += (text.empty() ? "" : "; ") + shortfall.text();
    return text;
}

} // namespace

std::string Shortfall::text() const {
    return nameOf(*this) + " needs " + formatBytes(neededBytes) + " of " + formatBytes(availableBytes);
}

std::string Misfit::text() const {
    switch (code) {
    case Code::kNone:
        return {};
    case Code::kMemory:
        return listed(shortfalls);
    case Code::kSmallestPlan:
        return "The model does not fit this rig even with one layer at a time: " +
               (shortfalls.empty() ? "no device takes all of its stages" : listed(shortfalls)) + ".";
    case Code::kFewLayers:
        return "there are more devices than layers";
    case Code::kUnevenShares:
        return fmt::format("{} microbatches cannot be shared evenly by {} devices", numMicrobatches, numDevices);
    case Code::kAsSaid:
        return said;
    }
    return {};
}

const Shortfall* Misfit::largest() const {
    const auto found = std::ranges::max_element(shortfalls, {}, &Shortfall::missingBytes);
    return found == shortfalls.end() ? nullptr : &*found;
}

} // namespace roundpipe::plan
