#include "session/simulated_schedule.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::session {
namespace {

using trace::Kind;
using trace::LaneRole;
using trace::Record;

// 0.92 … 1.08, the same for the same arguments: no two microbatches take quite as long.
double jitter(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t x = a * 0x9e3779b97f4a7c15ULL ^ b * 0xbf58476d1ce4e5b9ULL ^ c * 0x94d049bb133111ebULL;
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15ULL;
    return 0.92 + 0.16 * static_cast<double>(x >> 40) / static_cast<double>(1 << 24);
}

} // namespace

SimulatedSchedule::SimulatedSchedule(const RunPlan& plan, int32_t numMicrobatches, SimulatedRig rig)
    : m_plan(plan)
    , m_numMicrobatches(numMicrobatches)
    , m_rig(rig)
    , m_stages(plan.plan.stages())
    , m_laneFreeNs(plan.lanes.size(), 0)
    , m_slotStartNs(plan.devices.size(), 0)
    , m_layerReadyNs(static_cast<std::size_t>(plan.plan.numLayers), 0) {}

int64_t SimulatedSchedule::transferNs(int64_t bytes) const {
    return static_cast<int64_t>((static_cast<double>(bytes) / m_rig.bytesPerNs + 50'000) / m_rig.speed);
}

int64_t SimulatedSchedule::computeNs(const Slot& slot, Kind kind, int32_t step, int32_t microbatch) const {
    const double perLayer = kind == Kind::kBackward ? 2.0 : kind == Kind::kFused ? 3.0 : 1.0;
    const double noise =
        jitter(static_cast<uint64_t>(step), static_cast<uint64_t>(slot.index) * 16 + static_cast<uint64_t>(kind),
               static_cast<uint64_t>(microbatch));
    return static_cast<int64_t>(static_cast<double>(m_rig.forwardNs) * perLayer * slot.stage.layers.size() * noise /
                                m_rig.speed);
}

int64_t SimulatedSchedule::put(LaneId lane, Kind kind, int64_t queuedNs, int64_t durationNs, Record ids) {
    ids.lane = lane;
    ids.kind = kind;
    ids.queuedNs = queuedNs;
    ids.startNs = std::max(queuedNs, m_laneFreeNs[lane.index()]);
    ids.endNs = ids.startNs + durationNs;
    m_laneFreeNs[lane.index()] = ids.endNs;
    m_records.push_back(ids);
    return ids.endNs;
}

// Prefetched while the device still computes its slot before; returns when each layer of the stage has landed.
std::vector<int64_t> SimulatedSchedule::uploadWeights(const Slot& slot, int32_t step) {
    const LaneId lane = trace::laneOf(slot.device, LaneRole::kWeightsUp);
    std::vector<int64_t> landedNs;
    const plan::LayerRange& layers = slot.stage.layers;
    for (int32_t i = 0; i < layers.size(); ++i) {
        const bool down = slot.stage.kind == plan::StageKind::kBackward; // backward needs the deepest layer first
        const int32_t layer = down ? layers.end - 1 - i : layers.begin + i;
        const auto index = static_cast<std::size_t>(layer);
        Record ids;
        ids.step = step;
        ids.slot = slot.index;
        ids.stage = slot.stage.id;
        ids.layer = LayerId(layer);
        ids.bytes = m_plan.layerBytes[index];
        const int64_t queuedNs = std::max(m_slotStartNs[slot.device.index()], m_layerReadyNs[index]);
        put(lane, Kind::kUploadWeights, queuedNs, transferNs(ids.bytes), ids);
        ids.bytes /= 24;
        landedNs.push_back(put(lane, Kind::kUploadAdapter, queuedNs, transferNs(ids.bytes), ids));
    }
    return landedNs;
}

void SimulatedSchedule::updateLayers(const Slot& slot, int32_t step, int64_t computedNs) {
    for (int32_t layer = slot.stage.layers.end - 1; layer >= slot.stage.layers.begin; --layer) {
        const auto index = static_cast<std::size_t>(layer);
        Record ids;
        ids.step = step;
        ids.slot = slot.index;
        ids.stage = slot.stage.id;
        ids.layer = LayerId(layer);
        ids.bytes = m_plan.layerBytes[index] / 24;
        const int64_t landedNs = put(trace::laneOf(slot.device, LaneRole::kGradientsDown), Kind::kDownloadGradient,
                                     computedNs, transferNs(ids.bytes), ids);
        ids.bytes = 0;
        m_layerReadyNs[index] =
            put(trace::hostLane(static_cast<int>(m_plan.devices.size()), LaneRole::kOptimizer), Kind::kOptimizer,
                landedNs, static_cast<int64_t>(static_cast<double>(m_rig.updateNs) / m_rig.speed), ids);
    }
}

void SimulatedSchedule::runSlot(const Slot& slot, int32_t step, bool evaluating, std::vector<int64_t>& packetReadyNs) {
    const LaneId compute = trace::laneOf(slot.device, LaneRole::kCompute);
    const bool backward = !evaluating && slot.stage.kind == plan::StageKind::kBackward;
    const bool fused = !evaluating && slot.stage.kind == plan::StageKind::kFused;
    const std::vector<int64_t> weightsNs = uploadWeights(slot, step);
    int64_t computedNs = 0;
    for (int32_t m = 0; m < static_cast<int32_t>(packetReadyNs.size()); ++m) {
        Record ids;
        ids.step = step;
        ids.slot = slot.index;
        ids.stage = slot.stage.id;
        ids.microbatch = MicrobatchId(m);
        ids.bytes = m_rig.activationBytes;
        ids.isGradient = backward;
        ids.layer = LayerId(backward ? slot.stage.layers.end : slot.stage.layers.begin);
        int64_t& packetNs = packetReadyNs[static_cast<std::size_t>(m)];
        packetNs = put(trace::laneOf(slot.device, LaneRole::kActivationsUp), Kind::kUploadActivation, packetNs,
                       transferNs(ids.bytes), ids);
        ids.bytes = 0;
        ids.isGradient = false;
        ids.layer = LayerId();
        const int64_t freeNs = m_laneFreeNs[compute.index()];
        const int64_t readyNs = std::max(packetNs, m == 0 ? weightsNs.back() : 0);
        if (m == 0) m_slotStartNs[slot.device.index()] = std::max(freeNs, readyNs);
        if (backward) put(compute, Kind::kRecompute, readyNs, computeNs(slot, Kind::kRecompute, step, m), ids);
        const Kind kind = evaluating ? Kind::kEvaluate
                          : backward ? Kind::kBackward
                          : fused    ? Kind::kFused
                                     : Kind::kForward;
        computedNs = put(compute, kind, readyNs, computeNs(slot, kind, step, m), ids);
        ids.bytes = m_rig.activationBytes;
        ids.isGradient = backward || fused;
        ids.layer = LayerId(ids.isGradient ? slot.stage.layers.begin : slot.stage.layers.end);
        packetNs = put(trace::laneOf(slot.device, LaneRole::kActivationsDown), Kind::kDownloadActivation, computedNs,
                       transferNs(ids.bytes), ids);
    }
    if (backward || fused) updateLayers(slot, step, computedNs);
}

std::vector<Record> SimulatedSchedule::nextStep(int32_t step, int64_t startNs) {
    m_records.clear();
    for (int64_t& freeNs : m_laneFreeNs)
        freeNs = std::max(freeNs, startNs);
    std::vector<int64_t> packetReadyNs(static_cast<std::size_t>(m_numMicrobatches), startNs);
    for (std::size_t i = 0; i < m_stages.size(); ++i)
        runSlot({m_stages[i], static_cast<int32_t>(i), m_plan.plan.deviceOf(m_numSlots++)}, step, false, packetReadyNs);
    int64_t endNs = startNs;
    for (const Record& record : m_records)
        endNs = std::max(endNs, record.endNs);
    Record ids;
    ids.step = step;
    put(trace::hostLane(static_cast<int>(m_plan.devices.size()), LaneRole::kSession), Kind::kStep, startNs,
        endNs - startNs, ids);
    std::sort(m_records.begin(), m_records.end(), [](const Record& a, const Record& b) { return a.endNs < b.endNs; });
    return m_records;
}

std::vector<Record> SimulatedSchedule::nextEvaluation(int32_t step, int64_t startNs) {
    m_records.clear();
    for (int64_t& freeNs : m_laneFreeNs)
        freeNs = std::max(freeNs, startNs);
    std::vector<int64_t> packetReadyNs(static_cast<std::size_t>(m_numMicrobatches), startNs);
    for (const plan::Stage& stage : m_stages)
        if (stage.kind != plan::StageKind::kBackward)
            runSlot({stage, -1, m_plan.plan.deviceOf(m_numSlots++)}, step, true, packetReadyNs);
    std::sort(m_records.begin(), m_records.end(), [](const Record& a, const Record& b) { return a.endNs < b.endNs; });
    return m_records;
}

} // namespace roundpipe::session
