// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/unsloth.h"

#include "base/bytes_as_text.h"

namespace roundpipe::foreign {
namespace {

namespace fs = std::filesystem;

const Tree kUnslothDefaults = {{"training.max_seq_length", 2048},
                               {"training.num_epochs", 3},
                               {"training.learning_rate", 2e-4},
                               {"training.batch_size", 2},
                               {"training.gradient_accumulation_steps", 4},
                               {"training.warmup_steps", 5},
                               {"training.weight_decay", 0.01},
                               {"training.random_seed", 3407},
                               {"lora.lora_r", 64},
                               {"lora.lora_alpha", 16},
                               {"lora.lora_dropout", 0.0}};

// The keys of sections as "training.num_epochs".
Tree flat(const Tree& file) {
    Tree result = Tree::object();
    for (const auto& [section, value] : file.items()) {
        if (!value.is_object()) {
            result[section] = value;
            continue;
        }
        for (const auto& [key, inner] : value.items())
            result[section + "." + key] = inner;
    }
    return result;
}

std::string formatOfUnsloth(const std::string& type) {
    if (type == "alpaca" || type == "sharegpt") return type;
    if (type == "chatml" || type == "conversational") return "messages";
    return type == "raw" ? "text" : "auto";
}

void takeData(Translation& run) {
    const std::string format = formatOfUnsloth(run.takeText("data.format_type"));
    const auto files = run.take("data.local_dataset");
    Tree found = Tree::array();
    for (const Tree& name : files && files->is_array() ? *files : Tree::array()) {
        const fs::path file = name.is_string() ? run.found(name.get<std::string>()) : fs::path();
        if (file.empty())
            run.note("data.local_dataset", "'" + name.dump() + "' is not here: choose its files");
        else
            found.push_back(asText(file.string()));
    }
    if (!found.empty()) run.addDataset({{"files", found}, {"format", format}}, "data.local_dataset");
    if (!run.takeText("data.dataset").empty())
        run.note("data.dataset", "is fetched from a hub: fetch it, and choose its files");
}

// Tables among its targets are trained whole.
void takeTargets(Translation& run) {
    constexpr const char* kKey = "lora.target_modules";
    const auto given = run.take(kKey);
    if (!given) return;
    Tree linears = Tree::array(), tables = Tree::array();
    for (const Tree& name : namesIn(*given))
        (name == "embed_tokens" || name == "lm_head" ? tables : linears).push_back(name);
    run.put(kKey, "lora.targets", std::move(linears));
    if (!tables.empty()) run.put(kKey, "lora.modules_to_save", std::move(tables));
}

} // namespace

bool isUnsloth(const Tree& file) {
    return file.contains("model") && (file.contains("training") || file.contains("lora"));
}

ForeignRun fromUnsloth(const Tree& file, const fs::path& folder) {
    Translation run(flat(file), kUnslothDefaults, folder);
    translateModel(run, "model");
    takeData(run);
    const std::string type = run.takeText("training.training_type");
    if (type == "full")
        run.put("training.training_type", "method", "full");
    else if (!type.empty() && type != "lora")
        run.note("training.training_type", "has no counterpart: adapters are trained");
    run.setAll({
        {"training.max_seq_length", "data.max_length"},
        {"training.output_dir", "output.folder"},
        {"training.num_epochs", "duration.epochs"},
        {"training.max_steps", "duration.max_steps"},
        {"training.learning_rate", "optimizer.learning_rate"},
        {"training.batch_size", "batch.microbatch_size"},
        {"training.gradient_accumulation_steps", "batch.microbatches"},
        {"training.warmup_steps", "optimizer.warmup_steps"},
        {"training.save_steps", "output.save_every_steps"},
        {"training.weight_decay", "optimizer.weight_decay"},
        {"training.random_seed", "seed"},
    });
    if (run.takeFlag("training.packing")) run.put("training.packing", "batch.packing", "best-fit");
    if (!run.takeFlag("training.train_on_completions")) // then the user's words are learnt there as well
        run.put("training.train_on_completions", "data.train_on", "all");
    run.setAll({
        {"lora.lora_r", "lora.rank"},
        {"lora.lora_alpha", "lora.alpha"},
        {"lora.lora_dropout", "lora.dropout"},
        {"lora.use_rslora", "lora.rslora"},
    });
    takeTargets(run);
    return run.finish("Unsloth");
}

} // namespace roundpipe::foreign
