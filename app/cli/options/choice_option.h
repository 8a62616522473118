// SPDX-License-Identifier: GPL-3.0-or-later
// An option that takes the spelling of one of an enum's values.
#pragma once

#include "base/spelling.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace roundpipe::cli {

// `value` keeps what it holds unless the option is given; it must outlive `app`.
template <Spelled Enum>
CLI::Option* addChoice(CLI::App& app, const std::string& name, Enum& value, std::string help) {
    const auto names = spellings(Enum{});
    std::string list;
    for (const char* text : names)
        list += (list.empty() ? " [" : "|") + std::string(text);
    help += list + "] (" + spellingOf(value) + ")";
    const auto take = [&value](const std::string& text) { value = *fromSpelling<Enum>(text); };
    return app.add_option_function<std::string>(name, take, std::move(help))
        ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())));
}

} // namespace roundpipe::cli
