// Replay of operations with dependencies on devices, in simulated time. Any one unit of time, milliseconds by custom.
#pragma once

#include "base/ids.h"
#include "trace/record.h"

#include <cstdint>
#include <vector>

namespace roundpipe::plan {

// One stage's work on one microbatch. Its parts run without a gap in the order forward, recompute, backward.
struct Operation {
    DeviceId device;
    StageId stage;
    MicrobatchId microbatch;
    int32_t step = 0;
    double forward = 0;
    double recompute = 0;
    double backward = 0;
    // Inputs gate the backward only: what precedes it may run before they arrive, but directly before the backward.
    bool preparesEarly = false;
    std::vector<int32_t> inputs; // indices of the producers, as Replay::run returned them
    double duration() const { return forward + recompute + backward; }
};

struct Executed {
    Operation operation;
    double start = 0;
    double end = 0;
    double backwardStart() const { return end - operation.backward; }
};

// The published definitions. Times are summed over devices; fill + switching + drain + intra = bubble.
struct Statistics {
    double makespan = 0;
    double busy = 0;
    double capacity = 0; // makespan x devices
    double bubble = 0;
    double fill = 0;        // before a device's first operation
    double switching = 0;   // between a device's warm-up forwards and its first backward
    double drain = 0;       // after a device's last backward
    double intra = 0;       // the rest
    double commTotal = 0;   // every hop between devices
    double commExposed = 0; // how much later operations started because of hops
    double percent(double time) const { return capacity > 0 ? 100 * time / capacity : 0; }
};

// Which forward the switch bubble is counted from: the last of a 1F1B warm-up, (N - device)-th, or the last one before
// the first backward.
enum class SwitchRule : uint8_t { kWarmUp, kLastForward };

class Replay {
public:
    // `hop`: time from a producer to a consumer on another device. Throws kInvalidInput on no device or a negative hop.
    Replay(int32_t numDevices, double hop);

    // Runs the operation as soon as its device and its inputs allow and returns its index. Operations of a device run
    // in call order. Throws kInvalidInput on an unknown device or input, or a negative or unreal duration.
    int32_t run(Operation operation);

    DeviceId firstFreeDevice() const; // the lowest index on ties
    int32_t numDevices() const { return static_cast<int32_t>(m_free.size()); }
    double hop() const { return m_hop; }
    const std::vector<Executed>& executed() const { return m_executed; }

    Statistics statistics(SwitchRule rule) const;
    // Bubble percentage between the ends of steps `first` and `last`: the work of a step over the time between steps.
    double steadyBubblePercent(int32_t first, int32_t last) const;
    // Compute records on the lanes of trace::makeLanes, by operation; `nsPerUnit` converts to nanoseconds.
    std::vector<trace::Record> records(double nsPerUnit) const;

private:
    double inputsReady(const Operation& operation, bool withHops) const;

    double m_hop;
    double m_commTotal = 0;
    double m_commExposed = 0;
    std::vector<double> m_free;
    std::vector<Executed> m_executed;
};

} // namespace roundpipe::plan
