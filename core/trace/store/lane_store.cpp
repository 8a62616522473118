// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/store/lane_store.h"

#include "base/error.h"

#include <algorithm>
#include <limits>

namespace roundpipe::trace {
namespace {

constexpr std::size_t kLookedAtEvery = 1024;

} // namespace

LaneStore::LaneStore(std::vector<Lane> lanes, int64_t originNs, TraceAbout about)
    : m_lanes(std::move(lanes))
    , m_about(std::move(about))
    , m_slices(m_lanes.size())
    , m_pyramids(m_lanes.size(), Pyramid(originNs))
    , m_counters(m_lanes.size(), CounterPyramid(originNs))
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
        if (m_lanes[record.lane.index()].role == LaneRole::kMemory)
            m_counters[record.lane.index()].add(record);
        else
            m_pyramids[record.lane.index()].add(record);
        m_beginNs = empty() ? record.startNs : std::min(m_beginNs, record.startNs);
        m_endNs = empty() ? record.endNs : std::max(m_endNs, record.endNs);
        ++m_numSlices;
        if (m_budgetBytes > 0 && ++m_numAppended >= kLookedAtEvery) keepBudget();
    }
}

void LaneStore::setBudget(int64_t bytes, std::filesystem::path folder) {
    m_budgetBytes = bytes;
    m_spillFolder = std::move(folder);
    m_budgetProblem.clear();
    if (bytes > 0) keepBudget();
}

int64_t LaneStore::memoryBytes() const {
    std::size_t chunks = 0;
    for (const SliceList& slices : m_slices)
        chunks += slices.numChunksInMemory();
    return static_cast<int64_t>(chunks * SliceList::kChunkBytes) + pyramidBytes();
}

int64_t LaneStore::pyramidBytes() const {
    int64_t bytes = 0;
    for (const Pyramid& pyramid : m_pyramids)
        bytes += pyramid.memoryBytes();
    for (const CounterPyramid& counter : m_counters)
        bytes += counter.memoryBytes();
    return bytes;
}

std::size_t LaneStore::numChunksOnDisk() const {
    std::size_t chunks = 0;
    for (const SliceList& slices : m_slices)
        chunks += slices.numChunksOnDisk();
    return chunks;
}

// Where the disk takes no more, all that follows stays in memory, and says so.
void LaneStore::keepBudget() {
    m_numAppended = 0;
    while (pyramidBytes() > m_budgetBytes / 2) {
        const auto pyramid = std::ranges::max_element(m_pyramids, {}, &Pyramid::memoryBytes);
        const auto counter = std::ranges::max_element(m_counters, {}, &CounterPyramid::memoryBytes);
        const bool isCounter = counter->memoryBytes() > pyramid->memoryBytes();
        if (!(isCounter ? counter->giveUpFinest() : pyramid->giveUpFinest())) break;
    }
    if (!m_budgetProblem.empty()) return;
    try {
        for (int64_t bytes = memoryBytes(); bytes > m_budgetBytes; bytes -= SliceList::kChunkBytes) {
            const auto oldest = std::ranges::min_element(m_slices, {}, &SliceList::oldestInMemoryNs);
            if (oldest == m_slices.end() || oldest->oldestInMemoryNs() == std::numeric_limits<int64_t>::max()) return;
            if (!m_spilled) m_spilled = std::make_shared<ChunkFile>(m_spillFolder);
            oldest->moveOldestTo(*m_spilled);
        }
    } catch (const Error& error) {
        m_budgetProblem = error.message();
    }
}

LaneStore storeOf(const TraceSnapshot& trace) {
    LaneStore store(trace.lanes, trace.originNs, trace.about);
    for (const SliceList& slices : trace.slices)
        for (std::size_t i = 0; i < slices.size(); ++i)
            store.append({&slices[i], 1});
    return store;
}

TraceSnapshot LaneStore::snapshot() const {
    TraceSnapshot result{m_originNs, m_lanes, {}, m_about};
    for (const SliceList& slices : m_slices)
        result.slices.push_back(slices.snapshot());
    return result;
}

} // namespace roundpipe::trace
