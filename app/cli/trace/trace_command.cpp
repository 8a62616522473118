// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe trace: what a trace holds, parts of it in other formats, and two traces side by side.
#include "base/error.h"
#include "commands.h"
#include "exit_codes.h"
#include "options/output_option.h"
#include "runs/run_files.h"
#include "runs/run_library.h"
#include "trace/files/trace_export.h"
#include "trace/trace_report.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <memory>
#include <unistd.h>
#include <utility>
#include <vector>

namespace roundpipe::cli {
namespace {

constexpr const char* kWhich = "A trace file, a run's folder, or a run as `runs list` shows it.";

std::filesystem::path traceIn(const std::filesystem::path& folder) {
    const std::filesystem::path file = runs::RunFiles{folder}.trace();
    if (std::filesystem::exists(file)) return file;
    const bool isOld = std::filesystem::exists(folder / "trace.json");
    throw invalidInput("'" + folder.string() + "' has no " + file.filename().string() + ".",
                       isOld ? "An older version of the program wrote its timeline as trace.json, which Perfetto opens."
                             : "The run was made with --no-save-trace, or it was discarded.");
}

std::filesystem::path traceFileOf(const std::string& name) {
    const std::filesystem::path path = name;
    if (std::filesystem::is_directory(path)) return traceIn(path);
    if (std::filesystem::exists(path) || path.has_extension()) return path;
    return traceIn(runs::RunLibrary::ofUser().find(name).folder);
}

// In a table's title: "my run" of "…/my run/trace.rptrace".
std::string shortNameOf(const std::string& name) {
    const std::filesystem::path file = traceFileOf(name);
    const bool ofRun = file.filename() == runs::RunFiles{}.trace().filename();
    return ofRun ? std::filesystem::absolute(file).parent_path().filename().string() : file.stem().string();
}

// A passing line on a terminal, nothing elsewhere.
trace::ProgressCallback progressOf(const char* doing) {
    if (::isatty(STDERR_FILENO) == 0) return {};
    return [doing, last = -1](double share) mutable {
        const int percent = static_cast<int>(100 * share);
        if (percent != last) fmt::print(stderr, "\r{} {} %{}", doing, percent, percent == 100 ? "\r\x1b[K" : "");
        std::fflush(stderr);
        last = percent;
        return true;
    };
}

double numberOf(std::string_view text, const std::string& option) {
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size())
        throw invalidInput(fmt::format("{} takes A-B, two numbers; '{}' is none.", option, text));
    return value;
}

std::pair<double, double> rangeOf(const std::string& text, const std::string& option) {
    const std::size_t dash = text.find('-');
    if (dash == std::string::npos) return {numberOf(text, option), numberOf(text, option)};
    const std::pair<double, double> range{numberOf(std::string_view(text).substr(0, dash), option),
                                          numberOf(std::string_view(text).substr(dash + 1), option)};
    if (range.second < range.first) throw invalidInput(fmt::format("{} {} ends before it begins.", option, text));
    return range;
}

trace::ExportRange stepsRange(const trace::LaneStore& store, const std::string& text) {
    const auto [first, last] = rangeOf(text, "--steps");
    std::optional<trace::ExportRange> range;
    for (const trace::StepSpan& span : trace::stepsOf(store.allSlices(), store.lanes())) {
        if (span.step + 1 < first || span.step + 1 > last) continue;
        if (!range) range = trace::ExportRange{span.beginNs, span.endNs};
        range->endNs = std::max(range->endNs, span.endNs);
    }
    if (!range) throw invalidInput("The trace holds no step of " + text + ".", "`roundpipe trace info` says which.");
    return *range;
}

trace::ExportRange secondsRange(const trace::LaneStore& store, const std::string& text) {
    const auto [from, to] = rangeOf(text, "--seconds");
    return {store.originNs() + static_cast<int64_t>(from * 1e9), store.originNs() + static_cast<int64_t>(to * 1e9)};
}

CommandBody addInfo(CLI::App& app) {
    const auto name = std::make_shared<std::string>();
    app.add_option("trace", *name, kWhich)->required();
    return [name] {
        const trace::TraceFile file(traceFileOf(*name));
        const trace::LaneStore store =
            trace::readTrace(file, progressOf("reading"), trace::LaneStore::kUsualBudgetBytes);
        fmt::print("{}", traceText(file, store));
        return static_cast<int>(kSuccess);
    };
}

CommandBody addExport(CLI::App& app) {
    struct Options {
        std::string trace, steps, seconds;
        Destination to;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("trace", options->trace, kWhich)->required();
    addOutputFile(app, "--to", options->to,
                  "The file to write: .json (Perfetto), .svg (a picture), .csv (slices; statistics where the name "
                  "holds that word) or .rptrace.")
        ->required();
    CLI::Option* const steps = app.add_option("--steps", options->steps, "Only these steps: 3-7, counted from 1.");
    app.add_option("--seconds", options->seconds, "Only what touches this range: 1.5-3, from the trace's start.")
        ->excludes(steps);
    return [options] {
        trace::ExportOptions what{trace::exportFormatOf(options->to.path), {}, 1600};
        const trace::TraceFile file(traceFileOf(options->trace));
        trace::LaneStore store = trace::readTrace(file, progressOf("reading"), trace::LaneStore::kUsualBudgetBytes);
        if (!options->steps.empty()) what.range = stepsRange(store, options->steps);
        if (!options->seconds.empty()) what.range = secondsRange(store, options->seconds);
        trace::exportTrace(store.snapshot(), options->to, what, progressOf("writing"));
        return static_cast<int>(kSuccess);
    };
}

CommandBody addCompare(CLI::App& app) {
    const auto names = std::make_shared<std::pair<std::string, std::string>>();
    app.add_option("first", names->first, kWhich)->required();
    app.add_option("second", names->second, "What it is compared with.")->required();
    return [names] {
        const auto open = [](const std::string& name) {
            return trace::readTrace(trace::TraceFile(traceFileOf(name)), progressOf("reading"),
                                    trace::LaneStore::kUsualBudgetBytes);
        };
        const trace::LaneStore first = open(names->first);
        const trace::LaneStore second = open(names->second);
        const auto measures = trace::compare(trace::steadySideOf(first.allSlices(), first.lanes()),
                                             trace::steadySideOf(second.allSlices(), second.lanes()));
        const trace::LaneStore& larger = first.lanes().size() >= second.lanes().size() ? first : second;
        fmt::print("{}", comparisonText(measures, shortNameOf(names->first), shortNameOf(names->second),
                                        trace::deviceNamesOf(larger.lanes())));
        return static_cast<int>(kSuccess);
    };
}

} // namespace

CommandBody addTraceCommand(CLI::App& app) {
    app.require_subcommand(1);
    std::vector<std::pair<CLI::App*, CommandBody>> commands;
    const auto add = [&](const char* name, const char* help, CommandBody (*make)(CLI::App&)) {
        CLI::App* sub = app.add_subcommand(name, help);
        commands.emplace_back(sub, make(*sub));
    };
    add("info", "Show what a trace holds.", addInfo);
    add("export", "Write a trace, or a part of it, for other programs.", addExport);
    add("compare", "Hold two traces against each other: a run and its plan, or two runs.", addCompare);
    return [commands] {
        for (const auto& [sub, command] : commands)
            if (sub->parsed()) return command();
        return static_cast<int>(kInvalidInput);
    };
}

} // namespace roundpipe::cli
