// SPDX-License-Identifier: GPL-3.0-or-later
// Every value that crosses the session door as text or bytes, so that a process of its own can stand behind it. Both
// sides are of one build: nothing here is a format of files, and every field has to be there. (RunSpec, which is one,
// is read and written by run_spec.h, and stands in a RunJob as it does in a file.)
#pragma once

#include "session/engine.h"
#include "session/planning/planner.h"
#include "session/workbench.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::session {

// JSON on one line: one object, its keys the fields' names in snake_case ("gradient_norm"). Enums are written by their
// spelling, where they have one, ids as numbers, what is not there as null, numbers that are not finite as "nan", "inf"
// and "-inf", a list of trace records as packRecords() in hexadecimal digits, texts that are no UTF-8 (a path in an
// error message) as base/bytes_as_text.h says: any bytes cross.
//
// Of Engine:
std::string toJson(const RunJob& job);
std::string toJson(const Command& command);
std::string toJson(const RunPlan& plan);
std::string toJson(const StepMetrics& metrics);
std::string toJson(const Snapshot& snapshot);
std::string toJson(const RunEvent& event);
// Of Planner:
std::string toJson(const PlanQuestion& question);
std::string toJson(const PlanAnswer& answer);
std::string toJson(const PlanUpdate& update);
// Of Workbench, which is opened with a RunSpec:
std::string toJson(const RowPlace& place);
std::string toJson(const WorkbenchStatus& status);
std::string toJson(const WorkbenchResult& result);

// fromJson<T>(toJson(value)) is the value. Throws kInvalidInput naming the field that is missing, unknown or of a wrong
// type. For the types above.
template <class Value>
Value fromJson(std::string_view json);

// A block of trace records: eight bytes that say what follows, then the records as they lie in memory.
std::string packRecords(std::span<const trace::Record> records);
// Appends to `out`. Throws kInvalidInput for bytes that are no such block.
void unpackRecords(std::string_view block, std::vector<trace::Record>& out);

} // namespace roundpipe::session
