// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/weight_room.h"

namespace roundpipe::geometry {

WeightPlace::WeightPlace(const LayerLayout& layout, DType operandType, Workspace& slot)
    : stamp(slot.take(sizeof(SlotStamp)))
    , base(slot.take(layout.base.slotBytes))
    , adapter(slot.take(bytesOf(operandType, layout.adapter.numElements))) {}

SlotKind kindOf(arch::LayerKind layer) {
    return layer == arch::LayerKind::kBlock ? SlotKind::kBlock : SlotKind::kTable;
}

WeightBuffers::WeightBuffers(const WeightRoom& room, Workspace& memory) {
    for (const WeightSlot& slot : room.allSlots) {
        allSlots.push_back(memory.take(slot.bytes));
        (slot.layer >= 0 ? residentBytes : sharedBytes) += alignUp(slot.bytes);
    }
    assembled = Buffers(memory, room.numAssembled, room.assembledBytes);
    sharedBytes += assembled.bytes();
}

} // namespace roundpipe::geometry
