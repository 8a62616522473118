// SPDX-License-Identifier: GPL-3.0-or-later
// Whole numbers in the files of a run, which anybody may have written.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>

namespace roundpipe::runs {

// What stands at `key` of an object, or is `value`. Throws the JSON library's exception where it is missing, or no
// whole number: what get<int64_t>() makes of a fraction beyond all of them is undefined.
int64_t wholeNumberAt(const nlohmann::json& object, const char* key);
int64_t wholeNumberAt(const nlohmann::json& object, const char* key, int64_t otherwise); // where it is missing

} // namespace roundpipe::runs
