// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/microbatch_way.h"

#include <algorithm>
#include <map>

namespace roundpipe::ui::timeline {

std::vector<WayStop> wayOf(const trace::MicrobatchFlow& flow) {
    std::vector<WayStop> way;
    int64_t endNs = 0; // of the stop before
    int64_t stopEndNs = 0;
    for (std::size_t i = 0; i < flow.slices.size(); ++i) {
        const trace::Record& slice = flow.slices[i];
        if (!isCompute(slice.kind)) continue;
        if (way.empty() || flow.slices[way.back().slice].slot != slice.slot) {
            endNs = stopEndNs;
            way.push_back({i, 0, endNs > 0 ? std::max<int64_t>(0, slice.startNs - endNs) : 0});
        }
        way.back().slice = i;
        way.back().computedNs += slice.endNs - slice.startNs;
        stopEndNs = std::max(stopEndNs, slice.endNs);
    }
    return way;
}

std::vector<trace::MicrobatchFlow::Handover> stageLinksOf(const trace::MicrobatchFlow& flow) {
    std::map<std::size_t, std::size_t> before; // of each slice, the one that handed on to it
    for (const auto& [from, to] : flow.links)
        before.emplace(to, from);
    std::vector<trace::MicrobatchFlow::Handover> links;
    for (const auto& [copy, reader] : flow.links) {
        if (!isCompute(flow.slices[reader].kind)) continue;
        const auto download = before.find(copy);
        const auto producer = download == before.end() ? before.end() : before.find(download->second);
        if (producer != before.end() && flow.slices[reader].slot == flow.slices[producer->second].slot + 1)
            links.push_back({producer->second, reader});
    }
    return links;
}

} // namespace roundpipe::ui::timeline
