// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/typo_advice.h"

#include "base/edit_distance.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace roundpipe::cli {
namespace {

// What could stand in the word's place.
std::vector<std::string> knownWords(const CLI::App& command, bool isOption) {
    std::vector<std::string> words;
    if (isOption)
        for (const CLI::Option* option : command.get_options())
            for (const std::string& name : option->get_lnames())
                words.push_back("--" + name);
    else
        for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
            words.push_back(sub->get_name());
    return words;
}

// Of the commands that were given.
const CLI::App* innermost(const CLI::App& app) {
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty())
        command = command->get_subcommands().front();
    return command;
}

// "data lens": of the commands that were given.
std::string pathOf(const CLI::App& app) {
    std::string path;
    for (const CLI::App* command = &app; !command->get_subcommands().empty();) {
        command = command->get_subcommands().front();
        path += (path.empty() ? "" : " ") + command->get_name();
    }
    return path;
}

// What of a command's options or commands such a word may be meant for; empty: nothing is near it.
std::string nearest(std::string word, const CLI::App& command) {
    if (word.empty()) return {};
    const bool isOption = word.starts_with("--");
    if (isOption) word = word.substr(0, word.find('='));
    const std::vector<std::string> known = knownWords(command, isOption);
    // "--save-every-steps" says more than "--save-every" and means it, though "--save-every-minutes" is as long.
    constexpr std::size_t kSaysMore = 3;
    const auto distance = [&](const std::string& one) {
        return word.starts_with(one + "-") ? kSaysMore : editDistance(word, one);
    };
    const auto found = std::ranges::min_element(known, {}, distance);
    const std::size_t most = std::min(word.size() - 1, std::max<std::size_t>(2, word.size() / 3));
    return found != known.end() && distance(*found) <= most ? *found : std::string();
}

// On the first of the words that something is near.
std::string adviceOn(const std::vector<std::string>& words, const CLI::App& command) {
    for (const std::string& word : words)
        if (const std::string meant = nearest(word, command); !meant.empty()) return "Did you mean '" + meant + "'?";
    return {};
}

} // namespace

std::string unknownCommand(const CLI::App& app) {
    const CLI::App* command = innermost(app);
    const std::vector<std::string> words = command->remaining();
    const bool takesCommands = command->get_require_subcommand_min() > 0;
    return takesCommands && !words.empty() && !words.front().starts_with("-") ? words.front() : std::string();
}

std::string leftOver(const CLI::App& app) {
    const CLI::App* command = innermost(app);
    const auto isThere = [](const std::string& path) { return std::filesystem::exists(path); };
    if (std::ranges::none_of(command->remaining(), isThere)) return {};
    for (const CLI::Option* option : command->get_options())
        if (option->get_positional() && option->count() > 0 && !isThere(option->results().front()))
            return option->results().front();
    return {};
}

std::string unexpectedWords(const CLI::App& app) {
    std::string words;
    for (const std::string& word : app.remaining(true)) // before a command, too
        words += (words.empty() ? "" : " ") + word;
    return words;
}

std::string givenTwice(const CLI::App& app) {
    for (const CLI::Option* option : innermost(app)->get_options())
        if (!option->get_positional() && option->get_items_expected_max() == 1 && option->count() > 1)
            return option->get_name();
    return {};
}

std::string typoAdvice(const CLI::App& app) {
    const CLI::App* command = innermost(app);
    std::string advice = adviceOn(command->remaining(), *command);
    // An option that stands before the command may be one of it.
    for (const CLI::App* level = &app; advice.empty() && level != command; level = level->get_subcommands().front()) {
        const std::vector<std::string> words = level->remaining();
        advice = adviceOn(words, *level);
        for (const std::string& word : words)
            if (const std::string option = nearest(word, *command); advice.empty() && option.starts_with("--"))
                advice = "Did you mean '" + option + "' behind '" + pathOf(app) + "'?";
    }
    return advice;
}

} // namespace roundpipe::cli
