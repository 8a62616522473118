// SPDX-License-Identifier: GPL-3.0-or-later
// Strong indices: a layer can't be passed where a stage is meant. 4 bytes each, -1 when there is none.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace roundpipe {

template <class Tag>
struct Id {
    int32_t value = -1;

    constexpr Id() = default;
    constexpr explicit Id(int32_t v) : value(v) {}
    constexpr bool valid() const { return value >= 0; }
    constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
    constexpr auto operator<=>(const Id&) const = default;
};

using DeviceId = Id<struct DeviceTag>;         // position in the rig's list of devices
using LayerId = Id<struct LayerTag>;           // 0 is the embedding, the last one is the norm and head
using StageId = Id<struct StageTag>;           // position in the plan's list of stages
using MicrobatchId = Id<struct MicrobatchTag>; // position in the optimizer step, counted through all rounds
using LaneId = Id<struct LaneTag>;             // row of the timeline

} // namespace roundpipe

template <class Tag>
struct std::hash<roundpipe::Id<Tag>> {
    std::size_t operator()(roundpipe::Id<Tag> id) const noexcept { return std::hash<int32_t>{}(id.value); }
};
