// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe: everything that the Studio can do, without a window.
#include "base/error.h"
#include "base/log.h"
#include "base/secrets.h"
#include "commands.h"
#include "console/print_error.h"
#include "console/standard_output.h"
#include "console/stop_signal.h"
#include "console/typo_advice.h"
#include "exit_codes.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using roundpipe::cli::CommandBody;

int run(const CommandBody& command) {
    try {
        return command();
    } catch (const roundpipe::Error& error) {
        roundpipe::cli::printError(error);
        return roundpipe::cli::exitCodeOf(error.kind());
    } catch (const std::bad_alloc&) {
        std::fprintf(
            stderr,
            "error: The host's memory ran out.\nClose other programs, or use a smaller model or shorter texts.\n");
        return roundpipe::cli::kOutOfMemory;
    } catch (const std::exception& error) {
        if (std::ferror(stdout) != 0) return roundpipe::cli::kSuccess; // main says so
        std::fprintf(stderr, "error: %s\n", error.what());
        return roundpipe::cli::kInternalError;
    }
}

// May stand before a command or behind it. Not by CLI11's fallthrough, with which a folder called `data` would be a
// command.
void addVerbose(CLI::App& command, bool& verbose) {
    command.add_flag("--verbose", verbose, "Say on standard error what goes on inside.");
    for (CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
        addVerbose(*sub, verbose);
}

// An option takes one value, lists repeat it: else `--sample Hi run.json` would take the run's file for a prompt.
void takeOneValueEach(CLI::App& command) {
    for (CLI::Option* option : command.get_options())
        if (!option->get_positional()) option->allow_extra_args(false);
    for (CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
        takeOneValueEach(*sub);
}

// `roundpipe help plan` asks what `roundpipe plan --help` does. A command that is not there is refused as it is alone.
std::vector<std::string> withHelp(const CLI::App& app, std::vector<std::string> words) {
    if (words.empty() || words.front() != "help") return words;
    words.erase(words.begin());
    const CLI::App* command = &app;
    for (const std::string& word : words) {
        const auto named = command->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
        if (named.empty()) return words;
        command = named.front();
    }
    words.emplace_back("--help");
    return words;
}

} // namespace

int main(int argc, char** argv) {
    roundpipe::cli::holdStopSignals(); // a run that is asked to stop while its program loads ends as it does later
    roundpipe::cli::waitForSlowReaders();
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error with words, as a full disk is
    CLI::App app("RoundPipe Studio's command line: fine-tune language models on one to eight GPUs, or on CPU workers.",
                 "roundpipe");
    app.require_subcommand(1);
    app.footer("`roundpipe help COMMAND` says what a command takes.");
    app.set_version_flag("--version", "roundpipe " ROUNDPIPE_VERSION);
    app.failure_message([](const CLI::App* command, const CLI::Error& error) {
        std::string advice = roundpipe::cli::typoAdvice(*command);
        if (!advice.empty()) advice += "\n";
        const auto withAdvice = [&](const std::string& problem) {
            return "error: " + problem + "\n" + advice + "Run with --help for more information.\n";
        };
        const std::string unknown = roundpipe::cli::unknownCommand(*command);
        if (!unknown.empty()) return withAdvice("'" + unknown + "' is no command.");
        const std::string wrong = roundpipe::cli::leftOver(*command);
        if (!wrong.empty())
            return "error: '" + wrong +
                   "' is no file, and stands where one is expected.\nAn option takes one value; "
                   "lists repeat it.\n";
        const std::string twice = roundpipe::cli::givenTwice(*command);
        if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && !twice.empty())
            return "error: " + twice +
                   " is given more than once, and takes one value.\nLeave all but one of them out.\n";
        if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
            return withAdvice("Not expected here: " + roundpipe::cli::unexpectedWords(*command));
        return "error: " + CLI::FailureMessage::simple(command, error) + advice;
    });
    bool verbose = false;

    std::vector<std::pair<CLI::App*, CommandBody>> commands;
    const auto add = [&](const char* name, const char* help, CommandBody (*make)(CLI::App&)) {
        CLI::App* sub = app.add_subcommand(name, help);
        commands.emplace_back(sub, make(*sub));
    };
    add("train", "Fine-tune a model: adapters, or all of its weights.", roundpipe::cli::addTrainCommand);
    add("attach", "Look at a run that another process trains.", roundpipe::cli::addAttachCommand);
    add("stop", "Stop a run that another process trains.", roundpipe::cli::addStopCommand);
    add("tell", "Let such a run pause, go on, save, validate or answer.", roundpipe::cli::addTellCommand);
    add("host", "Train for a program that listens.", roundpipe::cli::addHostCommand);
    add("generate", "Let a model, or a model with an adapter, answer.", roundpipe::cli::addGenerateCommand);
    add("export", "Make of a run what other programs take, and prove it.", roundpipe::cli::addExportCommand);
    add("chat", "Talk with a model, or with base and tuned side by side.", roundpipe::cli::addChatCommand);
    add("serve", "Let other programs talk with a model, as with OpenAI's.", roundpipe::cli::addServeCommand);
    add("plan", "Show how a model is cut, how long a step takes and what it needs.", roundpipe::cli::addPlanCommand);
    add("profile", "Measure what a model's layers take on this machine.", roundpipe::cli::addProfileCommand);
    add("bench", "Measure how fast a model trains on this machine.", roundpipe::cli::addBenchCommand);
    add("inspect", "Show what a model folder holds.", roundpipe::cli::addInspectCommand);
    add("data", "Look at datasets: rows, tokens, statistics.", roundpipe::cli::addDataCommand);
    add("hub", "Look for and fetch models and datasets of Hugging Face's Hub.", roundpipe::cli::addHubCommand);
    add("queue", "Let runs wait in line, and train grids over settings.", roundpipe::cli::addQueueCommand);
    add("runs", "List, compare, rename, note and delete runs.", roundpipe::cli::addRunsCommand);
    add("trace", "Look at traces of runs and plans: facts, exports, comparison.", roundpipe::cli::addTraceCommand);
    add("import", "Make a run file of one of LLaMA-Factory, Axolotl or Unsloth.", roundpipe::cli::addImportCommand);
    add("settings", "Print every setting of a run: key, limits, choices, default.", roundpipe::cli::addSettingsCommand);
    add("selftest", "Compare every kernel with its double on this machine.", roundpipe::cli::addSelfTestCommand);
    addVerbose(app, verbose);
    takeOneValueEach(app);

    try {
        std::vector<std::string> words = withHelp(app, {argv + std::min(argc, 1), argv + argc});
        std::ranges::reverse(words); // as CLI11 takes them
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        std::ostringstream output, errors; // its own streams know no slow readers
        const int code = app.exit(error, output, errors);
        std::fputs(output.str().c_str(), stdout);
        std::fputs(roundpipe::withoutSecrets(errors.str()).c_str(), stderr); // which repeat what was typed
        return roundpipe::cli::withOutputWritten(code == 0 ? roundpipe::cli::kSuccess : roundpipe::cli::kInvalidInput);
    }
    roundpipe::log::setLevel(verbose ? roundpipe::log::Level::kDebug : roundpipe::log::Level::kWarning);
    for (const auto& [sub, command] : commands)
        if (sub->parsed()) {
            if (sub->get_name() != "train") roundpipe::cli::letStopSignalsThrough();
            const int code = roundpipe::cli::withOutputWritten(run(command));
            // What tidies up at the end of a program would wait for a GPU that hangs.
            if (code == roundpipe::cli::exitCodeOf(roundpipe::ErrorKind::kDevice)) std::_Exit(code);
            return code;
        }
    return roundpipe::cli::kInvalidInput;
}
