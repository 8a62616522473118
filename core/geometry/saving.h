// SPDX-License-Identifier: GPL-3.0-or-later
// What of a layer's forward is kept for its backward, and where: two choices. What is not kept is computed again, by
// the same kernels: the choices decide memory and time, never a bit of what comes out.
#pragma once

#include "base/spelling.h"

#include <cstdint>

namespace roundpipe::geometry {

enum class Saving : uint8_t {
    kAll,           // all that backward needs
    kWithoutGateUp, // all but the half of gate and up, which is most of it: made again when backward begins
    kInput,         // the layer's input: its forward is repeated right before its backward
};
constexpr std::array<const char*, 3> spellings(Saving) {
    return {"all", "without-gate-up", "input"};
}

// Of a layer. On the device it is the stage with the layer's backward that saves; in host memory the forward stage
// does, and sends what it saves there, so that the stage with the backward takes it and the layer's input from there.
struct LayerSaving {
    constexpr LayerSaving(Saving saved = Saving::kAll, bool inHostMemory = false) : what(saved), onHost(inHostMemory) {}
    bool operator==(const LayerSaving&) const = default;
    constexpr const char* spelling() const;

    Saving what;
    bool onHost;
};

// "on-host" is older than the choice of what lies there.
inline constexpr std::array<const char*, 3> kOnHostSpellings{"on-host", "without-gate-up-on-host", "input-on-host"};
constexpr const char* LayerSaving::spelling() const {
    return onHost ? kOnHostSpellings[static_cast<std::size_t>(what)] : spellingOf(what);
}
constexpr std::optional<LayerSaving> layerSavingFrom(std::string_view text) {
    for (std::size_t i = 0; i < kOnHostSpellings.size(); ++i)
        if (text == kOnHostSpellings[i]) return LayerSaving(static_cast<Saving>(i), true);
    if (const auto what = fromSpelling<Saving>(text)) return *what;
    return std::nullopt;
}

} // namespace roundpipe::geometry
