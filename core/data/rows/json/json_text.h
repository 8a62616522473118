// SPDX-License-Identifier: GPL-3.0-or-later
// A row's JSON as a text: for the template's engine, which reads it at once, for people and for files. Internal to this
// folder (it includes nlohmann-json).
#pragma once

#include "data/rows/json/row_json.h"

#include <string>

namespace roundpipe::data {

// As Json::dump(), with all digits of long numbers, and in a third of its time: texts go over in runs, and are UTF-8
// already, as parseRow() has seen to.
std::string jsonText(const Json& value);

// With a space behind commas and colons, as Python writes it and models have seen most of it.
std::string spacedJsonText(const Json& value);

} // namespace roundpipe::data
