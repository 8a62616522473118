#include "plan_exports.h"

#include "base/file.h"
#include "plan_report.h"
#include "trace/chrome_trace.h"
#include "trace/lane_store.h"
#include "trace/timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace roundpipe::cli {
namespace {

using trace::Kind;
using trace::Record;

struct Recording {
    std::vector<trace::Lane> lanes;
    std::vector<Record> records;
    std::vector<int64_t> stepStarts; // first computation of each step
};

// A marker a step, from its first computation to its last record.
void markSteps(Recording& recording, int32_t numDevices) {
    std::vector<Record> markers(recording.stepStarts.size());
    for (std::size_t s = 0; s < markers.size(); ++s) {
        markers[s].kind = Kind::kStep;
        markers[s].lane = trace::hostLane(numDevices, trace::LaneRole::kSession);
        markers[s].step = static_cast<int32_t>(s);
        markers[s].startNs = recording.stepStarts[s];
    }
    for (const Record& record : recording.records)
        if (record.step >= 0) {
            int64_t& end = markers[static_cast<std::size_t>(record.step)].endNs;
            end = std::max(end, record.endNs);
        }
    recording.records.insert(recording.records.end(), markers.begin(), markers.end());
}

Recording record(const PlanQuestion& question, const PlanAnswer& answer) {
    plan::DispatchOptions options;
    options.numSteps = answer.choice.shape.oneStepStale ? 5 : 3;
    options.firstMeasured = 1;
    options.activationsFirst = question.planner.engine.activationsFirst;
    options.usesPeers = question.planner.engine.peerCopies;
    options.keepsRecords = true;

    Recording recording;
    std::vector<std::string> names;
    for (std::size_t d = 0; d < question.request.rig.devices.size(); ++d)
        names.push_back(fmt::format("{} {}", d, question.request.rig.devices[d].name));
    recording.lanes = trace::makeLanes(names);
    recording.records =
        plan::simulateDispatch(answer.choice.plan, answer.costs, question.request.rig, answer.choice.shape, options)
            .records;
    recording.stepStarts.assign(static_cast<std::size_t>(options.numSteps), std::numeric_limits<int64_t>::max());
    for (const Record& each : recording.records) {
        const bool computes = each.lane.valid() && recording.lanes[each.lane.index()].role == trace::LaneRole::kCompute;
        if (!computes || each.step < 0) continue;
        int64_t& start = recording.stepStarts[static_cast<std::size_t>(each.step)];
        start = std::min(start, each.startNs);
    }
    markSteps(recording, question.request.rig.numDevices());
    return recording;
}

} // namespace

void writePlanTrace(const PlanQuestion& question, const PlanAnswer& answer, const std::filesystem::path& path) {
    const Recording recording = record(question, answer);
    trace::LaneStore store(recording.lanes, 0);
    store.append(recording.records);
    trace::writeChromeTrace(store.snapshot(), path);
}

void writePlanSvg(const PlanQuestion& question, const PlanAnswer& answer, const std::filesystem::path& path) {
    const Recording recording = record(question, answer);
    const bool flows = answer.choice.shape.oneStepStale;
    trace::TimelineSvgOptions options;
    options.title = planTitle(question);
    options.facts = planFacts(answer);
    options.fromNs = recording.stepStarts[flows ? 2 : 1];
    options.toNs = recording.stepStarts[flows ? 4 : 2];
    writeFileAtomically(path, trace::timelineSvg(recording.records, recording.lanes, options));
}

} // namespace roundpipe::cli
