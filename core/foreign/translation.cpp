// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/translation.h"

#include "base/bytes_as_text.h"
#include "base/error.h"
#include "base/secrets.h"
#include "session/spec/run_spec_fields.h"

#include <algorithm>

#include <fmt/format.h>

namespace roundpipe::foreign {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoCounterpart = "has no counterpart";

// The key to a service: no tokenizer, and no special token.
bool isSecret(const std::string& key) {
    const auto endsWith = [&](const char* name) { return key.ends_with(name); };
    constexpr const char* kSpecialTokens[] = {"pad_token", "bos_token", "eos_token", "unk_token"};
    return endsWith("api_key") || (endsWith("token") && std::ranges::none_of(kSpecialTokens, endsWith));
}

void setIn(Tree& run, const std::string& ours, Tree value) {
    const std::size_t dot = ours.find('.');
    Tree& section = dot == std::string::npos ? run : run[ours.substr(0, dot)];
    section[ours.substr(dot + 1)] = std::move(value); // all of it where there is no dot
}

// One more epoch of `listed` where the other dataset is the very same: its rows are not rows of a second one, of which
// some could be validated on that the first one trains.
bool repeats(Tree& listed, const Tree& dataset) {
    if (dataset.contains("share")) return false; // each has its weight
    Tree once = listed;
    if (listed.value("share", Tree()) == "epochs") {
        once.erase("share");
        once.erase("share_amount");
    }
    if (once != dataset) return false;
    listed.update({{"share", "epochs"}, {"share_amount", listed.value("share_amount", 1) + 1}});
    return true;
}

// Written alike, and without a file that the other one has: none may stand twice in one dataset.
bool canJoin(const Tree& listed, Tree dataset) {
    const Tree files = dataset["files"];
    dataset["files"] = listed["files"];
    return dataset == listed && std::ranges::none_of(files, [&](const Tree& file) {
               return std::ranges::find(listed["files"], file) != listed["files"].end();
           });
}

} // namespace

Translation::Translation(Tree file, const Tree& defaults, fs::path folder)
    : m_file(std::move(file)), m_given(m_file), m_defaults(defaults), m_folder(std::move(folder)) {}

Tree Translation::valueOf(const std::string& key) const {
    const auto given = m_given.find(key);
    if (given != m_given.end()) return *given;
    return m_defaults.value(key, Tree());
}

std::optional<Tree> Translation::take(const std::string& key) {
    m_file.erase(key);
    Tree value = valueOf(key);
    if (value.is_null()) value = m_defaults.value(key, Tree());
    return value.is_null() ? std::nullopt : std::optional(std::move(value));
}

std::string Translation::takeText(const std::string& key) {
    const auto value = take(key);
    if (!value) return {};
    return value->is_string() ? value->get<std::string>() : value->dump();
}

bool Translation::takeFlag(const std::string& key) {
    const auto value = take(key);
    return value && *value == true;
}

void Translation::set(const std::string& key, const std::string& ours) {
    if (auto value = take(key)) put(key, ours, std::move(*value));
}

void Translation::setAll(std::initializer_list<std::pair<const char*, const char*>> counterparts) {
    for (const auto& [key, ours] : counterparts)
        set(key, ours);
}

void Translation::put(const std::string& key, const std::string& ours, Tree value) {
    Tree alone = Tree::object();
    setIn(alone, ours, value);
    try {
        const session::RunSpec spec =
            session::parseRunSpec(alone.dump(-1, ' ', false, Tree::error_handler_t::replace), key);
        session::checkValue(session::fieldByKey(ours), session::fieldByKey(ours).get(spec));
    } catch (const Error& error) {
        return note(key, "cannot be taken: " + std::string(error.message()));
    }
    if (session::fieldByKey(ours).isOfDataset)
        m_ofDatasets[ours.substr(ours.find('.') + 1)] = std::move(value);
    else
        setIn(m_run, ours, std::move(value));
}

void Translation::addDataset(Tree dataset, const std::string& key, bool isApart) {
    Tree alone = {{"data", {{"datasets", {dataset}}}}};
    try {
        const session::RunSpec spec =
            session::parseRunSpec(alone.dump(-1, ' ', false, Tree::error_handler_t::replace), key);
        for (const session::Field& field : session::runSpecFields())
            if (field.isOfDataset) session::checkValue(field, field.get(spec));
    } catch (const Error& error) {
        return noteOf(key, dataset["files"], "cannot be taken: " + std::string(error.message()));
    }
    Tree& datasets = m_run["data"]["datasets"];
    if (std::ranges::any_of(datasets, [&](Tree& other) { return repeats(other, dataset); })) return;
    if (!isApart && !datasets.is_null() && canJoin(datasets.back(), dataset))
        for (const Tree& file : dataset["files"])
            datasets.back()["files"].push_back(file);
    else
        datasets.push_back(std::move(dataset));
}

void Translation::note(const std::string& key, const std::string& reason) {
    noteOf(key, valueOf(key), reason);
}

void Translation::noteOf(const std::string& key, const Tree& value, const std::string& reason) {
    const std::string shown = value.dump(-1, ' ', false, Tree::error_handler_t::replace);
    m_notTaken.push_back({key, isSecret(key) ? "…" : withoutSecrets(shown), reason});
}

void Translation::noteTakenWithout(const std::string& key, const Tree& fields, const std::string& dataset) {
    std::string names;
    for (const auto& [field, value] : fields.items())
        names += (names.empty() ? "" : ", ") + field;
    noteOf(key, fields, "'" + dataset + "' is taken, but without what has no counterpart: " + names);
}

fs::path Translation::found(const std::string& name) const {
    if (name.empty()) return {}; // or it would be the folder
    std::error_code none;
    const fs::path path = bytesOf(name);
    for (fs::path folder = m_folder;; folder = folder.parent_path()) {
        if (fs::exists(folder / path, none)) return (folder / path).lexically_normal();
        if (folder == folder.root_path() || path.is_absolute()) return {};
    }
}

ForeignRun Translation::finish(const std::string& program) {
    for (const auto& [key, value] : m_file.items())
        if (!value.is_null()) note(key, kNoCounterpart);
    if (!m_ofDatasets.empty() && !m_run["data"].contains("datasets")) m_run["data"]["datasets"] = {Tree::object()};
    for (Tree& dataset : m_run["data"]["datasets"])
        for (const auto& [field, value] : m_ofDatasets.items())
            if (!dataset.contains(field)) dataset[field] = value; // what is said of one dataset goes before
    if (m_run["data"]["datasets"].is_null()) m_run["data"].erase("datasets");
    ForeignRun run{
        program, session::parseRunSpec(m_run.dump(-1, ' ', false, Tree::error_handler_t::replace), program), {}};
    for (const auto& [key, value] : m_given.items()) // in the order of the file, those of defaults behind
        for (const NotTaken& item : m_notTaken)
            if (item.key == key) run.notTaken.push_back(item);
    for (const NotTaken& item : m_notTaken)
        if (!m_given.contains(item.key)) run.notTaken.push_back(item);
    return run;
}

void translateSchedule(Translation& run, const std::string& key) {
    const std::string name = run.takeText(key);
    if (name.empty()) return;
    if (name == "constant_with_warmup")
        run.put(key, "optimizer.schedule", "constant");
    else
        run.put(key, "optimizer.schedule", name);
}

Tree namesIn(const Tree& given) {
    Tree names = given.is_array() ? given : Tree::array();
    const std::string text = given.is_string() ? given.get<std::string>() : std::string();
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::size_t first = std::min(text.find_first_not_of(' ', begin), end);
        if (first < end) names.push_back(text.substr(first, end - first));
        begin = end + 1;
    }
    return names;
}

void translateTargets(Translation& run, const std::string& key) {
    const auto value = run.take(key);
    if (!value) return;
    Tree names = namesIn(*value);
    for (Tree& name : names)
        if (name == "all") name = "all-linear";
    run.put(key, "lora.targets", std::move(names));
}

void translateWholeModules(Translation& run, const std::string& key) {
    if (const auto value = run.take(key)) run.put(key, "lora.modules_to_save", namesIn(*value));
}

namespace {

// What the fields allow at most.
constexpr double kLargestShare = 0.9;
constexpr int64_t kNoLimitOfRows = 1'000'000'000;

} // namespace

void translateShare(Translation& run, const std::string& key) {
    const auto value = run.take(key);
    if (!value) return;
    const bool isCount = value->is_number() && value->get<double>() >= 1;
    run.put(key, "data.validation_fraction", isCount ? Tree(kLargestShare) : *value);
    run.put(key, "data.max_validation_rows", isCount ? *value : Tree(kNoLimitOfRows)); // ours is 500 where none is said
    if (isCount) run.note(key, "is a number of rows: so many of each dataset are validated on");
}

void translateTrainer(Translation& run) {
    run.setAll({
        {"per_device_train_batch_size", "batch.microbatch_size"},
        {"gradient_accumulation_steps", "batch.microbatches"},
        {"learning_rate", "optimizer.learning_rate"},
        {"warmup_ratio", "optimizer.warmup_ratio"},
        {"warmup_steps", "optimizer.warmup_steps"},
        {"weight_decay", "optimizer.weight_decay"},
        {"adam_beta1", "optimizer.beta1"},
        {"adam_beta2", "optimizer.beta2"},
        {"adam_epsilon", "optimizer.epsilon"},
        {"max_grad_norm", "optimizer.max_grad_norm"},
        {"num_train_epochs", "duration.epochs"},
        {"output_dir", "output.folder"},
        {"save_steps", "output.save_every_steps"},
        {"save_total_limit", "output.keep_checkpoints"},
        {"eval_steps", "output.eval_every_steps"},
        {"seed", "seed"},
    });
    translateSchedule(run, "lr_scheduler_type");
    if (const auto steps = run.take("max_steps"); steps && *steps != -1)
        run.put("max_steps", "duration.max_steps", *steps);
    if (run.takeFlag("group_by_length")) run.put("group_by_length", "batch.packing", "by-length");
    for (const char* const type : {"bf16", "fp16"})
        if (run.takeFlag(type)) run.put(type, "engine.precision", asText(type));
}

void translateModel(Translation& run, const std::string& key) {
    const std::string name = run.takeText(key);
    if (name.empty()) return;
    if (const fs::path folder = run.found(name); !folder.empty())
        return run.put(key, "model.path", asText(folder.string()));
    run.put(key, "model.base_id", name);
    run.note(key, "is no folder here: choose the model's folder; the name is kept for the adapter");
}

} // namespace roundpipe::foreign
