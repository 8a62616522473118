// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/analysis/idle.h"

#include <algorithm>
#include <set>

namespace roundpipe::trace {
namespace {

constexpr std::size_t kDownloadsKept = 64;
constexpr std::size_t kUpdatesKept = 4;
constexpr std::size_t kPausesKept = 16;
constexpr int64_t kStepsKeptNs = 1'000'000'000;
// What ends together with a gap by two clocks may seem to end after it.
constexpr int64_t kClockErrorNs = 20'000;

bool endsWithin(const Record& record, int64_t fromNs, int64_t toNs) {
    return record.endNs > fromNs && record.endNs <= toNs + kClockErrorNs;
}

const Record* laterOf(const Record* a, const Record* b) {
    if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
    return a->endNs >= b->endNs ? a : b;
}

template <class Item>
void keepLatest(std::deque<Item>& items, const Item& item, std::size_t count) {
    items.push_back(item);
    if (items.size() > count) items.pop_front();
}

bool inOneSlot(const Record& a, const Record& b) {
    return a.step == b.step && a.slot == b.slot;
}

IdleReason reasonOf(Kind kind) {
    switch (kind) {
    case Kind::kUploadWeights:
    case Kind::kUploadAdapter:
        return IdleReason::kWeights;
    case Kind::kDownloadGradient:
        return IdleReason::kGradient;
    default:
        return IdleReason::kPacket;
    }
}

// The waits of one gap, from its beginning on.
class Gap {
public:
    Gap(int64_t fromNs, const Record& next, std::vector<Record>& out)
        : m_at(fromNs), m_next(next), m_out(out), m_first(out.size()) {}

    int64_t at() const { return m_at; }
    // The gap's next part. One too short to be seen goes to what follows.
    void until(int64_t timeNs, IdleReason reason, int32_t blockingSlot, LayerId layer = {}) {
        timeNs = std::min(timeNs, m_next.startNs);
        if (timeNs - m_at < kShortestIdleNs) return;
        const bool goesOn =
            m_out.size() > m_first && m_out.back().reason == reason && m_out.back().blockingSlot == blockingSlot;
        if (!goesOn) m_out.push_back(wait(reason, blockingSlot, layer));
        m_at = m_out.back().endNs = timeNs;
        if (layer.valid()) m_out.back().layer = layer;
    }
    // What is left is the host's, or too short for a slice of its own.
    void close() {
        until(m_next.startNs, IdleReason::kHost, -1);
        if (m_out.size() > m_first) m_out.back().endNs = m_next.startNs;
    }

private:
    Record wait(IdleReason reason, int32_t blockingSlot, LayerId layer) const {
        Record record = m_next; // step, stage, slot, microbatch, lane
        record.kind = Kind::kWait;
        record.reason = reason;
        record.blockingSlot = blockingSlot;
        record.layer = layer;
        record.startNs = record.queuedNs = m_at;
        record.bytes = 0;
        return record;
    }

    int64_t m_at;
    const Record& m_next;
    std::vector<Record>& m_out;
    std::size_t m_first;
};

} // namespace

void IdleFinder::add(std::span<const Record> records) {
    for (const Record& record : records) {
        if (!record.lane.valid() || record.endNs < record.startNs) continue;
        m_newestNs = std::max(m_newestNs, record.endNs);
        switch (record.kind) {
        case Kind::kUploadWeights:
        case Kind::kUploadAdapter:
        case Kind::kUploadActivation:
            addUpload(record);
            break;
        case Kind::kDownloadActivation:
        case Kind::kDownloadGradient:
            addDownload(record);
            break;
        case Kind::kOptimizer:
            addUpdate(record);
            break;
        case Kind::kWait: // of the session: waits of devices are what is looked for
            if (record.reason == IdleReason::kPause) keepLatest(m_pauses, record, kPausesKept);
            break;
        default:
            if (!isCompute(record.kind) || record.lane != laneOf(deviceOf(record.lane), LaneRole::kCompute)) break;
            m_devices[deviceOf(record.lane)].pending.push_back(record);
            Step& step = stepOf(record);
            step.computesNs = std::min(step.computesNs, record.queuedNs);
        }
    }
    forgetOldSteps();
}

IdleFinder::Step& IdleFinder::stepOf(const Record& record) {
    Step& step = m_steps[record.step];
    step.lastNs = std::max(step.lastNs, record.endNs);
    return step;
}

void IdleFinder::addUpdate(const Record& record) {
    keepLatest(m_updates[record.layer], {record.step, record.endNs}, kUpdatesKept);
    Step& step = stepOf(record);
    step.updatedNs = std::max(step.updatedNs, record.endNs);
}

void IdleFinder::addUpload(const Record& record) {
    Step& step = stepOf(record);
    const DeviceId device = deviceOf(record.lane);
    if (const auto packet = packetOf(record)) {
        step.received[{device, record.slot, packet->microbatch, packet->isGradient}] = record;
    } else if (record.kind != Kind::kUploadActivation) {
        std::vector<Record>& copies = step.weights[{device, record.slot}];
        const auto same = std::ranges::find_if(copies, [&](const Record& copy) {
            return copy.kind == record.kind && copy.layer == record.layer && copy.endNs <= record.startNs;
        });
        if (same == copies.end())
            copies.push_back(record);
        else
            *same = record;
    } else if (record.slot < 0) {
        step.dispatchedNs = std::min(step.dispatchedNs.value_or(record.queuedNs), record.queuedNs);
    }
}

void IdleFinder::addDownload(const Record& record) {
    Step& step = stepOf(record);
    if (const auto packet = packetOf(record)) step.sent[*packet] = record;
    if (record.kind == Kind::kDownloadGradient && record.endNs > step.lastGradients.endNs) step.lastGradients = record;
    keepLatest(m_devices[deviceOf(record.lane)].downloads, record, kDownloadsKept);
}

// What a gap may still ask for is the step before it, however long ago that was, and what is under way.
void IdleFinder::forgetOldSteps() {
    if (m_steps.size() <= m_numStepsLooked) return;
    std::set<int32_t> needed{-1};
    for (const auto& [id, device] : m_devices) {
        needed.insert(device.last.step);
        for (const Record& slice : device.pending)
            needed.insert(slice.step);
    }
    std::erase_if(m_steps, [&](const auto& step) {
        return step.second.lastNs < m_newestNs - kStepsKeptNs && !needed.contains(step.first);
    });
    m_numStepsLooked = m_steps.size();
}

void IdleFinder::take(int64_t untilNs, std::vector<Record>& out) {
    for (auto& [id, device] : m_devices)
        while (!device.pending.empty() && device.pending.front().endNs <= untilNs) {
            const Record next = device.pending.front();
            device.pending.pop_front();
            explain(device, next, out);
            if (!device.last.lane.valid() || next.endNs > device.last.endNs) device.last = next;
        }
}

void IdleFinder::explain(const DeviceSlices& device, const Record& next, std::vector<Record>& out) const {
    const Step& step = m_steps.at(next.step); // there while the slice was pending
    const bool isFirst = !device.last.lane.valid();
    Gap gap(isFirst ? step.dispatchedNs.value_or(step.computesNs) : device.last.endNs, next, out);
    if (next.startNs - gap.at() < kShortestIdleNs) return;

    if (device.last.step != next.step) { // a new program, which may have waited for the whole step before
        const auto before = m_steps.find(device.last.step);
        if (device.last.step >= 0 && before != m_steps.end() && step.computesNs >= before->second.updatedNs)
            gap.until(before->second.updatedNs, IdleReason::kUpdate, before->second.lastGradients.slot);
        for (const Record& pause : m_pauses) {
            if (pause.startNs >= next.startNs) break; // after it
            gap.until(pause.startNs, IdleReason::kHost, -1);
            gap.until(pause.endNs, IdleReason::kPause, -1);
        }
        gap.until(step.dispatchedNs.value_or(gap.at()), IdleReason::kHost, -1);
    }
    const auto coverBy = [&](const Record* arrival) {
        if (arrival == nullptr) return;
        const Cause cause = causeOf(*arrival);
        gap.until(cause.endNs, cause.reason, cause.slot, arrival->layer);
        gap.until(std::min(arrival->queuedNs, arrival->startNs), IdleReason::kHost, -1);
        const IdleReason reason = reasonOf(arrival->kind);
        gap.until(arrival->endNs, reason, reason == IdleReason::kPacket ? cause.slot : arrival->slot, arrival->layer);
    };
    coverBy(laterOf(lastWeights(device, next, gap.at()), lastPacket(next, gap.at())));
    coverBy(lastRoom(device, next, gap.at()));
    gap.close();
}

// Layers wait for their weights one by one, in their order and in a slot's first microbatch: the first one of a slot
// before its slice, the others within. So the gap belongs to the lowest layer that landed in it, though others may have
// landed by the time that the device went on.
const Record* IdleFinder::lastWeights(const DeviceSlices& device, const Record& next, int64_t fromNs) const {
    const bool goesOn = inOneSlot(device.last, next);
    if (goesOn && next.microbatch > device.last.microbatch) return nullptr;
    const Step& step = m_steps.at(next.step);
    const auto found = step.weights.find({deviceOf(next.lane), next.slot});
    if (found == step.weights.end()) return nullptr;
    std::map<LayerId, const Record*> landed; // the last copy of each layer
    for (const Record& copy : found->second)
        landed[copy.layer] = laterOf(landed[copy.layer], &copy);
    const Record* ofAll = nullptr; // a simulated slot's adapters go up as one
    if (const auto whole = landed.find(LayerId()); whole != landed.end()) {
        ofAll = whole->second;
        landed.erase(whole);
    }
    if (landed.empty()) landed[LayerId()] = ofAll;
    for (const auto& [layer, copy] : landed) {
        const Record* last = laterOf(copy, ofAll);
        if (endsWithin(*last, fromNs, next.startNs)) return last;
        if (!goesOn) break;
    }
    return nullptr;
}

// The packet that a slice reads; where none was uploaded, the one that the slot before copied straight to this device.
const Record* IdleFinder::lastPacket(const Record& next, int64_t fromNs) const {
    const Step& step = m_steps.at(next.step);
    const bool readsGradient = next.kind == Kind::kBackward;
    const auto found = step.received.find({deviceOf(next.lane), next.slot, next.microbatch, readsGradient});
    if (found != step.received.end()) return endsWithin(found->second, fromNs, next.startNs) ? &found->second : nullptr;
    for (const auto& [packet, copy] : step.sent)
        if (copy.slot == next.slot - 1 && packet.microbatch == next.microbatch && packet.isGradient == readsGradient &&
            endsWithin(copy, fromNs, next.startNs))
            return &copy;
    return nullptr;
}

// Buffers are used in turn, so a slot may have to wait until the gradients of an earlier one have gone, and a slice
// that sends in its middle until an earlier packet has. What was waited for is what was under way the longest.
const Record* IdleFinder::lastRoom(const DeviceSlices& device, const Record& next, int64_t fromNs) const {
    const bool sameSlot = inOneSlot(device.last, next);
    const bool goesOn = sameSlot && device.last.microbatch == next.microbatch;
    const bool makesGradients = next.kind == Kind::kRecompute || next.kind == Kind::kFused;
    const Record* room = nullptr;
    for (const Record& copy : device.downloads) {
        const bool waitedFor = copy.kind == Kind::kDownloadGradient ? makesGradients && !sameSlot : goesOn;
        if (!waitedFor || !endsWithin(copy, fromNs, next.startNs)) continue;
        if (room != nullptr && !inOneSlot(*room, copy)) break;
        room = &copy;
    }
    return room;
}

IdleFinder::Cause IdleFinder::causeOf(const Record& arrival) const {
    if (arrival.kind == Kind::kUploadAdapter) {
        const auto found = m_updates.find(arrival.layer);
        if (found == m_updates.end()) return {};
        for (auto update = found->second.rbegin(); update != found->second.rend(); ++update) {
            if (update->endNs > arrival.startNs + kClockErrorNs) continue;
            const auto by = m_steps.find(update->step);
            const int32_t slot = by == m_steps.end() ? -1 : by->second.lastGradients.slot;
            return {IdleReason::kUpdate, slot, update->endNs};
        }
    } else if (arrival.kind == Kind::kUploadActivation) {
        const Step& step = m_steps.at(arrival.step);
        const auto sent = step.sent.find(*packetOf(arrival));
        if (sent != step.sent.end()) return {IdleReason::kPacket, sent->second.slot, sent->second.endNs};
    } else if (arrival.kind == Kind::kDownloadActivation) {
        return {IdleReason::kPacket, arrival.slot, arrival.startNs};
    }
    return {};
}

std::vector<Record> idleSlicesOf(std::span<const Record> records) {
    std::vector<Record> sorted(records.begin(), records.end());
    std::ranges::stable_sort(sorted, {}, &Record::startNs);
    IdleFinder finder;
    std::vector<Record> waits;
    for (const Record& record : sorted) {
        finder.add({&record, 1});
        // Gaps are explained before what explains them is forgotten, and long after it was added.
        if (isCompute(record.kind)) finder.take(record.startNs, waits);
    }
    finder.take(std::numeric_limits<int64_t>::max(), waits);
    return waits;
}

} // namespace roundpipe::trace
