#include "trace/lane_store.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::trace {

LaneStore::LaneStore(std::vector<Lane> lanes, int64_t originNs, TraceAbout about)
    : m_lanes(std::move(lanes))
    , m_about(std::move(about))
    , m_slices(m_lanes.size())
    , m_pyramids(m_lanes.size(), Pyramid(originNs))
    , m_originNs(originNs)
    , m_beginNs(originNs)
    , m_endNs(originNs) {
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
        RP_CHECK(m_lanes[i].id.value == static_cast<int32_t>(i));
}

void LaneStore::append(std::span<const Record> records) {
    for (const Record& record : records) {
        if (!record.lane.valid() || record.lane.index() >= m_lanes.size() || record.endNs < record.startNs) {
            ++m_numRejected;
            continue;
        }
        m_slices[record.lane.index()].insert(record);
        m_pyramids[record.lane.index()].add(record);
        m_beginNs = empty() ? record.startNs : std::min(m_beginNs, record.startNs);
        m_endNs = empty() ? record.endNs : std::max(m_endNs, record.endNs);
        ++m_numSlices;
    }
}

LaneStore storeOf(const TraceSnapshot& trace) {
    LaneStore store(trace.lanes, trace.originNs, trace.about);
    for (const SliceList& slices : trace.slices)
        for (std::size_t i = 0; i < slices.size(); ++i)
            store.append({&slices[i], 1});
    return store;
}

TraceSnapshot LaneStore::snapshot() {
    TraceSnapshot result{m_originNs, m_lanes, {}, m_about};
    for (SliceList& slices : m_slices)
        result.slices.push_back(slices.snapshot());
    return result;
}

} // namespace roundpipe::trace
