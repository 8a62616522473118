// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/export/model_card.h"

#include "arch/model_folder.h"
#include "artifact/merge/combined_adapter.h"
#include "base/counted.h"
#include "base/plain_words.h"
#include "runs/metrics_file.h"
#include "runs/run_files.h"
#include "runs/stored_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPointsOfCurve = 11;

std::string headOf(const ExportJob& job) {
    const bool isAdapter = job.kind == ExportKind::kAdapter || job.kind == ExportKind::kGgufAdapter;
    const bool isGguf = job.kind != ExportKind::kAdapter && job.kind != ExportKind::kMerged;
    std::string head = "---\n";
    const std::string base = arch::modelNameOf(job.model);
    if (base.find('/') != std::string::npos) head += "base_model: " + base + "\n"; // a name of Hugging Face's Hub
    head += fmt::format("library_name: {}\n", isGguf ? "gguf" : isAdapter ? "peft" : "transformers");
    head += "pipeline_tag: text-generation\ntags:\n- roundpipe\n";
    if (isAdapter) head += "- lora\n";
    return head + "---\n";
}

std::string madeOf(const ExportJob& job, const MergedModel& model) {
    std::string text = fmt::format("- base: {}\n", arch::modelNameOf(job.model));
    for (const WeightedAdapter& adapter : job.adapters) {
        const LoraFile lora = LoraFile::open(adapter.folder, model.spec());
        const int64_t rank = lora.modules().empty() ? 0 : std::ranges::max(lora.modules(), {}, &LoraModule::rank).rank;
        text += fmt::format("- adapter: {}, rank {}{}{}\n", adapter.folder.filename().string(), rank,
                            lora.rsLora() ? ", rank-stabilised" : "",
                            adapter.weight == 1 ? "" : fmt::format(", weight {}", adapter.weight));
    }
    return text;
}

std::string useOf(const ExportJob& job, const MergedModel& model) {
    switch (job.kind) {
    case ExportKind::kGguf:
        return fmt::format("    llama-server -m {}\n", kGgufModelFile);
    case ExportKind::kGgufAdapter:
        return fmt::format("    llama-server -m BASE.gguf --lora {}\n", kGgufAdapterFile);
    case ExportKind::kOllama:
        return fmt::format("    ollama create {0} -f Modelfile\n    ollama run {0}\n", plainName(job.name));
    case ExportKind::kAdapter:
    case ExportKind::kMerged:
        return "    " + vllmCommandOf(job, model) + "\n";
    }
    return {};
}

std::string lengthOf(const session::DurationSection& duration) {
    return fmt::format("{} epoch{}", duration.epochs, duration.epochs == 1 ? "" : "s");
}

std::string dataAndSettings(const fs::path& run) {
    const auto spec = runs::specOf(run);
    std::string text = "\n## Data and settings\n\n";
    for (const auto& dataset : spec.data.datasets)
        for (const std::string& file : dataset.files)
            text += "- data: " + fs::path(file).filename().string() + "\n";
    text += fmt::format("- at most {} a row, {}, seed {}\n", counted(spec.data.maxLength, "token"),
                        lengthOf(spec.duration), spec.seed);
    text += fmt::format("- method {}, learning rate {}, precision {}\n", spellingOf(spec.method),
                        spec.optimizer.learningRate, spellingOf(spec.engine.precision));
    return text;
}

std::string lossesOf(const fs::path& run) {
    const auto steps = runs::readMetrics(runs::RunFiles{run}.metrics());
    if (steps.empty()) return {};
    const runs::StoredRun stored = runs::readRun(run);
    std::string text =
        fmt::format("\n## Losses\n\n{}, {}.", counted(stored.steps, "step"), counted(stored.tokens, "token"));
    if (stored.bestValidation)
        text += fmt::format(" Validation: {:.4f} first, {:.4f} at best, {:.4f} last.", *stored.firstValidation,
                            *stored.bestValidation, *stored.lastValidation);
    text += "\n\n| step | loss | validation |\n|---|---|---|\n";
    const std::size_t points = std::min(kPointsOfCurve, steps.size());
    for (std::size_t i = 0; i < points; ++i) {
        const auto& step = steps[points == 1 ? 0 : i * (steps.size() - 1) / (points - 1)];
        text += fmt::format("| {} | {:.4f} | {} |\n", step.step, step.loss,
                            step.validationLoss ? fmt::format("{:.4f}", *step.validationLoss) : "");
    }
    return text;
}

} // namespace

std::string vllmCommandOf(const ExportJob& job, const MergedModel& model) {
    const std::string folder = "./" + fs::absolute(job.out / "").parent_path().filename().string();
    const std::string name = plainName(job.name);
    if (job.kind == ExportKind::kMerged)
        return fmt::format("vllm serve {} --served-model-name {}", shellWord(folder), name);
    int64_t rank = 0;
    for (const MergedTensor& tensor : model.tensors()) {
        int64_t sum = 0;
        for (const MergedTensor::Product& product : tensor.products)
            sum += product.module->rank;
        rank = std::max(rank, sum);
    }
    return fmt::format("vllm serve BASE --enable-lora --max-lora-rank {} --lora-modules {}", session::vllmRankFor(rank),
                       shellWord(name + "=" + folder));
}

std::string modelCardOf(const ExportJob& job, const MergedModel& model, const std::string& weightsFile,
                        const std::string& weightsHash) {
    const bool hasType = job.kind != ExportKind::kAdapter && job.kind != ExportKind::kMerged;
    std::string card = headOf(job) + fmt::format("\n# {}\n\n", job.name);
    card += fmt::format("Made with RoundPipe Studio {}: {}{}.\n\n", ROUNDPIPE_VERSION, spellingOf(job.kind),
                        hasType ? std::string(", ") + spellingOf(job.type) : std::string());
    card += madeOf(job, model) + "\n" + useOf(job, model);
    if (!job.run.empty()) card += dataAndSettings(job.run) + lossesOf(job.run);
    card += fmt::format("\n## Files\n\nSHA-256 of `{}`: `{}`. `sha256sum -c {}` checks them all.\n", weightsFile,
                        weightsHash, kChecksumsFile);
    return card;
}

} // namespace roundpipe::artifact
