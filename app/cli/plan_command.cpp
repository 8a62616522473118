// roundpipe plan: how a model is cut, how long a step takes and what it needs, before anything is loaded.
#include "base/error.h"
#include "base/file.h"
#include "commands.h"
#include "device/rig_probe.h"
#include "exit_codes.h"
#include "plan/rig_file.h"
#include "plan_exports.h"
#include "plan_question.h"
#include "plan_report.h"
#include "run_spec_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace roundpipe::cli {
namespace {

struct Options {
    std::string run;
    RunSpecOptions fields;
    std::string rig = "this";
    std::string savedRig;
    double averageLength = 0;
    double trainedShare = 1;
    std::string weights = "whole";
    bool oneStepStale = false;
    std::string engine = "today";
    bool estimated = false;
    bool json = false;
    std::string trace;
    std::string svg;
};

const std::map<std::string, plan::WeightFormat> kWeightFormats = {
    {"whole", {}}, {"8bit", plan::kPacked8Bit}, {"4bit", plan::kPacked4Bit}, {"mxfp4", plan::kPackedMxfp4}};

session::RunSpec specOf(const Options& options) {
    session::RunSpec spec = options.run.empty() ? session::RunSpec{} : session::readRunSpec(options.run);
    options.fields.apply(spec);
    session::RunSpec checked = spec;
    if (checked.data.files.empty()) checked.data.files = {"-"}; // a plan needs no rows
    session::validate(checked);
    return spec;
}

plan::Rig rigOf(const Options& options, const session::RunSpec& spec) {
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

PlanQuestion questionOf(const Options& options) {
    const session::RunSpec spec = specOf(options);
    PlanQuestion question;
    question.model = arch::makeModelSpec(arch::readModelConfig(spec.model.path));
    question.rig = rigOf(options, spec);
    const auto isGpu = [](const plan::DeviceSpec& device) { return device.isGpu; };
    question.training = trainingOf(spec, std::ranges::all_of(question.rig.devices, isGpu));
    question.training.averageLength = options.averageLength;
    question.training.trainedShare = options.trainedShare;
    question.training.weights = kWeightFormats.at(options.weights);
    question.step = {static_cast<int32_t>(spec.batch.microbatches), static_cast<int32_t>(spec.batch.rounds),
                     options.oneStepStale};
    question.tokensPerStep = spec.batch.tokensPerStep; // microbatches and rounds are then chosen as well
    question.forwardStages = spec.engine.forwardStages;
    question.backwardStages = spec.engine.backwardStages;
    question.usesMeasured = !options.estimated;
    if (options.engine == "full") question.planner.engine = {true, true, true, true};
    return question;
}

int show(const Options& options) {
    const PlanQuestion question = questionOf(options);
    const PlanAnswer found = answer(question);
    if (options.json)
        fmt::print("{}\n", planJson(question, found).dump(2));
    else
        fmt::print("{}", planText(question, found));
    if (!options.trace.empty()) writePlanTrace(question, found, options.trace);
    if (!options.svg.empty()) writePlanSvg(question, found, options.svg);
    if (!found.problem.empty())
        throw Error(ErrorKind::kOutOfMemory, "The given plan does not fit: " + found.problem + ".",
                    "Leave the stages out, and the planner looks for a plan that fits.");
    return kSuccess;
}

void addOptions(CLI::App& app, Options& options) {
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
    app.add_option("--weights", options.weights, "How frozen weights travel; whole: in --precision. (whole)")
        ->check(CLI::IsMember({"whole", "8bit", "4bit", "mxfp4"}));
    app.add_flag("--one-step-stale", options.oneStepStale, "Steps flow into each other, updates come one step late.");
    app.add_option("--engine", options.engine,
                   "today: what the engine does now; full: also residency, kept activations, peer copies and "
                   "activations before weights. (today)")
        ->check(CLI::IsMember({"today", "full"}));
    app.add_flag("--estimated", options.estimated, "Leave out what was measured of layers on such devices.");
    app.add_flag("--json", options.json, "Print one JSON object.");
    app.add_option("--trace", options.trace, "Write the simulated steps into this file, for Perfetto.");
    app.add_option("--svg", options.svg, "Draw a simulated step into this file.");
}

} // namespace

Command addPlanCommand(CLI::App& app) {
    const auto options = std::make_shared<Options>();
    addOptions(app, *options);
    return [options] { return show(*options); };
}

} // namespace roundpipe::cli
