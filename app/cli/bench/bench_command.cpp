// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe bench: what a model trains at on this machine's devices, without data of one's own.
#include "bench/bench_input.h"
#include "bench/bench_json.h"
#include "commands.h"
#include "console/passing_line.h"
#include "console/print_json.h"
#include "console/stop_signal.h"
#include "device/open_devices.h"
#include "engine/run_plan.h"
#include "exit_codes.h"
#include "hub/fetch_names.h"
#include "options/output_option.h"
#include "options/run_spec_options.h"
#include "session/spec/chosen_microbatches.h"
#include "trace/files/trace_export.h"

#include <memory>
#include <string>

namespace roundpipe::cli {
namespace {

struct BenchOptions {
    RunSpecOptions fields;
    int64_t steps = 8;
    int64_t warmUpSteps = 2;
    Destination traceFile; // empty: none
};

session::RunSpec specOf(const BenchOptions& options) {
    session::RunSpec spec;
    options.fields.apply(spec);
    fetchNamesOf(spec);
    session::validate(spec, false);
    if (spec.batch.microbatches > 0) return spec;
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(spec.model.path));
    const plan::Rig rig = engine::rigOf(device::openDevices(spec.engine.devices, {}), 0);
    return session::withMicrobatches(std::move(spec), model, rig, {});
}

int bench(const BenchOptions& options) {
    session::RunSpec spec = specOf(options);
    trace::ExportOptions timeline;
    if (!options.traceFile.path.empty()) timeline.format = trace::exportFormatOf(options.traceFile.path);
    const StopSignal stop;
    const int64_t numSteps = options.warmUpSteps + options.steps;
    const BenchInput input(spec, numSteps + 1); // the run is stopped before it ends, and saves what it trained
    PassingLine line;
    const BenchRun run = runBench(spec, numSteps, [&](const std::string& doing) {
        line.show(doing);
        return !stop.requested();
    });
    line.show({});
    if (!options.traceFile.path.empty()) trace::exportTrace(run.trace.snapshot(), options.traceFile, timeline);
    printJson(benchJson(run, options.warmUpSteps), -1);
    return kSuccess;
}

} // namespace

CommandBody addBenchCommand(CLI::App& app) {
    const auto options = std::make_shared<BenchOptions>();
    options->fields.addTo(app, {"seed", "method", "model.path", "model.weights", "model.random_weights",
                                "data.max_length", "lora.", "optimizer.", "batch.", "engine."});
    app.add_option("--steps", options->steps, "Steps that are measured. (8)")->check(CLI::Range(1, 1 << 20));
    app.add_option("--warm-up", options->warmUpSteps, "Steps before them that are not. (2)")
        ->check(CLI::Range(1, 1 << 20));
    addOutputFile(
        app, "--trace", options->traceFile,
        "Also write the run's timeline: .rptrace (for the Studio and `roundpipe trace`), .json (Perfetto), .svg or "
        ".csv.");
    app.footer("Trains on made-up rows, all as long as --max-length, and prints one line of JSON. --model may be a "
               "config.json alone: its weights are then random. Nothing is kept but the measured times of layers, "
               "which later plans go by.");
    return [options] { return bench(*options); };
}

} // namespace roundpipe::cli
