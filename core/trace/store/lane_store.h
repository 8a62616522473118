// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that a run has recorded so far, lane by lane: what the timeline, the statistics and the exports read.
#pragma once

#include "trace/store/pyramid.h"
#include "trace/store/slice_list.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::trace {

// What a trace says of its run, for people and for other programs: "model", "Qwen3-0.6B".
struct Fact {
    std::string name;
    std::string value;
};
struct TraceAbout {
    std::vector<std::string> layerNames; // by LayerId; may be empty
    std::vector<Fact> facts;
};

// The store as it was at one moment; may be handed to another thread, for an export.
struct TraceSnapshot {
    int64_t originNs = 0;
    std::vector<Lane> lanes;
    std::vector<SliceList> slices; // by lane
    TraceAbout about;
};

// One thread owns a store: it appends what it pulls from the engine and reads at will; there are no locks. Other
// threads get snapshots.
class LaneStore {
public:
    LaneStore() = default;
    // `lanes` as makeLanes() numbers them. `originNs`: a time before the first record, from which the views count.
    LaneStore(std::vector<Lane> lanes, int64_t originNs, TraceAbout about = {});

    // Keeps slices and pyramids within so many bytes of memory: the oldest slices go to a file without a name in
    // `folder`, are read from there, and are gone with the store and its snapshots. Each lane's newest slices stay, and
    // the pyramids: where these alone take more than half of it, they lose their finest levels, and what is closer is
    // folded slice by slice. Without a budget all stays in memory.
    void setBudget(int64_t bytes, std::filesystem::path folder);
    int64_t memoryBytes() const;
    std::size_t numChunksOnDisk() const; // of 1024 slices
    // Why slices that should have gone to the disk stay in memory; empty: nothing is wrong.
    const std::string& budgetProblem() const { return m_budgetProblem; }

    // In any order. Records that name no lane of the store, or end before they start, are counted and left out.
    void append(std::span<const Record> records);

    const std::vector<Lane>& lanes() const { return m_lanes; }
    const TraceAbout& about() const { return m_about; }
    const SliceList& slices(LaneId lane) const { return m_slices[lane.index()]; }
    std::span<const SliceList> allSlices() const { return m_slices; }                            // by lane
    const Pyramid& pyramid(LaneId lane) const { return m_pyramids[lane.index()]; }               // empty for counters
    const CounterPyramid& counterPyramid(LaneId lane) const { return m_counters[lane.index()]; } // empty for all others

    bool empty() const { return m_numSlices == 0; }
    std::size_t numSlices() const { return m_numSlices; }
    std::size_t numRejected() const { return m_numRejected; }
    int64_t originNs() const { return m_originNs; }
    int64_t beginNs() const { return m_beginNs; } // first start; the origin while empty
    int64_t endNs() const { return m_endNs; }     // last end; the origin while empty

    TraceSnapshot snapshot() const;

    static constexpr int64_t kUsualBudgetBytes = int64_t{2} << 30;

private:
    void keepBudget();
    int64_t pyramidBytes() const;

    std::vector<Lane> m_lanes;
    TraceAbout m_about;
    std::vector<SliceList> m_slices;
    std::vector<Pyramid> m_pyramids;
    std::vector<CounterPyramid> m_counters;
    int64_t m_originNs = 0;
    int64_t m_beginNs = 0;
    int64_t m_endNs = 0;
    std::size_t m_numSlices = 0;
    std::size_t m_numRejected = 0;
    int64_t m_budgetBytes = 0;     // 0: none
    std::size_t m_numAppended = 0; // since memory was looked at last
    std::filesystem::path m_spillFolder;
    std::shared_ptr<ChunkFile> m_spilled; // made when it is needed
    std::string m_budgetProblem;
};

LaneStore storeOf(const TraceSnapshot& trace); // all of its slices, copied

} // namespace roundpipe::trace
