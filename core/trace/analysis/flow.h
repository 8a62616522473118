// SPDX-License-Identifier: GPL-3.0-or-later
// How a microbatch travels: which copies carry one packet, and the slices of one microbatch from stage to stage.
#pragma once

#include "trace/store/lane_store.h"

#include <compare>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace roundpipe::trace {

// What crosses from one stage to another by way of the host, unique within a step: the hidden states that go into layer
// `layer` for a microbatch, or the gradient of them.
struct PacketId {
    int32_t step = -1;
    LayerId layer;
    MicrobatchId microbatch;
    bool isGradient = false;
    auto operator<=>(const PacketId&) const = default;
};
// Of a copy of activations that carries a packet; nothing for other records (losses and token ids travel alike).
std::optional<PacketId> packetOf(const Record& record);

// The compute slices of one microbatch of one step and the copies of its packets, in the order of their starts, and
// which of them hands on to which.
struct MicrobatchFlow {
    struct Handover { // indices into `slices`
        std::size_t from = 0;
        std::size_t to = 0;
    };
    std::vector<Record> slices;
    std::vector<Handover> links; // compute → download → upload → compute
};

// Of the microbatch of `slice`; empty when the slice belongs to none. `slices` by lane, as a TraceSnapshot has them.
// The time grows with the slices of one step.
MicrobatchFlow flowOf(std::span<const SliceList> slices, const std::vector<Lane>& lanes, const Record& slice);

// The slice that reads what `upload` brings; null when it is not there. `compute`: the lane of the same device.
const Record* readerOf(const SliceList& compute, const Record& upload);

// For a reader who goes through the uploads of a lane in the order of their starts.
class PacketSources {
public:
    // References are kept.
    PacketSources(std::span<const SliceList> slices, const std::vector<Lane>& lanes);
    // The download that brought what `upload` carries on; null when it is not there. Valid until the next call.
    const Record* of(const Record& upload);

private:
    struct Cursor {
        const SliceList* slices = nullptr; // of a lane of downloads
        std::size_t next = 0;
    };
    std::vector<Cursor> m_cursors;
    int32_t m_step = -1;
    std::map<PacketId, Record> m_downloads; // that began before the upload
};

} // namespace roundpipe::trace
