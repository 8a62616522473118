// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe data: everything about datasets, each command in a file of its own.
#include "commands.h"
#include "exit_codes.h"

#include <utility>
#include <vector>

namespace roundpipe::cli {

CommandBody addDataCommand(CLI::App& app) {
    app.require_subcommand(1);
    std::vector<std::pair<CLI::App*, CommandBody>> commands;
    const auto add = [&](const char* name, const char* help, CommandBody (*make)(CLI::App&)) {
        CLI::App* sub = app.add_subcommand(name, help);
        commands.emplace_back(sub, make(*sub));
    };
    add("inspect", "Show what data files hold, and which rows cannot be used.", addDataInspectCommand);
    add("convert", "Write rows of any chat format as OpenAI's messages.", addDataConvertCommand);
    add("lens", "Show rows token by token, with what is trained.", addDataLensCommand);
    add("stats", "Show lengths, masks, duplicates, leaks and dropped rows.", addDataStatsCommand);
    return [commands] {
        for (const auto& [sub, command] : commands)
            if (sub->parsed()) return command();
        return static_cast<int>(kInvalidInput);
    };
}

} // namespace roundpipe::cli
