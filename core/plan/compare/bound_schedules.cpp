// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/compare/bound_schedules.h"

#include "base/error.h"

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

Order orderOf(BoundSchedule schedule, int32_t device, int32_t numDevices, int32_t numStages, int32_t numMicrobatches) {
    switch (schedule) {
    case BoundSchedule::kGpipe:
        return gpipeOrder(device, numMicrobatches);
    case BoundSchedule::k1f1b:
        return oneForwardOneBackwardOrder(device, numDevices, numMicrobatches);
    case BoundSchedule::kInterleaved1f1b:
        return interleavedOrder(device, numDevices, numStages, numMicrobatches);
    case BoundSchedule::kLoopedBfs:
        return loopedOrder(device, numDevices, numStages, numMicrobatches);
    }
    failCheck("a known schedule", __FILE__, __LINE__);
}

void check(BoundSchedule schedule, int32_t numStages, int32_t numDevices, int32_t numMicrobatches) {
    if (numDevices < 1 || numMicrobatches < 1)
        throw invalidInput("a schedule needs at least one device and one microbatch");
    const bool single = schedule == BoundSchedule::kGpipe || schedule == BoundSchedule::k1f1b;
    if (numStages < 1 || numStages % numDevices != 0 || (single && numStages != numDevices))
        throw invalidInput(std::to_string(numStages) + " stages cannot be bound to " + std::to_string(numDevices) +
                               " devices by this schedule",
                           single ? "use one stage a device" : "use a multiple of the number of devices");
    if (schedule == BoundSchedule::kInterleaved1f1b && numMicrobatches >= numDevices &&
        numMicrobatches % (numMicrobatches / numDevices) != 0)
        throw invalidInput("interleaved 1F1B needs microbatches in equal rounds",
                           "use a multiple of the number of devices");
}

// Takes every device's tasks in order, each as soon as those it depends on are there.
class ListScheduler {
public:
    ListScheduler(int32_t numStages, int32_t numMicrobatches)
        : m_numStages(numStages)
        , m_numMicrobatches(numMicrobatches)
        , m_index(static_cast<std::size_t>(2 * numStages * numMicrobatches), -1) {}

    std::vector<BoundOperation> run(std::vector<Order> orders) {
        bool progress = true;
        while (progress) {
            progress = false;
            for (std::size_t d = 0; d < orders.size(); ++d)
                for (; !orders[d].empty() && ready(orders[d].front()); orders[d].pop_front(), progress = true)
                    take(orders[d].front(), DeviceId(static_cast<int32_t>(d)));
        }
        for (const Order& order : orders)
            RP_CHECK(order.empty());
        return std::move(m_operations);
    }

private:
    int32_t& indexOf(const Task& t) {
        const int32_t row = 2 * t.stage + (t.backward ? 1 : 0);
        return m_index[static_cast<std::size_t>(row * m_numMicrobatches + t.microbatch)];
    }
    std::vector<Task> inputsOf(const Task& t) const {
        const Task ownForward{false, t.stage, t.microbatch};
        if (t.backward && t.stage + 1 == m_numStages) return {ownForward};
        if (t.backward) return {ownForward, Task{true, t.stage + 1, t.microbatch}};
        if (t.stage == 0) return {};
        return {Task{false, t.stage - 1, t.microbatch}};
    }
    bool ready(const Task& task) {
        return std::ranges::all_of(inputsOf(task), [&](const Task& t) { return indexOf(t) >= 0; });
    }
    void take(const Task& t, DeviceId device) {
        BoundOperation operation{t.backward, t.stage, t.microbatch, device, {}};
        for (const Task& input : inputsOf(t))
            operation.inputs.push_back(indexOf(input));
        indexOf(t) = static_cast<int32_t>(m_operations.size());
        m_operations.push_back(std::move(operation));
    }

    int32_t m_numStages;
    int32_t m_numMicrobatches;
    std::vector<int32_t> m_index; // of the operation by stage, direction and microbatch; -1 before
    std::vector<BoundOperation> m_operations;
};

} // namespace

std::vector<BoundOperation> boundOperations(BoundSchedule schedule, int32_t numStages, int32_t numDevices,
                                            int32_t numMicrobatches) {
    check(schedule, numStages, numDevices, numMicrobatches);
    std::vector<Order> orders;
    for (int32_t d = 0; d < numDevices; ++d)
        orders.push_back(orderOf(schedule, d, numDevices, numStages, numMicrobatches));
    return ListScheduler(numStages, numMicrobatches).run(std::move(orders));
}

} // namespace roundpipe::plan
