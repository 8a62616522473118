// SPDX-License-Identifier: GPL-3.0-or-later
// The forms in which rows write the call of a tool, made one: its name and its arguments by these names, and side by
// side, in a "function" or without one around them. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/rows/json/row_json.h"

#include <cstddef>
#include <string>
#include <vector>

namespace roundpipe::data {

// `calls`: a list of objects; `number`: of their message. Arguments may be called "parameters", "args" or "input" too,
// and stand in the function or beside it; the function may be its name alone. Of calls that are trained throws
// RowProblem where two of these say different things, and where something else stands there and no arguments: the call
// would be learnt without them.
void bringCallsIntoForm(Json& calls, std::size_t number, bool areTrained);

// What a call holds beyond its form, by paths as "function.strict"; nulls say nothing.
std::vector<std::string> otherFieldsOf(const Json& call);

} // namespace roundpipe::data
