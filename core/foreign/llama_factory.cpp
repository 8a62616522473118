// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/llama_factory.h"

#include "base/bytes_as_text.h"
#include "foreign/dataset_info.h"

#include <cstdlib>
#include <vector>

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

std::vector<std::string> textsIn(const Tree& given) {
    std::vector<std::string> texts;
    for (const Tree& name : namesIn(given))
        texts.push_back(name.is_string() ? name.get<std::string>() : name.dump());
    return texts;
}

// Of each dataset by its place; empty where all rows of all are taken one after another.
std::vector<double> takeWeights(Translation& run, std::size_t numDatasets) {
    const std::string strategy = run.takeText("mix_strategy");
    const auto given = run.take("interleave_probs");
    if (strategy.empty() || strategy == "concat") return {};
    std::vector<double> weights;
    for (const Tree& one : given && given->is_array() ? *given : Tree::array())
        weights.push_back(one.is_number() ? one.get<double>() : 0);
    if (given && given->is_string())
        for (const std::string& name : textsIn(*given))
            weights.push_back(std::strtod(name.c_str(), nullptr));
    if (!given) weights.assign(numDatasets, 1);
    if (weights.size() == numDatasets) return weights;
    run.note("interleave_probs", "are not as many as the datasets");
    return {};
}

// The file of a dataset to validate on, which has to be written as the first one to train on is.
void takeValidation(Translation& run, const fs::path& info, bool ofTexts, const Tree& first) {
    const auto given = run.take("eval_dataset");
    if (!given) return;
    const std::vector<std::string> names = textsIn(*given);
    Tree dataset =
        names.size() == 1 ? datasetOfInfo(info, names[0], ofTexts).dataset : Tree("are several: choose one file");
    if (dataset.is_string()) return run.note("eval_dataset", dataset.get<std::string>());
    const Tree files = dataset["files"];
    Tree alike = first;
    for (const char* field : {"files", "max_rows", "subset"}) { // not how its rows are written
        dataset.erase(field);
        alike.erase(field);
    }
    if (dataset != alike) return run.note("eval_dataset", "is written in another way than the first dataset");
    run.put("eval_dataset", "data.validation_file", files[0]);
}

// Of the rows that a dataset takes by itself no more than every dataset may have.
void limitRows(Tree& dataset, const Tree& most) {
    if (dataset.contains("max_rows") && most.is_number_integer() && most < dataset["max_rows"])
        dataset["max_rows"] = most;
}

// `most`: rows of each dataset; null where that is not said.
void takeNamedDatasets(Translation& run, bool ofTexts, const Tree& most) {
    const auto given = run.take("dataset");
    const std::string folder = run.takeText("dataset_dir");
    if (!given) return;
    const std::vector<std::string> names = textsIn(*given);
    const fs::path info = run.found((fs::path(folder.empty() ? "data" : folder) / "dataset_info.json").string());
    if (info.empty()) return run.note("dataset", "is told by a dataset_info.json that is not here: choose the files");
    const std::vector<double> weights = takeWeights(run, names.size());
    Tree first;
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto [dataset, fieldsNotTaken] = datasetOfInfo(info, names[i], ofTexts);
        const auto note = [&](const std::string& reason) {
            run.noteOf("dataset", asText(names[i]), "'" + names[i] + "' " + reason);
        };
        if (dataset.is_string()) {
            note(dataset.get<std::string>());
            continue;
        }
        const std::string file = dataset["files"][0].get<std::string>();
        if (std::error_code none; !fs::exists(bytesOf(file), none))
            note("is to be in '" + file + "', which is not here");
        if (!fieldsNotTaken.empty()) run.noteTakenWithout("dataset", fieldsNotTaken, asText(names[i]));
        if (first.is_null()) first = dataset;
        if (!weights.empty()) dataset.update({{"share", "weight"}, {"share_amount", weights[i]}});
        limitRows(dataset, most);
        const bool isApart = !most.is_null() || dataset.contains("max_rows") || !weights.empty();
        run.addDataset(std::move(dataset), "dataset", isApart);
    }
    takeValidation(run, info, ofTexts, first);
}

// The first ones of each dataset.
void takeRowsAtMost(Translation& run, const Tree& file) {
    if (const auto given = run.take("max_samples")) {
        run.put("max_samples", "data.max_rows", *given);
        run.put("max_samples", "data.subset", "first");
        if (const Tree share = file.value("val_size", Tree()); share.is_number() && share > 0)
            run.note("max_samples", "limits the rows to train on: those to validate on (val_size) are of all rows");
    }
}

// Twice the rank, unless said.
void takeAlpha(Translation& run, const Tree& file) {
    const Tree given = file.value("lora_rank", Tree()),
               rank = given.is_null() ? kLlamaFactoryDefaults["lora_rank"] : given;
    if (file.value("lora_alpha", Tree()).is_null() && rank.is_number())
        run.put("lora_rank", "lora.alpha", 2 * rank.get<double>());
}

// The base of an adapter in fewer bits, by bitsandbytes.
void takeWeights(Translation& run) {
    const std::string type = run.takeText("quantization_type");
    run.take("double_quantization"); // nf4 is
    const auto bits = run.take("quantization_bit");
    if (!bits) return;
    if (*bits == 4 && type != "fp4") return run.put("quantization_bit", "model.weights", "nf4");
    if (*bits == 8) return run.put("quantization_bit", "model.weights", "int8");
    run.note("quantization_bit", "has no counterpart: choose model.weights");
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
    if (const auto thinks = run.take("enable_thinking"); thinks && thinks->is_boolean() && !thinks->get<bool>())
        run.put("enable_thinking", "model.chat_template_args", R"({"enable_thinking": false})");
    run.take("do_train");
}

} // namespace

bool isLlamaFactory(const Tree& file) {
    return file.contains("model_name_or_path");
}

ForeignRun fromLlamaFactory(const Tree& file, const fs::path& folder) {
    Translation run(file, kLlamaFactoryDefaults, folder);
    translateModel(run, "model_name_or_path");
    takeNamedDatasets(run, file.value("stage", Tree()) == "pt", file.value("max_samples", Tree()));
    takeRowsAtMost(run, file);
    takeMethod(run);
    takeWeights(run);
    run.setAll({
        {"cutoff_len", "data.max_length"},
        {"lora_rank", "lora.rank"},
        {"lora_alpha", "lora.alpha"},
        {"lora_dropout", "lora.dropout"},
        {"use_rslora", "lora.rslora"},
        {"adapter_name_or_path", "lora.init_from"},
        {"default_system", "data.system_prompt"},
        {"early_stopping_steps", "duration.early_stop"},
    });
    translateShare(run, "val_size");
    takeAlpha(run, file);
    translateTargets(run, "lora_target");
    translateWholeModules(run, "additional_target");
    translateTrainer(run);
    if (run.takeFlag("disable_shuffling")) run.put("disable_shuffling", "data.shuffle", false);
    const bool isPacked = run.takeFlag("packing"), isNeatlyPacked = run.takeFlag("neat_packing"); // ours is neat
    if (isPacked || isNeatlyPacked) run.put("packing", "batch.packing", "best-fit");
    return run.finish("LLaMA-Factory");
}

} // namespace roundpipe::foreign
