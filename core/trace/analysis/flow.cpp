// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/analysis/flow.h"

#include <algorithm>

namespace roundpipe::trace {
namespace {

bool belongsTo(const Record& record, const Record& slice) {
    return record.step == slice.step && record.microbatch == slice.microbatch &&
           (isCompute(record.kind) || packetOf(record));
}

// A lane's slices of the microbatch. A lane's records lie program by program. Where steps flow into each other, a lane
// may be a step ahead of another one; and where the slice is a wait that began early, it may still be at the program
// before, a validation among them.
void gather(const SliceList& lane, const Record& slice, std::vector<Record>& out) {
    const auto flowsInto = [](int32_t step, int32_t next) { return step >= 0 && next > step; };
    const std::size_t middle = lane.firstStartingFrom(slice.startNs);
    for (std::size_t i = middle; i-- > 0;) {
        if (belongsTo(lane[i], slice)) out.push_back(lane[i]);
        if (lane[i].step != slice.step && !flowsInto(slice.step, lane[i].step)) break;
    }
    for (std::size_t i = middle; i < lane.size(); ++i) {
        if (belongsTo(lane[i], slice)) out.push_back(lane[i]);
        const bool isUnderWay = lane[i].step == slice.step || lane[i].step == lane[middle].step;
        if (!isUnderWay && !flowsInto(lane[i].step, slice.step)) break;
    }
}

// Of `slices` the index of what `copy` was computed by; a slot's slice is cut where it waited.
std::optional<std::size_t> producerOf(const std::vector<Record>& slices, const Record& copy) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < slices.size() && slices[i].startNs <= copy.startNs; ++i)
        if (isCompute(slices[i].kind) && slices[i].slot == copy.slot) found = i;
    return found;
}

bool reads(const Record& slice, const Record& upload) {
    return isCompute(slice.kind) && slice.step == upload.step && slice.slot == upload.slot &&
           slice.microbatch == upload.microbatch && (slice.kind == Kind::kBackward) == upload.isGradient &&
           slice.endNs > upload.endNs;
}

void link(MicrobatchFlow& flow) {
    std::map<PacketId, std::size_t> downloads;
    for (std::size_t i = 0; i < flow.slices.size(); ++i) {
        const Record& copy = flow.slices[i];
        const auto packet = packetOf(copy);
        if (!packet) continue;
        if (copy.kind == Kind::kDownloadActivation) {
            downloads[*packet] = i;
            if (const auto from = producerOf(flow.slices, copy)) flow.links.push_back({*from, i});
        } else {
            const auto from = downloads.find(*packet);
            if (from != downloads.end()) flow.links.push_back({from->second, i});
            const auto to = std::ranges::find_if(flow.slices, [&](const Record& s) { return reads(s, copy); });
            if (to != flow.slices.end()) flow.links.push_back({i, static_cast<std::size_t>(to - flow.slices.begin())});
        }
    }
}

} // namespace

std::optional<PacketId> packetOf(const Record& record) {
    const bool carries = record.kind == Kind::kUploadActivation || record.kind == Kind::kDownloadActivation;
    if (!carries || !record.layer.valid() || !record.microbatch.valid()) return std::nullopt;
    return PacketId{record.step, record.layer, record.microbatch, record.isGradient};
}

MicrobatchFlow flowOf(std::span<const SliceList> slices, const std::vector<Lane>& lanes, const Record& slice) {
    MicrobatchFlow flow;
    if (!slice.microbatch.valid() || slice.slot < 0) return flow;
    for (const Lane& lane : lanes)
        if (lane.device.valid() && lane.role != LaneRole::kMemory) gather(slices[lane.id.index()], slice, flow.slices);
    std::ranges::sort(flow.slices, {}, &Record::startNs);
    link(flow);
    return flow;
}

const Record* readerOf(const SliceList& compute, const Record& upload) {
    for (std::size_t i = compute.firstStartingFrom(upload.endNs); i < compute.size(); ++i) {
        if (reads(compute[i], upload)) return &compute[i];
        if (compute[i].step != upload.step) break;
    }
    return nullptr;
}

PacketSources::PacketSources(std::span<const SliceList> slices, const std::vector<Lane>& lanes) {
    for (const Lane& lane : lanes)
        if (lane.role == LaneRole::kActivationsDown) m_cursors.push_back({&slices[lane.id.index()], 0});
}

const Record* PacketSources::of(const Record& upload) {
    const auto packet = packetOf(upload);
    if (!packet) return nullptr;
    if (upload.step != m_step) {
        m_step = upload.step;
        std::erase_if(m_downloads, [&](const auto& download) { return download.first.step < m_step || m_step < 0; });
    }
    for (Cursor& cursor : m_cursors)
        for (; cursor.next < cursor.slices->size(); ++cursor.next) {
            const Record& download = (*cursor.slices)[cursor.next];
            if (download.startNs > upload.startNs) break;
            if (const auto carried = packetOf(download)) m_downloads[*carried] = download;
        }
    const auto found = m_downloads.find(*packet);
    return found == m_downloads.end() ? nullptr : &found->second;
}

} // namespace roundpipe::trace
