// SPDX-License-Identifier: GPL-3.0-or-later
// How what the layers of a stage save lies in memory.
#pragma once

#include "geometry/layer_sizes.h"
#include "geometry/workspace.h"

#include <algorithm>

namespace roundpipe::geometry {

// Bytes. First an area in which layers of which only the input is saved take turns: what is computed again of one is
// used up before the next one's turn. After it an area for each of the others, in their order, but for what lies in
// host memory, which comes and goes through buffers of its own (KeptPlace).
struct SavedRoom {
    int64_t inTurns = 0;
    int64_t own = 0;

    void add(const LayerSizes& layer, LayerSaving saving) {
        const int64_t bytes = alignUp(saving.what == Saving::kAll ? layer.saved : layer.savedWithoutGateUp);
        if (saving.what == Saving::kInput)
            inTurns = std::max(inTurns, bytes);
        else if (!saving.onHost)
            own += bytes;
    }
    int64_t bytes() const { return inTurns + own; }
};

// Of a layer with `what` in host memory, what goes there beside its input, which is a packet.
inline int64_t savedOnHost(const LayerSizes& layer, Saving what) {
    if (what == Saving::kInput) return 0;
    return what == Saving::kAll ? layer.saved : layer.savedWithoutGateUp;
}

// It on its way there or back; on its way back the layer's input lies behind it.
struct KeptPlace {
    KeptPlace(int64_t saved, int64_t packet) : input(alignUp(saved)), bytes(input + packet) {}
    int64_t input; // offset
    int64_t bytes;
};

} // namespace roundpipe::geometry
