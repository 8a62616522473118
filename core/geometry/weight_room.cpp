// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/weight_room.h"

namespace roundpipe::geometry {

WeightPlace::WeightPlace(const LayerLayout& layout, int64_t uploadBytes, DType operandType, Workspace& slot)
    : stamp(slot.take(sizeof(SlotStamp)))
    , base(slot.take(layout.base.bytes))
    , adapter(slot.take(bytesOf(operandType, layout.adapter.numElements)))
    , packed(layout.hasPacked() ? slot.take(uploadBytes) : nullptr) {}

SlotKind kindOf(arch::LayerKind layer) {
    return layer == arch::LayerKind::kBlock ? SlotKind::kBlock : SlotKind::kTable;
}

WeightBuffers::WeightBuffers(const WeightRoom& room, Workspace& memory) {
    for (const WeightSlot& slot : room.allSlots) {
        allSlots.push_back(memory.take(slot.bytes));
        (slot.layer >= 0 ? residentBytes : sharedBytes) += alignUp(slot.bytes);
    }
}

} // namespace roundpipe::geometry
