// SPDX-License-Identifier: GPL-3.0-or-later
// JSON on standard output.
#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::cli {

// What is no UTF-8 (a path may be any bytes) is replaced visibly. `indent` -1: on one line.
template <class Json>
void printJson(const Json& json, int indent = 2) {
    fmt::print("{}\n", json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

} // namespace roundpipe::cli
