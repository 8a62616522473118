// SPDX-License-Identifier: GPL-3.0-or-later
// A field's value as one word: "on", "0.5", "3,4".
#pragma once

#include "session/spec/run_spec_fields.h"

#include <string>
#include <vector>

namespace roundpipe::session {

bool isList(const FieldValue& value);        // of several parts
std::string textOf(const FieldValue& value); // of a list its entries with commas between

// The value that words say, one of them where the field is no list; a switch is "on" or "off". Paths become absolute.
// Throws kInvalidInput naming the field's option; limits and choices are checked where the value is set.
FieldValue valueFrom(const Field& field, const std::vector<std::string>& words);

} // namespace roundpipe::session
