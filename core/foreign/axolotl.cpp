// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/axolotl.h"

#include "base/bytes_as_text.h"

#include <algorithm>
#include <string_view>

namespace roundpipe::foreign {
namespace {

namespace fs = std::filesystem;

const Tree kAxolotlDefaults = {{"sequence_len", 512},
                               {"lr_scheduler", "cosine"},
                               {"micro_batch_size", 1},
                               {"gradient_accumulation_steps", 1},
                               {"num_epochs", 1.0},
                               {"val_set_size", 0.0},
                               {"weight_decay", 0.0},
                               {"lora_dropout", 0.0},
                               {"seed", 42},
                               {"excess_length_strategy", "drop"}};

std::string textAt(const Tree& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Its type of prompt as one of our formats; empty: none that we have.
std::string formatOfAxolotl(const std::string& type) {
    if (type.empty() || type == "chat_template" || type.starts_with("chat_template.")) return "auto";
    if (type == "sharegpt" || type.starts_with("sharegpt.")) return "sharegpt";
    if (type == "alpaca" || type.starts_with("alpaca.")) return "alpaca";
    if (type == "completion") return "text";
    if (type == "input_output") return "segments";
    return {};
}

// A dataset as ours are written; a text instead: why it cannot be taken.
Tree datasetFrom(const Translation& run, const Tree& theirs) {
    if (!theirs.is_object()) return "is no dataset";
    if (theirs.contains("type") && theirs["type"].is_object())
        return "has a prompt of its own: use data.prompt_template";
    const std::string type = textAt(theirs, "type"), format = formatOfAxolotl(type);
    if (format.empty()) return "is of the type '" + type + "', which has no counterpart";
    Tree files = Tree::array();
    const Tree listed = theirs.value("data_files", Tree());
    for (const Tree& name :
         listed.is_array() ? listed : Tree::array({listed.is_string() ? listed : Tree(textAt(theirs, "path"))}))
        if (const fs::path file = name.is_string() ? run.found(name.get<std::string>()) : fs::path(); !file.empty())
            files.push_back(asText(file.string()));
    if (files.empty()) return "'" + textAt(theirs, "path") + "' is not here: fetch it, and choose its files";
    Tree dataset = {{"files", files}, {"format", format}, {"columns", Tree::array()}};
    if (const std::string field = textAt(theirs, "field_messages"); !field.empty() && field != "messages")
        dataset["columns"].push_back((format == "sharegpt" ? "conversations=" : "messages=") + field);
    if (const std::string field = textAt(theirs, "field"); !field.empty() && field != "text" && format == "text")
        dataset["columns"].push_back("text=" + field);
    return dataset;
}

void noteFields(Translation& run, const Tree& theirs) {
    constexpr std::string_view kRead[] = {"path", "type", "data_files", "ds_type", "field_messages", "field"};
    std::string rest;
    for (const auto& [key, value] : theirs.items())
        if (!value.is_null() && std::ranges::find(kRead, std::string_view(key)) == std::end(kRead) &&
            !(key == "split" && value == "train")) // "train[:10%]" is a part of the rows
            rest += (rest.empty() ? "" : ", ") + key;
    if (!rest.empty()) run.note("datasets", "has fields without a counterpart: " + rest);
}

void takeListedDatasets(Translation& run) {
    const auto datasets = run.take("datasets");
    if (!datasets || !datasets->is_array()) return;
    bool areTexts = !datasets->empty(); // which it goes on with in the next example where they are longer
    for (const Tree& theirs : *datasets) {
        Tree dataset = datasetFrom(run, theirs);
        if (dataset.is_string()) {
            run.note("datasets", dataset.get<std::string>());
            continue;
        }
        areTexts = areTexts && dataset["format"] == "text";
        run.addDataset(std::move(dataset), "datasets");
        noteFields(run, theirs);
    }
    if (areTexts) run.put("datasets", "data.over_length", "split");
}

void takeAdapter(Translation& run) {
    const std::string adapter = run.takeText("adapter");
    if (adapter.empty()) run.note("adapter", "is none, so all weights are trained there; here an adapter is");
    if (adapter == "qlora") run.note("adapter", "quantises the weights, which has no counterpart");
    if (run.takeFlag("lora_target_linear"))
        run.put("lora_target_linear", "lora.targets", Tree::array({"all-linear"}));
    else
        translateTargets(run, "lora_target_modules");
}

} // namespace

bool isAxolotl(const Tree& file) {
    return file.contains("base_model");
}

ForeignRun fromAxolotl(const Tree& file, const fs::path& folder) {
    Translation run(file, kAxolotlDefaults, folder);
    translateModel(run, "base_model");
    takeAdapter(run);
    run.setAll({
        {"sequence_len", "data.max_length"},
        {"excess_length_strategy", "data.over_length"},
        {"micro_batch_size", "batch.microbatch_size"},
        {"num_epochs", "duration.epochs"},
        {"lora_r", "lora.rank"},
        {"lora_alpha", "lora.alpha"},
        {"lora_dropout", "lora.dropout"},
        {"lora_model_dir", "lora.init_from"},
        {"peft_use_rslora", "lora.rslora"},
    });
    takeListedDatasets(run);
    translateShare(run, "val_set_size");
    if (run.takeFlag("train_on_inputs")) run.put("train_on_inputs", "data.train_on", "all");
    if (run.takeFlag("dataset_exact_deduplication"))
        run.put("dataset_exact_deduplication", "data.leave_out", Tree::array({"duplicates"}));
    if (run.takeFlag("sample_packing")) run.put("sample_packing", "batch.packing", "best-fit");
    translateSchedule(run, "lr_scheduler");
    translateTrainer(run);
    return run.finish("Axolotl");
}

} // namespace roundpipe::foreign
