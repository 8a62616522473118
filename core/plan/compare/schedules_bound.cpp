#include "base/error.h"
#include "plan/compare/schedules.h"

#include <algorithm>
#include <deque>
#include <string>

namespace roundpipe::plan {
namespace {

struct Task {
    bool backward = false;
    int32_t stage = 0;
    int32_t microbatch = 0;
};
using Order = std::deque<Task>;

Order gpipeOrder(int32_t device, int32_t numMicrobatches) {
    Order order;
    for (const bool backward : {false, true})
        for (int32_t m = 0; m < numMicrobatches; ++m)
            order.push_back({backward, device, m});
    return order;
}

Order oneForwardOneBackwardOrder(int32_t device, int32_t numDevices, int32_t numMicrobatches) {
    Order order;
    const int32_t warmUp = std::min(numMicrobatches, numDevices - device);
    for (int32_t m = 0; m < warmUp; ++m)
        order.push_back({false, device, m});
    for (int32_t m = 0; m < numMicrobatches; ++m) {
        order.push_back({true, device, m});
        if (warmUp + m < numMicrobatches) order.push_back({false, device, warmUp + m});
    }
    return order;
}

Order loopedOrder(int32_t device, int32_t numDevices, int32_t numStages, int32_t numMicrobatches) {
    Order order;
    for (int32_t s = device; s < numStages; s += numDevices)
        for (int32_t m = 0; m < numMicrobatches; ++m)
            order.push_back({false, s, m});
    for (int32_t s = numStages - numDevices + device; s >= 0; s -= numDevices)
        for (int32_t m = numMicrobatches - 1; m >= 0; --m)
            order.push_back({true, s, m});
    return order;
}

Order interleavedOrder(int32_t device, int32_t numDevices, int32_t numStages, int32_t numMicrobatches) {
    const int32_t numLocal = numStages / numDevices;
    const int32_t group = numMicrobatches / std::max(1, numMicrobatches / numDevices);
    const int32_t total = numMicrobatches * numLocal;
    const int32_t warmUp = std::min((numLocal - 1) * group + 2 * (numDevices - 1 - device), total);
    std::vector<int32_t> forwards(static_cast<std::size_t>(numLocal));
    std::vector<int32_t> backwards(static_cast<std::size_t>(numLocal));
    Order order;
    const auto addForward = [&](int32_t i) {
        const int32_t local = (i / group) % numLocal;
        order.push_back({false, local * numDevices + device, forwards[static_cast<std::size_t>(local)]++});
    };
    const auto addBackward = [&](int32_t i) {
        const int32_t local = numLocal - 1 - (i / group) % numLocal;
        order.push_back({true, local * numDevices + device, backwards[static_cast<std::size_t>(local)]++});
    };
    for (int32_t i = 0; i < warmUp; ++i)
        addForward(i);
    for (int32_t i = 0; i < total; ++i) {
        if (warmUp + i < total) addForward(warmUp + i);
        addBackward(i);
    }
    return order;
}

Order orderOf(const BoundPipeline& w, int32_t device) {
    const auto numStages = static_cast<int32_t>(w.stages.size());
    switch (w.schedule) {
    case BoundSchedule::kGpipe:
        return gpipeOrder(device, w.numMicrobatches);
    case BoundSchedule::k1f1b:
        return oneForwardOneBackwardOrder(device, w.numDevices, w.numMicrobatches);
    case BoundSchedule::kInterleaved1f1b:
        return interleavedOrder(device, w.numDevices, numStages, w.numMicrobatches);
    case BoundSchedule::kLoopedBfs:
        return loopedOrder(device, w.numDevices, numStages, w.numMicrobatches);
    }
    failCheck("a known schedule", __FILE__, __LINE__);
}

void check(const BoundPipeline& w) {
    if (w.numDevices < 1 || w.numMicrobatches < 1)
        throw invalidInput("a schedule needs at least one device and one microbatch");
    const bool single = w.schedule == BoundSchedule::kGpipe || w.schedule == BoundSchedule::k1f1b;
    const auto numDevices = static_cast<std::size_t>(w.numDevices);
    if (w.stages.empty() || w.stages.size() % numDevices != 0 || (single && w.stages.size() != numDevices))
        throw invalidInput(std::to_string(w.stages.size()) + " stages cannot be bound to " +
                               std::to_string(w.numDevices) + " devices by this schedule",
                           single ? "use one stage a device" : "use a multiple of the number of devices");
    if (w.schedule == BoundSchedule::kInterleaved1f1b && w.numMicrobatches >= w.numDevices &&
        w.numMicrobatches % (w.numMicrobatches / w.numDevices) != 0)
        throw invalidInput("interleaved 1F1B needs microbatches in equal rounds",
                           "use a multiple of the number of devices");
}

// Runs every device's tasks in order, each as soon as those it depends on have run.
class ListScheduler {
public:
    explicit ListScheduler(const BoundPipeline& pipeline)
        : m_pipeline(pipeline)
        , m_replay(pipeline.numDevices, pipeline.hop)
        , m_index(2 * pipeline.stages.size() * static_cast<std::size_t>(pipeline.numMicrobatches), -1) {}

    Replay run(std::vector<Order> orders) {
        bool progress = true;
        while (progress) {
            progress = false;
            for (Order& order : orders)
                for (; !order.empty() && ready(order.front()); order.pop_front(), progress = true)
                    execute(order.front());
        }
        for (const Order& order : orders)
            RP_CHECK(order.empty());
        return std::move(m_replay);
    }

private:
    int32_t lastStage() const { return static_cast<int32_t>(m_pipeline.stages.size()) - 1; }
    int32_t& indexOf(const Task& t) {
        const int32_t row = 2 * t.stage + (t.backward ? 1 : 0);
        return m_index[static_cast<std::size_t>(row * m_pipeline.numMicrobatches + t.microbatch)];
    }
    std::vector<Task> inputsOf(const Task& t) const {
        const Task ownForward{false, t.stage, t.microbatch};
        if (t.backward && t.stage == lastStage()) return {ownForward};
        if (t.backward) return {ownForward, Task{true, t.stage + 1, t.microbatch}};
        if (t.stage == 0) return {};
        return {Task{false, t.stage - 1, t.microbatch}};
    }
    bool ready(const Task& task) {
        const auto inputs = inputsOf(task);
        return std::all_of(inputs.begin(), inputs.end(), [&](const Task& t) { return indexOf(t) >= 0; });
    }
    void execute(const Task& t) {
        const BoundStage& stage = m_pipeline.stages[static_cast<std::size_t>(t.stage)];
        const bool last = t.stage == lastStage();
        Operation op;
        op.device = DeviceId(t.stage % m_pipeline.numDevices);
        op.stage = StageId(t.backward ? 2 * lastStage() + 1 - t.stage : t.stage);
        op.microbatch = MicrobatchId(t.microbatch);
        if (t.backward) {
            op.recompute = stage.recompute;
            op.backward = stage.backward;
            op.preparesEarly = m_pipeline.recomputesEarly && !last;
        } else {
            op.forward = stage.forward;
        }
        for (const Task& input : inputsOf(t))
            op.inputs.push_back(indexOf(input));
        indexOf(t) = m_replay.run(std::move(op));
    }

    const BoundPipeline& m_pipeline;
    Replay m_replay;
    std::vector<int32_t> m_index; // of the executed operation by stage, direction and microbatch; -1 before
};

} // namespace

Replay simulateBound(const BoundPipeline& pipeline) {
    check(pipeline);
    std::vector<Order> orders;
    for (int32_t d = 0; d < pipeline.numDevices; ++d)
        orders.push_back(orderOf(pipeline, d));
    return ListScheduler(pipeline).run(std::move(orders));
}

Replay simulateBound(BoundSchedule schedule, const Workload& workload, const std::vector<int32_t>& stageLayers,
                     bool recomputesEarly) {
    BoundPipeline pipeline{schedule, {}, workload.numDevices, workload.numMicrobatches, workload.hop, recomputesEarly};
    const UniformModel& model = workload.model;
    for (const int32_t layers : stageLayers) {
        if (layers < 0) throw invalidInput("a stage has a negative number of layers");
        pipeline.stages.push_back(
            {layers * model.layerForward, layers * model.layerForward, layers * model.layerBackward});
    }
    if (!pipeline.stages.empty()) {
        pipeline.stages.back().forward += model.headForward;
        pipeline.stages.back().backward += model.headBackward;
    }
    return simulateBound(pipeline);
}

} // namespace roundpipe::plan
