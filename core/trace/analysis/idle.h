// SPDX-License-Identifier: GPL-3.0-or-later
// Why a device did not compute: the gaps of compute lanes as slices of kWait with their reason. Worked out from the
// records of what ran and what moved, so that a run pays nothing for it and a simulated one gets the same.
#pragma once

#include "trace/analysis/flow.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace roundpipe::trace {

inline constexpr int64_t kShortestIdleNs = 20'000; // shorter gaps are the cost of launching

// A gap is explained by what the slice after it waited for last: of the copies that bring its weights and its packet,
// the one that ended last within the gap. What that copy itself had to wait for comes first: the update that makes its
// version, the slot that computes its packet. Time in which nothing was issued is the host's, or the
// user's who has paused the run. One thread.
class IdleFinder {
public:
    // Records of a lane in the order of their starts; those of different lanes in any order.
    void add(std::span<const Record> records);
    // Appends to `out` the waits before compute slices that have ended by `untilNs`. What they waited for must have
    // been added; as the records of other devices come late by milliseconds, who calls in a run stays that much behind.
    void take(int64_t untilNs, std::vector<Record>& out);

private:
    struct Step {
        std::map<std::tuple<DeviceId, int32_t>, std::vector<Record>> weights; // by slot: the last copy of each layer
        std::map<std::tuple<DeviceId, int32_t, MicrobatchId, bool>, Record> received; // packets, by slot
        std::map<PacketId, Record> sent;
        Record lastGradients;
        int64_t lastNs = 0; // of its records so far
        int64_t updatedNs = 0;
        std::optional<int64_t> dispatchedNs;                      // its token ids were sent to the first device
        int64_t computesNs = std::numeric_limits<int64_t>::max(); // its first slice was issued
    };
    struct Update {
        int32_t step = -1;
        int64_t endNs = 0;
    };
    struct DeviceSlices {
        std::deque<Record> pending;   // compute slices, by start
        Record last;                  // the latest one that was looked at; lane is invalid before the first
        std::deque<Record> downloads; // the latest few
    };
    struct Cause { // what a copy waited for before it could begin
        IdleReason reason = IdleReason::kNone;
        int32_t slot = -1;
        int64_t endNs = 0;
    };

    Step& stepOf(const Record& record);
    void addUpdate(const Record& record);
    void addUpload(const Record& record);
    void addDownload(const Record& record);
    void forgetOldSteps();
    const Record* lastWeights(const DeviceSlices& device, const Record& next, int64_t fromNs) const;
    const Record* lastPacket(const Record& next, int64_t fromNs) const;
    const Record* lastRoom(const DeviceSlices& device, const Record& next, int64_t fromNs) const;
    Cause causeOf(const Record& arrival) const;
    void explain(const DeviceSlices& device, const Record& next, std::vector<Record>& out) const;

    std::map<int32_t, Step> m_steps;
    std::size_t m_numStepsLooked = 0; // when old ones were forgotten
    int64_t m_newestNs = 0;
    std::map<LayerId, std::deque<Update>> m_updates; // of each layer, the latest few
    std::deque<Record> m_pauses;                     // the latest few
    std::map<DeviceId, DeviceSlices> m_devices;
};

// The waits of records that are all there, in any order.
std::vector<Record> idleSlicesOf(std::span<const Record> records);

} // namespace roundpipe::trace
