// The commands of roundpipe: each adds its options to a subcommand and returns what runs it.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace roundpipe::cli {

using Command = std::function<int()>; // returns an ExitCode; errors are thrown

Command addTrainCommand(CLI::App& app);
Command addGenerateCommand(CLI::App& app);
Command addPlanCommand(CLI::App& app);
Command addProfileCommand(CLI::App& app);
Command addInspectCommand(CLI::App& app);
Command addSelfTestCommand(CLI::App& app);
Command addDataCommand(CLI::App& app);
Command addDataInspectCommand(CLI::App& app); // of `data`
Command addDataConvertCommand(CLI::App& app);
Command addDataLensCommand(CLI::App& app);
Command addDataStatsCommand(CLI::App& app);

} // namespace roundpipe::cli
