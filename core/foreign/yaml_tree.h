// SPDX-License-Identifier: GPL-3.0-or-later
// YAML → JSON, by the rules that Python's programs read it by. Internal to this folder (it includes nlohmann-json).
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace roundpipe::foreign {

using Tree = nlohmann::ordered_json;

// Mappings become objects, sequences lists; "true", "yes" and "on" are booleans, "1e-5" a number, "~" and nothing null;
// what stands in quotes is a text. Bytes that are no UTF-8 are written as asText() does. Throws kInvalidInput with line
// and column, for a key that stands twice, for a second document, and for one that aliases blow up.
Tree jsonOfYaml(const std::string& text, const std::string& nameForErrors);

} // namespace roundpipe::foreign
