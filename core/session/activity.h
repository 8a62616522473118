// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is doing beside its steps, as codes with arguments: the window says it in its user's language.
#pragma once

#include "base/coded_text.h"

#include <array>
#include <string>
#include <vector>

namespace roundpipe::session {

enum class ActivityCode {
    kNone,
    kPlanningSimulated,
    kReadingModel,
    kOpeningDevices,
    kReadingRows,
    kLookingForRows,
    kRowsRead,
    kMakingWeights,
    kReadingWeights,
    kPlanning,
    kAllocating,
    kAnswering,
    kWritingResult,
    kWritingTrace,
};
constexpr std::array<const char*, 14> spellings(ActivityCode) {
    return {"",
            "planning a simulated run",
            "reading the model folder",
            "opening the devices",
            "reading rows",
            "looking whether the rows have been read before",
            "reading rows: %1 (%2 %), %3 rows/s, %4 left",
            "making random weights: %1 of %2",
            "reading weights: %1 of %2",
            "planning",
            "allocating device memory",
            "answering: %1",
            "writing the result",
            "writing the trace"};
}
using Activity = CodedText<ActivityCode>;

std::string textOf(const std::vector<Activity>& activities); // in English, in a line

} // namespace roundpipe::session
