// SPDX-License-Identifier: GPL-3.0-or-later
// A trace, or a range of it, as a file that other programs read: one home for the window and the command line.
#pragma once

#include "base/file.h"
#include "trace/files/progress_callback.h"
#include "trace/store/lane_store.h"

#include <filesystem>
#include <optional>
#include <string>

namespace roundpipe::trace {

enum class ExportFormat {
    kPerfetto,   // JSON for ui.perfetto.dev and chrome://tracing
    kPicture,    // SVG
    kSlices,     // CSV, a line each slice
    kStatistics, // CSV, what statisticsOf says
    kTrace       // a trace file of our own, which the Studio opens
};

// A range of a trace, in its records' times.
struct ExportRange {
    int64_t beginNs = 0;
    int64_t endNs = 0;
};

struct ExportOptions {
    ExportFormat format = ExportFormat::kPerfetto;
    std::optional<ExportRange> range; // nothing: all
    int32_t widthPixels = 1600;       // of a picture
};

// By a name's ending: .json, .svg, .csv (slices; statistics where the name holds "statistics"), .rptrace. Throws
// kInvalidInput for others, naming the endings.
ExportFormat exportFormatOf(const std::filesystem::path& path);

// Whole or not at all. A slice that reaches over the range's borders is exported whole; statistics and pictures clip
// it. Takes seconds for millions of slices. Throws kIo, kNoSpace, kCancelled, and kInvalidInput where the range is
// empty.
void exportTrace(const TraceSnapshot& trace, const Destination& to, const ExportOptions& options,
                 const ProgressCallback& progress = {});

// The SVG picture by itself, for those who draw it in other formats.
std::string pictureOf(const TraceSnapshot& trace, const ExportOptions& options);

// First start and last end; nothing where there are no slices.
std::optional<ExportRange> extentOf(const TraceSnapshot& trace);

} // namespace roundpipe::trace
