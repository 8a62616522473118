// SPDX-License-Identifier: GPL-3.0-or-later
// Why a plan cannot run on a rig, as codes with numbers: the window says it in its user's language, the command line
// and the log in English, as text() has it.
#pragma once

#include "base/spelling.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::plan {

enum class MemoryKind : uint8_t { kDevice, kHost, kPageLocked, kDisk };
constexpr std::array<const char*, 4> spellings(MemoryKind) {
    return {"device", "host", "page-locked", "disk"};
}

// A memory that is too small.
struct Shortfall {
    MemoryKind memory = MemoryKind::kDevice;
    int32_t device = -1;    // of the rig; -1: it is no device's
    std::string deviceName; // "RTX 4090"
    int64_t neededBytes = 0;
    int64_t availableBytes = 0;

    int64_t missingBytes() const { return neededBytes - availableBytes; }
    std::string text() const; // "device 0 (RTX 4090) needs 27.2 GiB of 23.6 GiB"
    bool operator==(const Shortfall&) const = default;
};

struct Misfit {
    enum class Obstacle : uint8_t {
        kNone,         // it can run
        kMemory,       // `shortfalls`
        kSmallestPlan, // however it is cut: `shortfalls`; none: no device takes all of its stages
        kFewLayers,    // fewer than there are devices
        kAsSaid,       // `said`: an error's message
    };
    Obstacle obstacle = Obstacle::kNone;
    std::vector<Shortfall> shortfalls;
    std::string said;

    bool empty() const { return obstacle == Obstacle::kNone; }
    std::string text() const; // empty: it can run
    bool isOfDevices() const; // whether a device's memory is too small
    // Of which most is missing; null where no memory is known to be.
    const Shortfall* largest() const;
    bool operator==(const Misfit&) const = default;
};
constexpr std::array<const char*, 5> spellings(Misfit::Obstacle) {
    return {"none", "memory", "smallest-plan", "few-layers", "as-said"};
}

} // namespace roundpipe::plan
