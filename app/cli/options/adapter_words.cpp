// SPDX-License-Identifier: GPL-3.0-or-later
#include "options/adapter_words.h"

#include "base/error.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace roundpipe::cli {

double strengthIn(const std::string& word) {
    constexpr double kMost = 100; // as --strength has it
    double factor = 0;
    if (!CLI::detail::lexical_cast(word, factor) || !std::isfinite(factor))
        throw invalidInput("'" + word + "' is no number.");
    if (std::abs(factor) > kMost)
        throw invalidInput("'" + word + "' is no strength.",
                           fmt::format("Write one from {0:g} to {1:g}.", -kMost, kMost));
    return factor;
}

session::AdapterWeight adapterIn(const std::string& word, std::span<const session::AdapterWeight> loaded) {
    const auto find = [&](const std::string& name) {
        return std::ranges::find(loaded, name, &session::AdapterWeight::name);
    };
    if (const auto found = find(word); found != loaded.end()) return *found; // a name may hold '='
    const std::size_t equals = word.rfind('=');
    const std::string name = word.substr(0, equals);
    if (equals != std::string::npos && find(name) != loaded.end()) return {name, strengthIn(word.substr(equals + 1))};
    std::vector<std::string> names;
    for (const session::AdapterWeight& adapter : loaded)
        names.push_back(adapter.name);
    throw invalidInput("No adapter is called '" + name + "'.",
                       names.empty() ? "None was loaded: give --adapter when starting."
                                     : fmt::format("There are: {}.", fmt::join(names, ", ")));
}

} // namespace roundpipe::cli
