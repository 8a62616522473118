// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/axolotl.h"

#include "base/bytes_as_text.h"
#include "session/spec/run_spec.h"

#include <algorithm>
#include <initializer_list>
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

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

// A prompt of its own, written out by columns: plain text as there, without a chat template.
Tree fieldsOfOwnPrompt(const Tree& type) {
    const auto columnOf = [&](const char* key, const char* usual) {
        const std::string given = textAt(type, key);
        return given.empty() ? usual : given;
    };
    std::string prompt = textAt(type, "format");
    if (prompt.empty()) prompt = "{instruction} {input} "; // its default
    replaceAll(prompt, "{instruction}", "{" + columnOf("field_instruction", "instruction") + "}");
    replaceAll(prompt, "{input}", "{" + columnOf("field_input", "input") + "}");
    return {{"format", "completion"},
            {"prompt_template", textAt(type, "system_prompt") + prompt},
            {"columns", {"completion=" + columnOf("field_output", "output")}}};
}

// What is said of one dataset goes before what is said of all.
void takeInputs(const Tree& theirs, Tree& dataset) {
    const Tree areTrained = theirs.value("train_on_inputs", Tree());
    if (areTrained.is_boolean()) dataset["train_on"] = areTrained.get<bool>() ? "all" : "assistant";
}

// What stands in a list, or alone.
Tree listOf(const Tree& value) {
    return value.is_array() ? value : Tree::array({value});
}

// The files that a dataset names, of those that are here: "data_files" within its path where that is a folder.
Tree filesOf(const Translation& run, const Tree& theirs) {
    const std::string path = textAt(theirs, "path");
    const fs::path folder = run.found(path);
    std::error_code none;
    const bool isFolder = fs::is_directory(folder, none);
    const Tree listed = theirs.value("data_files", Tree());
    Tree files = Tree::array();
    for (const Tree& name : listOf(listed.is_array() || listed.is_string() ? listed : Tree(path))) {
        if (!name.is_string()) continue;
        const fs::path within = isFolder ? folder / bytesOf(name.get<std::string>()) : fs::path();
        const bool isWithin = isFolder && !listed.is_null() && fs::exists(within, none);
        if (const fs::path file = isWithin ? within : run.found(name.get<std::string>()); !file.empty())
            files.push_back(asText(file.lexically_normal().string()));
    }
    return files;
}

// Of the Hub, as --data and the Data page take it.
std::string howToFetch(const Tree& theirs) {
    const std::string path = textAt(theirs, "path"), subset = textAt(theirs, "name");
    if (std::ranges::count(path, '/') != 1 || path.find('.') != std::string::npos)
        return "is not here: fetch it, and choose its files";
    return "is not here: if it is the Hub's, name hf:" + path + (subset.empty() ? "" : "/" + subset) +
           " among the data to fetch it";
}

bool isAmong(const std::string& name, std::initializer_list<const char*> names) {
    return std::ranges::find(names, name) != names.end();
}

// That messages are read by these names anyway.
bool areUsualNames(const Tree& theirs) {
    const Tree mappings = theirs.value("message_property_mappings", Tree());
    if (mappings.is_object() && mappings.size() != mappings.count("role") + mappings.count("content")) return false;
    const auto nameOf = [&](const char* key, const char* older) {
        return mappings.is_object() && mappings.contains(key) ? textAt(mappings, key) : textAt(theirs, older);
    };
    return isAmong(nameOf("role", "message_field_role"), {"", "role", "from", "speaker"}) &&
           isAmong(nameOf("content", "message_field_content"), {"", "content", "value", "text"});
}

// Its names of roles, those that we know by them too.
bool areUsualRoles(const Tree& roles) {
    constexpr auto isKnown = [](const std::string& role, const std::string& name) {
        if (role == "user") return isAmong(name, {"user", "human"});
        if (role == "assistant") return isAmong(name, {"assistant", "gpt", "model", "bot", "chatgpt", "ai"});
        return name == role && isAmong(name, {"system", "tool"});
    };
    if (!roles.is_object()) return roles.is_null();
    for (const auto& [role, names] : roles.items())
        for (const Tree& name : listOf(names))
            if (!name.is_string() || !isKnown(role, name.get<std::string>())) return false;
    return true;
}

// By which field it says something else of what is trained than we can; empty: by none.
std::string otherTraining(const Tree& theirs) {
    const Tree roles = theirs.value("roles_to_train", Tree());
    const auto isAssistants = [](const Tree& role) {
        return role.is_string() && isAmong(role.get<std::string>(), {"assistant", "gpt", "model"});
    };
    if (!roles.is_null() && (listOf(roles).empty() || !std::ranges::all_of(listOf(roles), isAssistants)))
        return "roles_to_train";
    for (const char* key : {"train_on_eos", "train_on_eot"}) // ours are those of the turns that are trained
        if (theirs.contains(key) && !theirs[key].is_null() && theirs[key] != "turn") return key;
    const std::string field = textAt(theirs, "message_field_training");
    if (!field.empty() && !session::isTrainingSwitch(field)) return "message_field_training";
    return textAt(theirs, "message_field_training_detail").empty() ? "" : "message_field_training_detail";
}

// A dataset as ours are written; a text instead: why it cannot be taken.
Tree datasetFrom(const Translation& run, const Tree& theirs) {
    if (!theirs.is_object()) return "is no dataset, which has a path and a type";
    const Tree given = theirs.value("type", Tree());
    const bool hasOwnPrompt = given.is_object();
    if (!hasOwnPrompt && !given.is_string() && !given.is_null()) return "is of a type that is no name";
    const std::string type = textAt(theirs, "type"), format = formatOfAxolotl(type);
    if (format.empty() && !hasOwnPrompt) return "is of the type '" + type + "', which has no counterpart";
    if (const std::string field = otherTraining(theirs); !field.empty())
        return "says by '" + field + "' what is trained, which has no counterpart";
    if (!areUsualNames(theirs)) return "names who speaks and what is said in a way of its own";
    if (!areUsualRoles(theirs.value("roles", Tree()))) return "names its roles in a way of its own ('roles')";
    const Tree files = filesOf(run, theirs);
    if (files.empty() && textAt(theirs, "path").empty()) return "names no file";
    if (files.empty()) return howToFetch(theirs);
    if (hasOwnPrompt) {
        Tree own = fieldsOfOwnPrompt(given);
        own["files"] = files;
        takeInputs(given, own);
        takeInputs(theirs, own);
        return own;
    }
    Tree dataset = {{"files", files}, {"format", format}, {"columns", Tree::array()}};
    const std::string list = format == "sharegpt" ? "conversations" : "messages";
    if (const std::string field = textAt(theirs, "field_messages"); !field.empty() && field != list)
        dataset["columns"].push_back(list + "=" + field);
    if (const std::string field = textAt(theirs, "field"); !field.empty() && field != "text" && format == "text")
        dataset["columns"].push_back("text=" + field);
    takeInputs(theirs, dataset);
    return dataset;
}

// Of a dataset, by names as "type.no_input_format".
Tree fieldsNotTaken(const Tree& theirs) {
    constexpr std::string_view kRead[] = {"path",
                                          "type",
                                          "data_files",
                                          "ds_type",
                                          "field_messages",
                                          "field",
                                          "train_on_inputs",
                                          "roles_to_train",
                                          "train_on_eos",
                                          "train_on_eot",
                                          "roles",
                                          "message_field_role",
                                          "message_field_content",
                                          "message_property_mappings",
                                          "message_field_training",
                                          "message_field_training_detail"};
    constexpr std::string_view kReadOfType[] = {"field_instruction", "field_input",    "field_output", "format",
                                                "system_prompt",     "train_on_inputs"};
    Tree rest = Tree::object();
    for (const auto& [key, value] : theirs.items())
        if (!value.is_null() && std::ranges::find(kRead, std::string_view(key)) == std::end(kRead) &&
            !(key == "split" && value == "train")) // "train[:10%]" is a part of the rows
            rest[key] = value;
    const Tree type = theirs.contains("type") && theirs["type"].is_object() ? theirs["type"] : Tree::object();
    for (const auto& [key, value] : type.items())
        if (std::ranges::find(kReadOfType, std::string_view(key)) == std::end(kReadOfType)) rest["type." + key] = value;
    return rest;
}

void takeListedDatasets(Translation& run) {
    const auto datasets = run.take("datasets");
    if (!datasets) return;
    if (!datasets->is_array()) return run.note("datasets", "is no list of datasets");
    bool areTexts = !datasets->empty(); // which it goes on with in the next example where they are longer
    for (const Tree& theirs : *datasets) {
        const std::string path = theirs.is_string() ? theirs.get<std::string>() : textAt(theirs, "path");
        Tree dataset = datasetFrom(run, theirs);
        if (dataset.is_string()) {
            const std::string name = path.empty() ? "one" : "'" + path + "'";
            run.noteOf("datasets", theirs, name + " " + dataset.get<std::string>());
            continue;
        }
        areTexts = areTexts && dataset["format"] == "text";
        const std::size_t numFound = dataset["files"].size();
        run.addDataset(std::move(dataset), "datasets");
        if (listOf(theirs.value("data_files", Tree::array())).size() > numFound)
            run.noteOf("datasets", {{"data_files", theirs["data_files"]}},
                       "'" + path + "' is taken without those of its files that are not here");
        if (const Tree rest = fieldsNotTaken(theirs); !rest.empty()) run.noteTakenWithout("datasets", rest, path);
        if (textAt(theirs, "type").starts_with("alpaca"))
            run.noteOf("datasets", {{"type", theirs["type"]}},
                       "'" + path +
                           "' is taken, but written by the model's chat template, not in the words of its "
                           "type ('### Instruction:')");
    }
    if (areTexts) run.put("datasets", "data.over_length", "split");
}

// One file to validate on is what we have; it is read as the first dataset is.
void takeTestDatasets(Translation& run) {
    const auto datasets = run.take("test_datasets");
    if (!datasets) return;
    const Tree first = datasets->is_array() && datasets->size() == 1 ? datasets->front() : Tree();
    const Tree files = first.is_object() ? filesOf(run, first) : Tree::array();
    std::error_code none;
    if (files.size() != 1 || fs::is_directory(bytesOf(files[0].get<std::string>()), none))
        return run.note("test_datasets", "is not one file that is here: choose one to validate on");
    run.put("test_datasets", "data.validation_file", files[0]);
}

void takeAdapter(Translation& run) {
    const std::string adapter = run.takeText("adapter");
    if (adapter.empty()) run.put("adapter", "method", "full"); // as there
    if (adapter == "qlora" && run.takeFlag("load_in_4bit")) run.put("adapter", "model.weights", "nf4");
    if (adapter == "lora" && run.takeFlag("load_in_8bit")) run.put("load_in_8bit", "model.weights", "int8");
    if (run.takeFlag("lora_target_linear"))
        run.put("lora_target_linear", "lora.targets", Tree::array({"all-linear"}));
    else
        translateTargets(run, "lora_target_modules");
    translateWholeModules(run, "lora_modules_to_save");
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
        {"early_stopping_patience", "duration.early_stop"},
    });
    takeListedDatasets(run);
    takeTestDatasets(run);
    translateShare(run, "val_set_size");
    if (run.takeFlag("train_on_inputs")) run.put("train_on_inputs", "data.train_on", "all");
    if (run.takeFlag("dataset_exact_deduplication"))
        run.put("dataset_exact_deduplication", "data.leave_out", Tree::array({"duplicates"}));
    translateSchedule(run, "lr_scheduler");
    translateTrainer(run);
    if (run.takeFlag("sample_packing")) run.put("sample_packing", "batch.packing", "best-fit");
    return run.finish("Axolotl");
}

} // namespace roundpipe::foreign
