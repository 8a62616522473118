// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/files/trace_export.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "trace/analysis/statistics.h"
#include "trace/files/chrome_trace.h"
#include "trace/files/slices_csv.h"
#include "trace/files/statistics_csv.h"
#include "trace/files/timeline_svg.h"
#include "trace/files/trace_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace roundpipe::trace {
namespace {

TraceSnapshot within(const TraceSnapshot& trace, const ExportRange& range) {
    TraceSnapshot result{trace.originNs, trace.lanes, {}, trace.about};
    for (const SliceList& slices : trace.slices) {
        SliceList& kept = result.slices.emplace_back();
        const IndexRange touching = slices.touching(range.beginNs, range.endNs);
        for (std::size_t i = touching.begin; i < touching.end; ++i)
            if (slices[i].endNs >= range.beginNs) kept.insert(slices[i]);
    }
    return result;
}

std::vector<std::string> factsFor(const TraceSnapshot& trace, const ExportRange& range) {
    constexpr std::size_t kMostFacts = 4; // of what fits on a line
    std::vector<std::string> result{fmt::format("{:.3f} s", static_cast<double>(range.endNs - range.beginNs) * 1e-9)};
    for (const Fact& fact : trace.about.facts)
        if (result.size() <= kMostFacts) result.push_back(fact.name + ' ' + fact.value);
    return result;
}

} // namespace

ExportFormat exportFormatOf(const std::filesystem::path& path) {
    const std::string ending = path.extension().string();
    if (ending == ".json") return ExportFormat::kPerfetto;
    if (ending == ".svg") return ExportFormat::kPicture;
    if (ending == kTraceExtension) return ExportFormat::kTrace;
    if (ending == ".csv")
        return path.stem().string().find("statistics") == std::string::npos ? ExportFormat::kSlices
                                                                            : ExportFormat::kStatistics;
    throw invalidInput(fmt::format("'{}' does not say what to write.", path.string()),
                       "Give it an ending: .json (Perfetto), .svg (a picture), .csv (slices; statistics when the name "
                       "holds that word) or .rptrace (opened by the Studio).");
}

std::optional<ExportRange> extentOf(const TraceSnapshot& trace) {
    std::optional<ExportRange> extent;
    for (const SliceList& slices : trace.slices)
        for (std::size_t i = 0; i < slices.size(); ++i) {
            if (!extent) extent = ExportRange{slices[i].startNs, slices[i].endNs};
            extent->beginNs = std::min(extent->beginNs, slices[i].startNs);
            extent->endNs = std::max(extent->endNs, slices[i].endNs);
        }
    return extent;
}

std::string pictureOf(const TraceSnapshot& trace, const ExportOptions& options) {
    const std::optional<ExportRange> range = options.range ? options.range : extentOf(trace);
    if (!range) throw invalidInput("The trace holds no slices.");
    const TraceSnapshot part = within(trace, *range);
    std::vector<Record> records;
    for (const SliceList& slices : part.slices)
        for (std::size_t i = 0; i < slices.size(); ++i)
            records.push_back(slices[i]);
    TimelineSvgOptions svg;
    svg.title = "RoundPipe timeline";
    svg.facts = factsFor(trace, *range);
    svg.fromNs = range->beginNs;
    svg.toNs = range->endNs;
    svg.widthPixels = options.widthPixels;
    return timelineSvg(records, trace.lanes, svg);
}

void exportTrace(const TraceSnapshot& trace, const Destination& to, const ExportOptions& options,
                 const ProgressCallback& progress) {
    if (options.format == ExportFormat::kPicture) {
        writeFileAtomically(to, pictureOf(trace, options));
        return;
    }
    const std::optional<ExportRange> range = options.range ? options.range : extentOf(trace);
    if (options.format == ExportFormat::kStatistics) {
        const ExportRange of = range.value_or(ExportRange{});
        writeFileAtomically(to, toCsv(statisticsOf(trace.slices, trace.lanes, of.beginNs, of.endNs)));
        return;
    }
    const TraceSnapshot part = options.range ? within(trace, *options.range) : TraceSnapshot{};
    const TraceSnapshot& exported = options.range ? part : trace;
    switch (options.format) {
    case ExportFormat::kSlices:
        return writeSlicesCsv(exported, to, progress);
    case ExportFormat::kTrace:
        return writeTraceFile(exported, to, progress);
    default:
        return writeChromeTrace(exported, to, progress);
    }
}

} // namespace roundpipe::trace
