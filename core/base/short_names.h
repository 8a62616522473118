// SPDX-License-Identifier: GPL-3.0-or-later
// Paths as people tell them apart.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace roundpipe {

// Of each path its last name, with as many folders before it as tell it from the others: "rows.jsonl", or
// "a/rows.jsonl" and "b/rows.jsonl". A path that stands there twice is the same twice.
std::vector<std::string> shortNames(std::span<const std::string> paths);

} // namespace roundpipe
