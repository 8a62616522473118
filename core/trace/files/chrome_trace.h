// SPDX-License-Identifier: GPL-3.0-or-later
// A trace in the JSON form that Perfetto and chrome://tracing open: a process per device, a thread per lane.
#pragma once

#include "base/file.h"
#include "trace/files/progress_callback.h"
#include "trace/store/lane_store.h"

namespace roundpipe::trace {

// Streams to the file (written beside it and renamed, throws kIo and kNoSpace); memory does not grow with the trace.
// Memory is written as counters, each packet's way from a download to its upload and on to what reads it as flow
// arrows. Readers want the slices of a thread nested, so slices that overlap otherwise go to a further thread, "… (2)".
// Devices stand in their order, the host last; the trace's facts stand in "otherData". Times are microseconds since the
// snapshot's origin. Takes seconds for millions of slices: not on the GUI's thread.
void writeChromeTrace(const TraceSnapshot& trace, const Destination& to, const ProgressCallback& progress = {});

} // namespace roundpipe::trace
