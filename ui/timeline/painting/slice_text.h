// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline says about a slice.
#pragma once

#include "trace/record.h"

#include <QString>

namespace roundpipe::ui::timeline {

QString durationShown(int64_t ns); // "1.25 ms"
// "1.25", for columns that name the unit; from ten seconds on with another: "12.3 s".
QString millisecondsShown(int64_t ns);
QString roleName(trace::LaneRole role);
// "waits for the weights of layer 7", with `layerName` in the place of a number where there is one. Of a kWait.
QString waitText(const trace::Record& wait, const QString& layerName = {});
// Into a slice `width` pixels wide: "S3 · m2", "m2" or nothing. `advance` measures text.
QString sliceLabel(const trace::Record& slice, int width, int characterWidth);
// On one line: "backward · stage 3 · microbatch 2 · step 14 · 1.25 ms".
QString slicePlainText(const trace::Record& slice, const QString& layerName);
// Rich text. `layerName`: of slice.layer, may be empty. `numSlices`: that share the pixel.
QString sliceTooltip(const trace::Record& slice, const QString& layerName, std::size_t numSlices);

} // namespace roundpipe::ui::timeline
