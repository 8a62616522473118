// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe plan: how a model is cut, how long a step takes and what it needs, before anything is loaded.
#include "base/error.h"
#include "base/file.h"
#include "commands.h"
#include "console/progress.h"
#include "console/warn.h"
#include "exit_codes.h"
#include "hub/fetch_names.h"
#include "options/length_options.h"
#include "options/output_option.h"
#include "options/run_spec_options.h"
#include "plan/engine_parts.h"
#include "plan/plan_report.h"
#include "plan/rig/rig_file.h"
#include "plan/rig/rig_presets.h"
#include "session/planning/plan_export.h"
#include "session/planning/plan_notes.h"
#include "session/spec/fix_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace roundpipe::cli {
namespace {

struct PlanOptions {
    std::string run;
    RunSpecOptions fields;
    std::string rig = "this";
    Destination savedRig;
    bool readsData = false;
    session::RunLengths lengths;      // where they are not read
    std::vector<std::string> weights; // the first is the run's; empty: as the run says
    bool choosesMicrobatches = false;
    std::string engine = "today";
    bool estimated = false;
    bool compare = false;
    bool json = false;
    Destination trace;
    Destination svg;
};

session::RunSpec specOf(const PlanOptions& options) {
    session::RunSpec spec = options.run.empty() ? session::RunSpec{} : session::readRunSpec(options.run);
    options.fields.apply(spec);
    if (!options.weights.empty()) spec.model.weights = *fromSpelling<WeightFormat>(options.weights.front());
    fetchNamesOf(spec);
    session::validate(spec, false);
    return spec;
}

plan::Rig rigOf(const PlanOptions& options, const session::RunSpec& spec) {
    if (options.rig != "this" && options.fields.wasGiven("engine.devices"))
        throw invalidInput("--devices names devices of this machine, and --rig another one.",
                           "Leave one of them out; a rig says its devices itself (4x4090).");
    plan::Rig rig = options.rig == "this" ? engineParts().thisMachine(spec.engine.devices) : plan::loadRig(options.rig);
    if (!options.savedRig.path.empty()) writeFileAtomically(options.savedRig, plan::rigToJson(rig));
    return rig;
}

// As the run's rows have them, or as the options say.
session::RunLengths lengthsOf(const PlanOptions& options, const session::RunSpec& spec) {
    if (!options.readsData) return options.lengths;
    Progress progress(options.json ? Progress::Style::kQuiet : Progress::styleOfStandardOutput());
    return engineParts().lengthsOf(spec,
                                   [&](const session::Activity& activity) { progress.activity(activity.text()); });
}

session::PlanQuestion questionOf(const PlanOptions& options) {
    session::PlanQuestion question;
    question.spec = specOf(options);
    if (!question.spec.lora.initFrom.empty()) question.spec = engineParts().resolved(question.spec);
    if (options.choosesMicrobatches && question.spec.batch.tokensPerStep > 0 &&
        options.fields.wasGiven("batch.microbatch_size"))
        throw invalidInput("--choose-microbatches chooses how large microbatches are, and --microbatch-size says it.",
                           "Leave one of them out; --tokens-per-step says what a step holds.");
    question.lengths = lengthsOf(options, question.spec);
    for (const std::string& format : options.weights)
        if (format != options.weights.front()) question.otherWeights.push_back(*fromSpelling<WeightFormat>(format));
    question.choosesMicrobatches = options.choosesMicrobatches;
    if (options.engine == "full") question.engine = {true, true, true};
    question.usesMeasured = !options.estimated;
    question.seeksBetter = false;
    question.showsSmallest = true;
    question.compares = options.compare;
    question.wantsTimeline = !options.trace.path.empty() || !options.svg.path.empty();
    return question;
}

// Whether what is on show is no plan that anybody asked for, but the least that the model needs.
bool isSmallest(const session::PlanAnswer& found) {
    return found.problem.obstacle == plan::Misfit::Obstacle::kSmallestPlan;
}

// What a rig is told, where no option of the run makes the change: of memory what is installed, of which the system
// keeps a share.
std::string rigWordsOf(const plan::Fix& fix) {
    switch (fix.kind) {
    case plan::FixKind::kDisk:
        return fmt::format("a rig file's host.disk_free_gib: {}", fix.value >> 30);
    case plan::FixKind::kHostMemory:
        return fmt::format("a rig's ram={}", plan::installedGibFor(fix.value));
    case plan::FixKind::kPageLock:
        return fmt::format("a rig file's host.pinned_gib: {}", fix.value >> 30);
    case plan::FixKind::kDevices:
        return fmt::format("a rig file's devices.memory_gib: {}", fix.value >> 30);
    default:
        return {};
    }
}

Error problemOf(const session::PlanAnswer& found, const session::RunSpec& spec) {
    if (!isSmallest(found))
        return Error(ErrorKind::kOutOfMemory, "The given plan does not fit: " + found.problem.text() + ".",
                     "Leave the stages out, and the planner looks for a plan that fits.");
    std::string advice;
    const auto add = [&](const char* introduction, const std::vector<plan::Fix>& fixes, bool isTogether) {
        if (fixes.empty()) return;
        advice += (advice.empty() ? "" : "\n") + std::string(introduction);
        const std::vector<std::vector<std::string>> options =
            isTogether ? session::optionsOf(fixes, spec) : std::vector<std::vector<std::string>>();
        for (std::size_t i = 0; i < fixes.size(); ++i) {
            const auto typed = isTogether ? options[i] : session::optionsOf({&fixes[i], 1}, spec).front();
            const std::string words = typed.empty() ? rigWordsOf(fixes[i]) : fmt::format("{}", fmt::join(typed, " "));
            advice += fmt::format("\n  {} ({}): {}", fixes[i].change(), words, fixes[i].cost());
        }
    };
    add("Any of these makes it fit:", found.fixes, false);
    const bool isFaster = std::ranges::any_of(found.fixes, plan::keepsResults, &plan::Fix::kind);
    add(found.fixes.empty() ? "None of these changes is enough alone; together they make it fit:"
        : isFaster          ? "So do these together, and are faster:"
                            : "So do these together:",
        found.together, true);
    if (advice.empty()) advice = "Nothing makes it fit; use a smaller model or a larger rig.";
    return Error(ErrorKind::kOutOfMemory, found.problem.text(), advice);
}

// What a run must be told so that it does what was chosen.
std::string settingsOf(const session::PlanAnswer& found, const session::RunSpec& spec) {
    const plan::StepShape& shape = found.choice.shape;
    const std::string step = spec.batch.tokensPerStep > 0 ? " --tokens-per-step 0" : "";
    return fmt::format("\nTRAIN LIKE THIS\n  --microbatch-size {} --microbatches {} --rounds {}{}\n",
                       found.training.sequences, shape.roundSize, shape.rounds, step);
}

// One of them would replace the other.
void requireDifferentFiles(const PlanOptions& options) {
    std::map<std::filesystem::path, std::string> names;
    for (const auto& [option, file] : {std::pair{"--save-rig", options.savedRig.path},
                                       {"--trace", options.trace.path},
                                       {"--svg", options.svg.path}}) {
        if (file.empty()) continue;
        const auto [other, isNew] = names.emplace(std::filesystem::weakly_canonical(file), option);
        if (!isNew)
            throw invalidInput(fmt::format("{} and {} both write '{}'.", other->second, option, file.string()),
                               "Give each a file of its own.");
    }
}

int show(const PlanOptions& options) {
    requireDifferentFiles(options);
    if (options.rig == "this" || options.readsData) engineParts();
    const session::PlanQuestion question = questionOf(options);
    const session::PlanAnswer found = session::answer(question, rigOf(options, question.spec));
    warnOfModel(question.spec.model.path);
    warn(session::remarksOn(question.spec, found.model.maxPositions, found.lengthsFrom));
    warn(found.refusals);
    const std::vector<std::string> notes = session::notesOn(question, found);
    if (options.json)
        fmt::print("{}\n", session::planJson(found, question.spec, notes));
    else if (found.hasPlan)
        fmt::print("{}", isSmallest(found) ? smallestText(found, question.spec) : planText(found, question.spec));
    if (!options.json && options.choosesMicrobatches && found.problem.empty())
        fmt::print("{}", settingsOf(found, question.spec));
    if (!options.json)
        for (const std::string& note : notes)
            fmt::print("{}note: {}\n", &note == &notes.front() ? "\n" : "", note);
    if (found.timeline && !options.trace.path.empty()) session::writePlanTrace(found, options.trace);
    if (found.timeline && !options.svg.path.empty())
        writeFileAtomically(options.svg, session::planSvg(found, planTitle(found), planFacts(found)));
    if (!found.problem.empty()) throw problemOf(found, question.spec);
    return kSuccess;
}

void addOptions(CLI::App& app, PlanOptions& options) {
    const auto weightFormats = spellings(WeightFormat());
    options.fields.addTo(app, {"method", "model.path", "data.max_length", "lora.rank", "lora.alpha", "lora.dropout",
                               "lora.targets", "lora.modules_to_save", "optimizer.moments", "optimizer.updates",
                               "batch.", "engine."});
    app.add_option("--run", options.run, "Run file (JSON) to plan for; options win over what it says.");
    app.add_option(
        "--rig", options.rig,
        "4x4090, 8x3090@pcie3x8, 2x4090+2x3090,ram=256,root=2, the path of a rig file, or this: the machine's "
        "--devices, measured. (this)");
    addOutputFile(app, "--save-rig", options.savedRig,
                  "Write the rig into this file, to be edited and given to --rig.");
    const auto [average, share] = addLengthOptions(app, options.lengths);
    app.add_flag("--read-data", options.readsData, "Read the rows of --run, and plan for their lengths.")
        ->excludes(average)
        ->excludes(share);
    app.add_option(
           "--weights", options.weights,
           "How frozen weights are kept and travel (as model.weights). Of several, as-is,fp8,nf4, the fastest is "
           "chosen. (as-is)")
        ->delimiter(',')
        ->check(CLI::IsMember(std::vector<std::string>(weightFormats.begin(), weightFormats.end())));
    app.add_flag("--choose-microbatches", options.choosesMicrobatches,
                 "Any microbatches and rounds that divide the step, the fastest of them, instead of the run's.");
    app.add_option("--engine", options.engine,
                   "today: what the engine does now; full: also peer copies and "
                   "activations before weights. (today)")
        ->check(CLI::IsMember({"today", "full"}));
    app.add_flag("--estimated", options.estimated, "Leave out what was measured of layers on such devices.");
    app.add_flag("--compare", options.compare, "Compare with other schedules on the same microbatches.");
    app.add_flag("--json", options.json, "Print one JSON object.");
    addOutputFile(
        app, "--trace", options.trace,
        "Write the simulated steps into this file: JSON for Perfetto, or FILE.rptrace to be opened or compared "
        "with a run.");
    addOutputFile(app, "--svg", options.svg, "Draw a simulated step into this file.");
}

} // namespace

CommandBody addPlanCommand(CLI::App& app) {
    const auto options = std::make_shared<PlanOptions>();
    addOptions(app, *options);
    return [options] { return show(*options); };
}

} // namespace roundpipe::cli
