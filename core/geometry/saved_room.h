// SPDX-License-Identifier: GPL-3.0-or-later
// How what the layers of a stage save lies in memory.
#pragma once

#include "geometry/layer_sizes.h"
#include "geometry/workspace.h"

#include <algorithm>

namespace roundpipe::geometry {

// Bytes. First an area in which layers of which only the input is saved take turns: what is computed again of one is
// used up before the next one's turn. After it an area for each of the others, in their order, but for those that are
// saved in host memory: they come and go through buffers of their own (KeptPlace).
struct SavedRoom {
    int64_t inTurns = 0;
    int64_t own = 0;

    void add(const LayerSizes& layer, Saving saving) {
        if (saving == Saving::kOnHost) return;
        const int64_t bytes = alignUp(saving == Saving::kAll ? layer.saved : layer.savedWithoutGateUp);
        if (saving == Saving::kInput)
            inTurns = std::max(inTurns, bytes);
        else
            own += bytes;
    }
    int64_t bytes() const { return inTurns + own; }
};

// Of a layer that is saved in host memory, on its way there or back: what it saved, and on its way back its input
// behind that.
struct KeptPlace {
    KeptPlace(int64_t saved, int64_t packet) : input(alignUp(saved)), bytes(input + packet) {}
    int64_t input; // offset
    int64_t bytes;
};

} // namespace roundpipe::geometry
