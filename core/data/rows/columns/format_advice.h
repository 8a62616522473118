// SPDX-License-Identifier: GPL-3.0-or-later
// What to do about rows whose columns are those of no format that we know. Internal to this folder (it includes
// nlohmann-json).
#pragma once

#include "data/options.h"
#include "data/rows/json/row_json.h"

#include <string>
#include <vector>

namespace roundpipe::data {

// `row` has its columns by their own names; `wanted`: by the settings.
std::string formatAdviceFor(const Json& row, const RowFormat& wanted);

// Which columns may hold what a format has: those of a question and its answer, by their names or because there are no
// others; of the answer alone where a prompt is filled in. Empty where nothing tells.
std::vector<session::ColumnChoice> columnsThatMayBeMeant(const Json& row, const RowFormat& wanted);

// Whether every column is there at once, as pandas writes a table by itself: lists, or objects by the row's number.
bool holdsWholeColumns(const Json& row);

} // namespace roundpipe::data
