// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/planning/disk_use.h"

#include <algorithm>

namespace roundpipe::session {
namespace {

// A file of a trace is its records as they are.
int64_t traceBytesOfStep(const PredictedTimeline& timeline) {
    int64_t last = 0;
    for (const trace::Record& record : timeline.records)
        last = std::max<int64_t>(last, record.step);
    return std::ssize(timeline.records) * static_cast<int64_t>(sizeof(trace::Record)) / (last + 1);
}

} // namespace

DiskUse diskUseOf(const RunSpec& spec, const PlanAnswer& answer, int64_t numSteps) {
    const plan::HostMemoryTable& host = answer.choice.hostMemory;
    DiskUse use;
    use.result = std::min(host.resultBytes, host.disk);
    use.checkpoints = host.disk - use.result;
    use.earlier = std::max<int64_t>(0, spec.output.keepCheckpoints - 1) * host.checkpointBytes;
    if (spec.output.saveTrace && answer.timeline) use.trace = numSteps * traceBytesOfStep(*answer.timeline);
    return use;
}

} // namespace roundpipe::session
