// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/llama_factory.h"

#include "foreign/dataset_info.h"

#include <sstream>

namespace roundpipe::foreign {
namespace {

namespace fs = std::filesystem;

const Tree kLlamaFactoryDefaults = {{"cutoff_len", 2048},
                                    {"lora_rank", 8},
                                    {"lora_dropout", 0.0},
                                    {"lora_target", "all"},
                                    {"learning_rate", 5e-5},
                                    {"lr_scheduler_type", "linear"},
                                    {"warmup_ratio", 0.0},
                                    {"weight_decay", 0.0},
                                    {"max_grad_norm", 1.0},
                                    {"per_device_train_batch_size", 8},
                                    {"gradient_accumulation_steps", 1},
                                    {"num_train_epochs", 3.0},
                                    {"val_size", 0.0},
                                    {"seed", 42}};

void takeNamedDatasets(Translation& run, bool ofTexts) {
    const auto given = run.take("dataset");
    const std::string folder = run.takeText("dataset_dir");
    if (!given) return;
    std::vector<std::string> names;
    if (given->is_array())
        for (const Tree& name : *given)
            names.push_back(name.is_string() ? name.get<std::string>() : name.dump());
    std::istringstream list(given->is_string() ? given->get<std::string>() : std::string());
    for (std::string name; std::getline(list, name, ',');)
        names.push_back(name.substr(std::min(name.find_first_not_of(' '), name.size())));
    const fs::path info = run.found((fs::path(folder.empty() ? "data" : folder) / "dataset_info.json").string());
    if (info.empty()) return run.note("dataset", "is told by a dataset_info.json that is not here: choose the files");
    for (const std::string& name : names) {
        Tree dataset = datasetOfInfo(info, name, ofTexts);
        if (dataset.is_string())
            run.note("dataset", "'" + name + "' " + dataset.get<std::string>());
        else
            run.addDataset(std::move(dataset), "dataset");
    }
}

// The first ones of each dataset.
void takeRowsAtMost(Translation& run) {
    if (const auto given = run.take("max_samples")) {
        run.put("max_samples", "data.max_rows", *given);
        run.put("max_samples", "data.subset", "first");
    }
}

// Twice the rank, unless said.
void takeAlpha(Translation& run, const Tree& file) {
    const Tree given = file.value("lora_rank", Tree()),
               rank = given.is_null() ? kLlamaFactoryDefaults["lora_rank"] : given;
    if (file.value("lora_alpha", Tree()).is_null() && rank.is_number())
        run.put("lora_rank", "lora.alpha", 2 * rank.get<double>());
}

void takeMethod(Translation& run) {
    const std::string stage = run.takeText("stage"), type = run.takeText("finetuning_type");
    if (!stage.empty() && stage != "sft" && stage != "pt")
        run.note("stage", "has no counterpart: only answers are learnt");
    if (type == "full")
        run.put("finetuning_type", "method", "full");
    else if (!type.empty() && type != "lora")
        run.note("finetuning_type", "has no counterpart: adapters are trained");
    if (stage == "pt") run.put("stage", "data.over_length", "split"); // of texts it loses nothing
    if (stage == "pt" || run.takeFlag("train_on_prompt"))
        run.put(stage == "pt" ? "stage" : "train_on_prompt", "data.train_on", "all");
    else if (run.takeFlag("mask_history"))
        run.put("mask_history", "data.train_on", "last-assistant");
    run.take("do_train");
}

} // namespace

bool isLlamaFactory(const Tree& file) {
    return file.contains("model_name_or_path");
}

ForeignRun fromLlamaFactory(const Tree& file, const fs::path& folder) {
    Translation run(file, kLlamaFactoryDefaults, folder);
    translateModel(run, "model_name_or_path");
    takeNamedDatasets(run, file.value("stage", Tree()) == "pt");
    takeRowsAtMost(run);
    takeMethod(run);
    run.setAll({
        {"cutoff_len", "data.max_length"},
        {"lora_rank", "lora.rank"},
        {"lora_alpha", "lora.alpha"},
        {"lora_dropout", "lora.dropout"},
        {"use_rslora", "lora.rslora"},
        {"adapter_name_or_path", "lora.init_from"},
    });
    translateShare(run, "val_size");
    takeAlpha(run, file);
    translateTargets(run, "lora_target");
    translateTrainer(run);
    const bool isPacked = run.takeFlag("packing"), isNeatlyPacked = run.takeFlag("neat_packing"); // ours is neat
    if (isPacked || isNeatlyPacked) run.put("packing", "batch.packing", "best-fit");
    return run.finish("LLaMA-Factory");
}

} // namespace roundpipe::foreign
