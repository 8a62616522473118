// SPDX-License-Identifier: GPL-3.0-or-later
// A row as JSON. Internal to this folder (it includes nlohmann-json).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace roundpipe::data {

using Json = nlohmann::ordered_json; // templates print objects in the order of their keys

// Throws RowProblem unless it is an object, or a list of turns, which becomes its 'messages'.
Json parseRow(const std::string& json);
// What a string within a row holds as JSON; discarded (is_discarded()) where that is none. Throws RowProblem where an
// object says two things in fields of one name, as parseRow() does.
Json parseInner(const std::string& json);
// The same of any text, whose fields of one name are the last of them.
Json parseAny(const std::string& json);

} // namespace roundpipe::data
