// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/export_options.h"

#include "artifact/export/run_export.h"
#include "base/error.h"
#include "engine/export_proof.h"
#include "hub/fetch_names.h"
#include "options/choice_option.h"
#include "options/output_option.h"
#include "options/weighted_folder.h"
#include "runs/run_library.h"

#include <fmt/format.h>

#include <algorithm>

namespace roundpipe::cli {
namespace {

namespace fs = std::filesystem;
using artifact::ExportJob;

// What the run is exported from, and its name where none was given.
void takeRun(ExportJob& job, const ExportRequest& options) {
    const artifact::ExportJob ofRun =
        artifact::jobOfRun(runs::RunLibrary::ofUser().find(options.run).folder, options.checkpoint);
    job.run = ofRun.run;
    job.model = fetchedModel(ofRun.model.string());
    job.adapters = ofRun.adapters;
    if (job.name.empty()) job.name = ofRun.name;
}

std::string placeOf(const ExportRequest& options, const ExportJob& job) {
    if (!options.out.empty()) return options.out;
    if (job.run.empty()) throw invalidInput("There is no place for the export.", "Name a folder with --out.");
    return runs::exportFolderOf(job.run, job.kind, job.type, options.checkpoint).string();
}

} // namespace

artifact::WeightedAdapter weightedAdapterOf(const std::string& text) {
    const WeightedFolder adapter = weightedFolderOf(text);
    if (adapter.weight == 0)
        throw invalidInput("'" + text + "' has a weight of 0, so nothing of it would count.",
                           "Write a number other than 0, as DIR,weight=0.5, or leave the adapter out.");
    return {adapter.folder, adapter.weight};
}

void addExportOptions(CLI::App& app, ExportRequest& options) {
    CLI::Option* const run =
        app.add_option("run", options.run, "The run: its folder's name, as `runs list` shows it, its name, or a path.");
    app.add_option("--checkpoint", options.checkpoint, "Of the run: last or best, in place of its result.")->needs(run);
    app.add_option("--model", options.model, "Model folder, or hf:OWNER/NAME, in place of a run.")->excludes(run);
    app.add_option("--adapter", options.adapters,
                   "Adapter folder to go with it, as DIR or DIR,weight=0.5; repeated, their sum.");
    options.kindOption = addChoice(app, "--to", options.kind, "What is made.");
    options.typeOption =
        addChoice(app, "--type", options.type,
                  "Of the weights in GGUF files; adapters take f32, f16 or bf16, and f32 if nothing is said.");
    addOutput(app, "--out", options.out, "Folder to write. Of a run, exports/KIND in its folder if nothing is said.");
    app.add_option("--name", options.name, "What the result is called. (the run's or the model's name)");
    app.add_flag("--adapter-apart", options.adapterApart,
                 "With --to ollama: base and adapter in a GGUF file each, which the Modelfile puts together.");
    app.add_option("--num-ctx", options.contextTokens,
                   "With --to ollama: tokens of context. (the model's, 8192 at most)")
        ->check(CLI::Range(1, 1 << 24));
    app.add_flag("--check", options.check,
                 "Write nothing; say which programs will refuse what, of this --to or of any, and how to avoid it, and "
                 "whether it could be written.");
    app.add_flag("--no-proof", options.noProof,
                 "Do not compare the answers of the export with those of what it was made from.");
    app.add_option("--prompt", options.prompts,
                   "What the proof asks; may be repeated. (the run's prompts, or eight usual ones)");
    app.add_option("--proof-tokens", options.proofTokens, "Of each answer that is compared, at most. (32)")
        ->check(CLI::Range(1, 4096));
    app.add_option("--device", options.device, "Of the proof: auto, cpu, cuda:0, …");
    addChoice(app, "--precision", options.precision, "Of the proof: type of weights and activations.");
    app.add_flag("--json", options.json, "Print one JSON object.");
}

ExportJob jobOf(const ExportRequest& options) {
    ExportJob job;
    job.kind = options.kind;
    job.type = options.type;
    if (job.kind == ExportKind::kGgufAdapter && options.typeOption->count() == 0) job.type = GgufType::kF32;
    if (!hasGgufType(job.kind) && options.typeOption->count() > 0)
        throw invalidInput(fmt::format("--type is of GGUF files, and --to {} writes none.", spellingOf(job.kind)),
                           "Weights keep the model's type there. Leave --type out, or take --to gguf.");
    const bool isOllama = job.kind == ExportKind::kOllama;
    if (!isOllama && options.adapterApart)
        throw invalidInput(
            fmt::format("--adapter-apart is of Ollama's recipes, and --to {} writes none.", spellingOf(job.kind)),
            "Leave it out, or take --to ollama; --to gguf-adapter writes an adapter alone.");
    if (!isOllama && options.contextTokens > 0)
        throw invalidInput(
            fmt::format("--num-ctx is of Ollama's recipes, and --to {} writes none.", spellingOf(job.kind)),
            "Leave it out, or take --to ollama; other programs are told when they load the model.");
    job.name = options.name;
    job.adapterApart = options.adapterApart;
    job.contextTokens = options.contextTokens;
    if (!options.run.empty())
        takeRun(job, options);
    else if (!options.model.empty())
        job.model = fetchedModel(options.model);
    else
        throw invalidInput("There is nothing to export.",
                           "Name a run, or a model with --model and adapters with --adapter.");
    for (const std::string& adapter : options.adapters)
        job.adapters.push_back(weightedAdapterOf(adapter));
    if (job.name.empty())
        job.name =
            (job.adapters.empty() ? fs::absolute(job.model / "") : fs::absolute(job.adapters.front().folder / ""))
                .parent_path()
                .filename()
                .string();
    const bool hasPlace = !options.out.empty() || (!job.run.empty() && options.kindOption->count() > 0);
    if (!options.check || hasPlace) job.out = placeOf(options, job);
    return job;
}

std::vector<std::string> proofPromptsOf(const ExportRequest& options, const ExportJob& job) {
    return options.prompts.empty() ? engine::proofPromptsOf(job.run) : options.prompts;
}

} // namespace roundpipe::cli
