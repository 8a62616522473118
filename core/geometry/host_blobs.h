// SPDX-License-Identifier: GPL-3.0-or-later
// How the bases of layers lie in host memory: one blob a layer with its frozen tensors side by side. A tensor that an
// earlier layer has (a tied head's table) lies in that layer's blob only. What is trained lies elsewhere
// (trained_block.h), by the same rule.
#pragma once

#include "geometry/layout.h"

#include <span>
#include <vector>

namespace roundpipe::geometry {

inline constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

struct HostPlace {
    std::size_t owner = kNobody; // position of the layer in whose blob it lies
    int64_t offset = 0;          // in that blob, aligned
};

// A piece of an upload: `bytes` from offset `from` of the owner's blob go to offset `to` of the layer's base in a slot.
struct HostSegment {
    std::size_t owner = 0;
    int64_t from = 0;
    int64_t to = 0;
    int64_t bytes = 0;
};

struct HostBlob {
    int64_t bytes = 0;                 // of the tensors that the layer owns
    std::vector<HostPlace> tensors;    // as in BaseLayout; those that are not of this kind belong to nobody
    std::vector<HostSegment> segments; // as few as can be, in order
    int64_t uploadBytes() const;
};

// Of layers in order; their names decide what is shared. `trained`: of the tensors that are trained, else of the frozen
// ones.
std::vector<HostBlob> hostBlobs(std::span<const LayerLayout> layouts, bool trained = false);

} // namespace roundpipe::geometry
