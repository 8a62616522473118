// roundpipe plan: how a model is cut, how long a step takes and what it needs, before anything is loaded.
#include "base/error.h"
#include "base/file.h"
#include "commands.h"
#include "device/rig_probe.h"
#include "exit_codes.h"
#include "plan/rig/rig_file.h"
#include "plan_exports.h"
#include "plan_json.h"
#include "plan_question.h"
#include "plan_report.h"
#include "run_spec_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace roundpipe::cli {
namespace {

struct PlanOptions {
    std::string run;
    RunSpecOptions fields;
    std::string rig = "this";
    std::string savedRig;
    double averageLength = 0;
    double trainedShare = 1;
    std::vector<std::string> weights = {"whole"};
    bool oneStepStale = false;
    std::string engine = "today";
    bool estimated = false;
    bool compare = false;
    bool json = false;
    std::string trace;
    std::string svg;
};

const std::map<std::string, plan::WeightFormat> kWeightFormats = {
    {"whole", {}}, {"8bit", plan::kPacked8Bit}, {"4bit", plan::kPacked4Bit}, {"mxfp4", plan::kPackedMxfp4}};

session::RunSpec specOf(const PlanOptions& options) {
    session::RunSpec spec = options.run.empty() ? session::RunSpec{} : session::readRunSpec(options.run);
    options.fields.apply(spec);
    session::RunSpec checked = spec;
    for (session::DatasetSection& dataset : checked.data.datasets)
        if (dataset.files.empty()) dataset.files = {"-"}; // a plan needs no rows
    session::validate(checked);
    return spec;
}

plan::Rig rigOf(const PlanOptions& options, const session::RunSpec& spec) {
    plan::Rig rig;
    if (options.rig == "this") {
        device::ProbedRig probed = device::probeRig(spec.engine.devices);
        for (const std::string& note : probed.notes)
            fmt::print(stderr, "{}\n", note);
        rig = std::move(probed.rig);
    } else {
        rig = plan::loadRig(options.rig);
    }
    if (!options.savedRig.empty()) writeFileAtomically(options.savedRig, plan::rigToJson(rig));
    return rig;
}

// "8bit,4bit": the first is how weights travel, the others may be chosen.
void setWeights(plan::ModelRequest& request, const std::vector<std::string>& formats) {
    request.training.weights = kWeightFormats.at(formats.front());
    for (const std::string& format : formats)
        if (format != formats.front()) request.allowedWeights.push_back(kWeightFormats.at(format));
}

void setTokensPerStep(plan::ModelRequest& request, int64_t tokens) {
    const int64_t length = request.training.maxLength;
    if (tokens % length != 0)
        throw invalidInput(fmt::format("A step of {} tokens makes no whole number of sequences of {}.", tokens, length),
                           "Give a multiple of --max-length.");
    request.sequencesPerStep = tokens / length;
    request.choosesMicrobatch = true;
    request.rounds = 0;
}

PlanQuestion questionOf(const PlanOptions& options) {
    const session::RunSpec spec = specOf(options);
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(spec.model.path));
    PlanQuestion question;
    question.request = requestOf(spec, model, rigOf(options, spec));
    question.request.training.averageLength = options.averageLength;
    question.request.training.trainedShare = options.trainedShare;
    question.request.oneStepStale = options.oneStepStale;
    setWeights(question.request, options.weights);
    if (spec.batch.tokensPerStep > 0) setTokensPerStep(question.request, spec.batch.tokensPerStep);
    question.forwardStages = spec.engine.forwardStages;
    question.backwardStages = spec.engine.backwardStages;
    question.usesMeasured = !options.estimated;
    if (options.engine == "full") question.planner.engine = {true, true, true, true};
    return question;
}

Error problemOf(const PlanAnswer& found) {
    if (found.hasPlan)
        return Error(ErrorKind::kOutOfMemory, "The given plan does not fit: " + found.problem + ".",
                     "Leave the stages out, and the planner looks for a plan that fits.");
    std::string advice = found.fixes.empty() ? "No single change is enough; use a smaller model or a larger rig."
                                             : "Any of these makes it fit:";
    for (const plan::Fix& fix : found.fixes)
        advice += fmt::format("\n  {}: {}", fix.change, fix.cost);
    return Error(ErrorKind::kOutOfMemory, found.problem, advice);
}

int show(const PlanOptions& options) {
    const PlanQuestion question = questionOf(options);
    const PlanAnswer found = answer(question, options.compare);
    if (options.json)
        fmt::print("{}\n", planJson(question, found).dump(2));
    else if (found.hasPlan)
        fmt::print("{}", planText(question, found));
    if (found.hasPlan && !options.trace.empty()) writePlanTrace(question, found, options.trace);
    if (found.hasPlan && !options.svg.empty()) writePlanSvg(question, found, options.svg);
    if (!found.problem.empty()) throw problemOf(found);
    return kSuccess;
}

void addOptions(CLI::App& app, PlanOptions& options) {
    options.fields.addTo(app, {"model.path", "data.max_length", "lora.rank", "lora.alpha", "lora.dropout",
                               "lora.targets", "batch.", "engine."});
    app.add_option("--run", options.run, "Run file (JSON) to plan for; options win over what it says.");
    app.add_option(
        "--rig", options.rig,
        "4x4090, 8x3090@pcie3x8, 2x4090+2x3090,ram=256,root=2, the path of a rig file, or this: the machine's "
        "--devices, measured. (this)");
    app.add_option("--save-rig", options.savedRig, "Write the rig into this file, to be edited and given to --rig.");
    app.add_option("--average-length", options.averageLength,
                   "Tokens of a sequence on average; else all are as long as --max-length.")
        ->check(CLI::PositiveNumber);
    app.add_option("--trained-share", options.trainedShare, "Share of the tokens that the loss counts. (1)")
        ->check(CLI::Range(0.0, 1.0));
    app.add_option(
           "--weights", options.weights,
           "How frozen weights travel; whole: in --precision. Of several, 8bit,4bit, the fastest is chosen. (whole)")
        ->delimiter(',')
        ->check(CLI::IsMember({"whole", "8bit", "4bit", "mxfp4"}));
    app.add_flag("--one-step-stale", options.oneStepStale, "Steps flow into each other, updates come one step late.");
    app.add_option("--engine", options.engine,
                   "today: what the engine does now; full: also residency, kept activations, peer copies and "
                   "activations before weights. (today)")
        ->check(CLI::IsMember({"today", "full"}));
    app.add_flag("--estimated", options.estimated, "Leave out what was measured of layers on such devices.");
    app.add_flag("--compare", options.compare, "Compare with other schedules on the same microbatches.");
    app.add_flag("--json", options.json, "Print one JSON object.");
    app.add_option("--trace", options.trace, "Write the simulated steps into this file, for Perfetto.");
    app.add_option("--svg", options.svg, "Draw a simulated step into this file.");
}

} // namespace

Command addPlanCommand(CLI::App& app) {
    const auto options = std::make_shared<PlanOptions>();
    addOptions(app, *options);
    return [options] { return show(*options); };
}

} // namespace roundpipe::cli
