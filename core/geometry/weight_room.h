// SPDX-License-Identifier: GPL-3.0-or-later
// The slots in which a device keeps weights: how they are laid out, and how many there are of which size. A weight slot
// is memory for a layer; what else is called a slot is a stage's turn in a program.
#pragma once

#include "geometry/layout.h"
#include "geometry/workspace.h"

#include <cstdint>
#include <vector>

namespace roundpipe::geometry {

// Written in front of the weights in a slot, where a run checks itself: which layer lies there, how many layers lay
// there before, and the version of what is trained of it (-1: it has none yet).
struct SlotStamp {
    int32_t layer = -1;
    int32_t slot = -1;
    int64_t generation = 0;
    int64_t version = -1;
    bool operator==(const SlotStamp&) const = default;
};

// Where a layer's weights lie in a slot.
struct WeightPlace {
    WeightPlace() = default;
    WeightPlace(const LayerLayout& layout, DType operandType, Workspace& slot);

    std::byte* stamp = nullptr;
    std::byte* base = nullptr; // as it travels: TensorPlace::slotOffset
    std::byte* adapter = nullptr;
};

// Embedding and head take a multiple of what a block takes, so they share slots among themselves.
enum class SlotKind : uint8_t { kTable, kBlock };
SlotKind kindOf(arch::LayerKind layer);

struct WeightSlot {
    SlotKind kind = SlotKind::kBlock;
    int64_t bytes = 0;
    int32_t layer = -1; // the resident one; -1: shared
};

// All slots of a device. A resident layer has one of its own; the others of a kind share theirs in turn.
struct WeightRoom {
    std::vector<SlotKind> kinds; // [layer]
    std::vector<WeightSlot> allSlots;
    // Areas in which packed bases are assembled, and the bytes of each. A layer that is computed with stays assembled
    // until its area is given to another.
    int64_t numAssembled = 0;
    int64_t assembledBytes = 0;
};

// Areas for the packed layers of a stage: one for each, so that they stay assembled from microbatch to microbatch;
// where they are too many, one for all in turn, as unpacking takes a few hundredths of the time of a call.
inline constexpr int64_t kMostAssembled = 4;
constexpr int64_t numAssembled(int64_t packedLayers) {
    return packedLayers <= kMostAssembled ? packedLayers : 1;
}

// Memory for them.
struct WeightBuffers {
    WeightBuffers(const WeightRoom& room, Workspace& memory);

    std::vector<std::byte*> allSlots; // [slot]
    Buffers assembled;
    int64_t sharedBytes = 0; // with `assembled`
    int64_t residentBytes = 0;
};

} // namespace roundpipe::geometry
