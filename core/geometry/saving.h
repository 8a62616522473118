// SPDX-License-Identifier: GPL-3.0-or-later
// What of a layer's forward is kept for its backward, and where. What is not kept is computed again, by the same
// kernels: the choice decides memory and time, never a bit of what comes out.
#pragma once

#include "base/spelling.h"

#include <cstdint>

namespace roundpipe::geometry {

enum class Saving : uint8_t {
    kAll,           // all that backward needs
    kWithoutGateUp, // all but the half of gate and up, which is most of it: made again when backward begins
    kInput,         // the layer's input: its forward is repeated right before its backward
    kOnHost,        // all: a forward stage saves it and sends it to the host, a backward stage takes it from there
};
constexpr std::array<const char*, 4> spellings(Saving) {
    return {"all", "without-gate-up", "input", "on-host"};
}

} // namespace roundpipe::geometry
