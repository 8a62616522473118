#include "base/error.h"
#include "plan/compare/schedules.h"

#include <algorithm>
#include <numeric>

namespace roundpipe::plan {
namespace {

// Runs the slots of one round, all its microbatches stage by stage.
class Round {
public:
    Round(Replay& replay, const Workload& workload, bool headWaits, int32_t step, int32_t firstMicrobatch, int32_t size,
          DeviceId firstDevice)
        : m_replay(replay)
        , m_workload(workload)
        , m_headWaits(headWaits)
        , m_step(step)
        , m_first(firstMicrobatch)
        , m_size(size)
        , m_device(firstDevice) {}

    void run(const std::vector<int32_t>& forwardLayers, const std::vector<int32_t>& backwardLayers) {
        const UniformModel& model = m_workload.model;
        std::vector<int32_t> previous;
        for (int32_t layers : forwardLayers) {
            Operation op;
            op.forward = layers * model.layerForward;
            previous = runSlot(op, {previous});
        }
        const std::vector<int32_t> lastForward = previous;
        for (std::size_t j = 0; j < backwardLayers.size(); ++j) {
            Operation op;
            op.forward = j == 0 ? backwardLayers[j] * model.layerForward + model.headForward : 0;
            op.recompute = j == 0 ? 0 : backwardLayers[j] * model.layerForward;
            op.backward = backwardLayers[j] * model.layerBackward + (j == 0 ? model.headBackward : 0);
            op.preparesEarly = j > 0 || !m_headWaits;
            previous = j == 0 ? runSlot(op, {lastForward}) : runSlot(op, {lastForward, previous});
        }
    }
    DeviceId nextDevice() const { return m_device; }

private:
    // One operation a microbatch; an input list is empty or has one producer for each.
    std::vector<int32_t> runSlot(Operation op, const std::vector<std::vector<int32_t>>& inputs) {
        std::vector<int32_t> indices;
        for (int32_t m = 0; m < m_size; ++m) {
            op.device = m_device;
            op.stage = StageId(m_stage);
            op.microbatch = MicrobatchId(m_first + m);
            op.step = m_step;
            op.inputs.clear();
            for (const auto& producers : inputs)
                if (!producers.empty()) op.inputs.push_back(producers[static_cast<std::size_t>(m)]);
            indices.push_back(m_replay.run(op));
        }
        ++m_stage;
        m_device = DeviceId((m_device.value + 1) % m_workload.numDevices);
        return indices;
    }

    Replay& m_replay;
    const Workload& m_workload;
    bool m_headWaits;
    int32_t m_step;
    int32_t m_first;
    int32_t m_size;
    DeviceId m_device;
    int32_t m_stage = 0;
};

void check(const Workload& w, const std::vector<int32_t>& forward, const std::vector<int32_t>& backward,
           const RoundPipeOptions& options) {
    if (w.numDevices < 1 || w.numMicrobatches < 1 || options.numSteps < 1 || options.roundSize < 0)
        throw invalidInput("a schedule needs at least one device, microbatch and step");
    const auto negative = [](int32_t n) { return n < 0; };
    if (backward.empty() || std::any_of(forward.begin(), forward.end(), negative) ||
        std::any_of(backward.begin(), backward.end(), negative) ||
        std::accumulate(forward.begin(), forward.end(), backward.front()) !=
            std::accumulate(backward.begin(), backward.end(), 0))
        throw invalidInput("forward stages and the fused one must hold as many layers as fused and backward stages");
}

} // namespace

Replay simulateRoundPipe(const Workload& workload, const std::vector<int32_t>& forwardLayers,
                         const std::vector<int32_t>& backwardLayers, const RoundPipeOptions& options) {
    check(workload, forwardLayers, backwardLayers, options);
    Replay replay(workload.numDevices, workload.hop);
    const int32_t roundSize = options.roundSize > 0 ? options.roundSize : workload.numDevices;
    DeviceId device(0);
    for (int32_t step = 0; step < options.numSteps; ++step)
        for (int32_t m = 0; m < workload.numMicrobatches; m += roundSize) {
            const int32_t size = std::min(roundSize, workload.numMicrobatches - m);
            Round round(replay, workload, options.headWaitsForInput, step, m, size, device);
            round.run(forwardLayers, backwardLayers);
            device = options.rotation == Rotation::kFirstFree ? replay.firstFreeDevice() : round.nextDevice();
        }
    return replay;
}

} // namespace roundpipe::plan
