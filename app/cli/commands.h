// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of roundpipe: each adds its options to a subcommand and returns what runs it.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace roundpipe::cli {

using CommandBody = std::function<int()>; // returns an ExitCode; errors are thrown

CommandBody addTrainCommand(CLI::App& app);
CommandBody addAttachCommand(CLI::App& app);
CommandBody addStopCommand(CLI::App& app);
CommandBody addTellCommand(CLI::App& app);
CommandBody addHostCommand(CLI::App& app);
CommandBody addGenerateCommand(CLI::App& app);
CommandBody addExportCommand(CLI::App& app);
CommandBody addChatCommand(CLI::App& app);
CommandBody addServeCommand(CLI::App& app);
CommandBody addPlanCommand(CLI::App& app);
CommandBody addProfileCommand(CLI::App& app);
CommandBody addBenchCommand(CLI::App& app);
CommandBody addInspectCommand(CLI::App& app);
CommandBody addSelfTestCommand(CLI::App& app);
CommandBody addImportCommand(CLI::App& app);
CommandBody addSettingsCommand(CLI::App& app);
CommandBody addDataCommand(CLI::App& app);
CommandBody addDataInspectCommand(CLI::App& app); // of `data`
CommandBody addDataConvertCommand(CLI::App& app);
CommandBody addDataLensCommand(CLI::App& app);
CommandBody addDataStatsCommand(CLI::App& app);
CommandBody addHubCommand(CLI::App& app);
CommandBody addTraceCommand(CLI::App& app);
CommandBody addQueueCommand(CLI::App& app);
// Of `queue`.
CommandBody addQueueAddCommand(CLI::App& app);
CommandBody addQueueListCommand(CLI::App& app);
CommandBody addQueueResultsCommand(CLI::App& app);
CommandBody addQueueRunCommand(CLI::App& app);
CommandBody addRunsCommand(CLI::App& app);
CommandBody addRunsListCommand(CLI::App& app); // of `runs`
CommandBody addRunsCompareCommand(CLI::App& app);
CommandBody addRunsJournalCommand(CLI::App& app);

} // namespace roundpipe::cli
