// SPDX-License-Identifier: GPL-3.0-or-later
// Packed bases as products take them: areas of a device in which a layer is unpacked right before it is computed with,
// and where it stays until its area is given to another.
#pragma once

#include "device/device.h"
#include "geometry/layout.h"
#include "geometry/workspace.h"
#include "kernels/kernels.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::transfer {

// What a call of a layer needs of its base.
enum class Assembly : uint8_t {
    kWhole,       // all tensors unpacked
    kForwardFp8,  // the same, but of weights that are multiplied in FP8 (TensorPlace::mayMultiplyFp8) nothing: they are
                  // read in the slot
    kBackwardFp8, // the same, and in their places these weights' codes, transposed
};

// Enqueues on `target` (CPU: does) what makes the base of a layer, as BaseLayout::bytes of it say, from its slot's.
void assemble(const kernels::Target& target, const geometry::LayerLayout& layout, Assembly assembly,
              const std::byte* inSlot, std::byte* assembled);

// One thread at a time. All work that reads or writes the areas is of one stream, so that its order alone keeps them.
class AssembledLayers {
public:
    // `areas`: one at least, if any layer is packed; each has room for any of them.
    AssembledLayers(std::span<const geometry::LayerLayout> layouts, const geometry::Buffers& areas);

    // Where the base of a packed layer lies for what is launched on `stream` from now on. Launches its unpacking where
    // it is not there, lacks something, or has tensors of another version.
    const std::byte* base(int32_t layer, int64_t version, Assembly assembly, const std::byte* inSlot,
                          device::Stream& stream);

private:
    struct Area {
        std::byte* memory = nullptr;
        int32_t layer = -1;
        int64_t version = 0;
        Assembly assembly = Assembly::kWhole;
        int64_t lastUse = 0; // in the order of uses
    };
    std::span<const geometry::LayerLayout> m_layouts;
    std::vector<Area> m_areas;
    int64_t m_numUses = 0;
};

} // namespace roundpipe::transfer
