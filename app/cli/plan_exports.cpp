#include "plan_exports.h"

#include "base/file.h"
#include "plan_report.h"
#include "trace/chrome_trace.h"
#include "trace/lane_store.h"
#include "trace/timeline_svg.h"
#include "trace/trace_file.h"

namespace roundpipe::cli {

void writePlanTrace(const session::PlanAnswer& answer, const std::filesystem::path& path) {
    trace::TraceAbout about;
    for (const session::PlannedLayer& layer : answer.layers)
        about.layerNames.push_back(layer.name);
    about.facts = {{"model", answer.model}, {"predicted for", answer.rig.name}};
    trace::LaneStore store(answer.timeline->lanes, 0, std::move(about));
    store.append(answer.timeline->records);
    if (path.extension() == trace::kTraceExtension)
        trace::writeTraceFile(store.snapshot(), path);
    else
        trace::writeChromeTrace(store.snapshot(), path);
}

void writePlanSvg(const session::PlanAnswer& answer, const std::filesystem::path& path) {
    const session::PredictedTimeline& timeline = *answer.timeline;
    trace::TimelineSvgOptions options;
    options.title = planTitle(answer);
    options.facts = planFacts(answer);
    options.fromNs = timeline.steadyFromNs;
    options.toNs = timeline.steadyToNs;
    writeFileAtomically(path, trace::timelineSvg(timeline.records, timeline.lanes, options));
}

} // namespace roundpipe::cli
