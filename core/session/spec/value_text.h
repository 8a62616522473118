// SPDX-License-Identifier: GPL-3.0-or-later
// A field's value as one word: "on", "0.5", "3,4".
#pragma once

#include "session/spec/run_spec_fields.h"

#include <string>

namespace roundpipe::session {

std::string textOf(const FieldValue& value); // of a list its entries with commas between

} // namespace roundpipe::session
