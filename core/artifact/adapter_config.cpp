// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/adapter_config.h"

#include "arch/config_fields.h"
#include "arch/safetensors_file.h"
#include "arch/stacked_linears.h"
#include "arch/text_part.h"
#include "artifact/adapter.h"
#include "artifact/adapter_names.h"
#include "artifact/adapter_pieces.h"
#include "artifact/expert_stacks.h"
#include "base/error.h"
#include "base/file.h"
#include "base/secrets.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <regex>
#include <set>

namespace roundpipe::artifact {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// Whether modules lie beside those of `layouts` that are called alike: what sees pictures has a q_proj and norms, too.
bool isPartOnly(std::span<const geometry::LayerLayout> layouts) {
    return arch::isOfTextPart(layouts.front().spec.tensors.front().name);
}

// PEFT matches target_modules by the module's last part, so whole names are written only where parts would catch more.
std::set<std::string> targetNames(std::span<const geometry::LayerLayout> layouts, const arch::LoraConfig& lora) {
    std::set<std::string> names;
    const bool byWholeName = isPartOnly(layouts) || std::ranges::any_of(lora.targets, [](const std::string& target) {
                                 return target.find('.') != std::string::npos;
                             });
    for (const geometry::LayerLayout& layout : layouts)
        for (const geometry::AdapterPlace& place : layout.adapter.linears) {
            if (arch::isStacked(place.linear)) continue;
            const std::string& module = byWholeName ? place.linear.fullName : place.linear.module;
            names.insert(byWholeName ? module : module.substr(module.rfind('.') + 1));
        }
    return names;
}

// target_parameters: the path within a block, unless one block alone was named.
std::set<std::string> parameterNames(std::span<const geometry::LayerLayout> layouts, const arch::LoraConfig& lora) {
    const bool byWholeName = isPartOnly(layouts) || std::ranges::any_of(lora.targets, [](const std::string& target) {
                                 return target.find("layers.") != std::string::npos;
                             });
    std::set<std::string> names;
    for (const geometry::LayerLayout& layout : layouts)
        for (const geometry::AdapterPlace& place : layout.adapter.linears)
            if (arch::isStacked(place.linear))
                names.insert(byWholeName ? std::string(arch::stackOf(place.linear)) : place.linear.module);
    return names;
}

// modules_to_save, which PEFT matches by the end of a module's path.
std::vector<std::string> wholeNames(std::span<const geometry::LayerLayout> layouts, const arch::LoraConfig& lora) {
    if (!isPartOnly(layouts)) return lora.modulesToSave;
    std::vector<std::string> names;
    for (const geometry::LayerLayout& layout : layouts)
        for (const geometry::TensorPlace& place : layout.base.tensors)
            if (place.isTrained()) names.push_back(arch::moduleOf(place.spec));
    return names;
}

Json numberOf(double value) {
    if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<int64_t>(value);
    return value;
}

Json textOrNull(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

// What is to be done with an adapter, as it is said where that can't be done.
struct UseWords {
    const char* refusal;
    const char* advice;
};
constexpr UseWords kTraining{"which can't be trained on here",
                             "Start from a plain LoRA adapter, or leave 'lora.init_from' empty."};
constexpr UseWords kAnswering{"which can't be added to a model here as it is",
                              "Merge it with PEFT (merge_and_unload), and ask the model that comes of it."};
constexpr UseWords kMerging{"which can't be merged or exported here",
                            "Merge it with PEFT (merge_and_unload), and export the model that comes of it."};

[[noreturn]] void refuse(const fs::path& file, const std::string& what, const UseWords& use) {
    throw unsupported("'" + file.string() + "' has " + what + ", " + use.refusal + ".", use.advice);
}

// Not one of the values by which PEFT says that something is not used.
bool isSet(const arch::ConfigFields& config, const char* key) {
    const std::string shown = config.shown(key);
    return !shown.empty() && shown != "false" && shown != "{}" && shown != "[]" && shown != "\"\"";
}

// All but products of two matrices beside linear layers.
void refuseOtherMethods(const arch::ConfigFields& config, const fs::path& file, const UseWords& use) {
    const std::string method = config.text("peft_type").value_or("");
    if (method != "LORA") refuse(file, "peft_type '" + method + "'", use);
    if (isSet(config, "use_dora")) refuse(file, "DoRA", use);
    if (isSet(config, "use_qalora")) refuse(file, "QALoRA", use);
    if (isSet(config, "lora_bias")) refuse(file, "trained adapter biases", use);
    if (config.text("bias").value_or("none") != "none") refuse(file, "trained biases", use);
    for (const char* key : {"fan_in_fan_out", "trainable_token_indices", "layer_replication", "alora_invocation_tokens",
                            "megatron_config"})
        if (isSet(config, key)) refuse(file, std::string("'") + key + "'", use);
}

std::vector<std::string> parametersOf(const arch::ConfigFields& config) {
    return config.names("target_parameters", "a list of names of parameters").value_or(std::vector<std::string>());
}

std::string textOf(const fs::path& configFile) {
    return readTextFile(configFile, int64_t{1} << 24);
}

std::vector<std::string> modulesFromTensors(const fs::path& folder) {
    std::set<std::string> modules;
    const auto file = arch::SafetensorsFile::open(folder / kAdapterWeightsFile);
    for (const arch::TensorEntry& tensor : file.tensors())
        if (const auto module = moduleOfTensor(tensor.name); module && !mayBeWrapper(*module)) modules.insert(*module);
    return {modules.begin(), modules.end()};
}

} // namespace

void writeAdapterConfig(const fs::path& folder, std::span<const geometry::LayerLayout> layouts,
                        const arch::LoraConfig& lora, const AdapterOrigin& origin) {
    Json config;
    config["peft_type"] = "LORA";
    config["task_type"] = "CAUSAL_LM";
    config["base_model_name_or_path"] =
        origin.baseModelId.empty() ? origin.modelFolder.string() : withoutSecrets(origin.baseModelId);
    config["revision"] = textOrNull(origin.baseModelRevision);
    config["inference_mode"] = true;
    config["r"] = lora.rank;
    config["lora_alpha"] = numberOf(lora.alpha);
    config["lora_dropout"] = lora.dropout;
    config["use_rslora"] = lora.rsLora;
    config["target_modules"] = targetNames(layouts, lora);
    if (const std::set<std::string> parameters = parameterNames(layouts, lora); !parameters.empty())
        config["target_parameters"] = parameters;
    config["bias"] = "none";
    config["fan_in_fan_out"] = false;
    config["init_lora_weights"] = true;
    config["use_dora"] = false;
    config["rank_pattern"] = Json::object();
    config["alpha_pattern"] = Json::object();
    for (const char* key : {"auto_mapping", "layers_pattern", "layers_to_transform", "modules_to_save"})
        config[key] = nullptr;
    if (!lora.modulesToSave.empty()) {
        config["modules_to_save"] = wholeNames(layouts, lora);
        if (sharedTableOf(layouts, piecesOf(layouts))) config["ensure_weight_tying"] = true; // it stays one
    }
    writeFileAtomically(folder / kAdapterConfigFile, config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

arch::LoraConfig readAdapterConfig(const fs::path& folder, AdapterUse use) {
    const UseWords& words = use == AdapterUse::kTraining ? kTraining : kAnswering;
    const fs::path file = folder / kAdapterConfigFile;
    const arch::ConfigFields config(textOf(file), file.string());
    refuseOtherMethods(config, file, words);
    for (const char* key : {"rank_pattern", "alpha_pattern"})
        if (isSet(config, key)) refuse(file, std::string("'") + key + "'", words);
    const std::string moduleNames = "a list of names of modules";
    arch::LoraConfig lora;
    lora.rank = config.requiredSize("r");
    lora.alpha = config.requiredNumber("lora_alpha", 0);
    lora.dropout = config.number("lora_dropout", 0).value_or(0);
    lora.rsLora = config.flag("use_rslora", false);
    lora.modulesToSave = config.names("modules_to_save", moduleNames).value_or(std::vector<std::string>());
    // A text is a pattern, or PEFT's word for all linear layers.
    const bool isList = isSet(config, "target_modules") && !config.isText("target_modules");
    if (isList && !isSet(config, "layers_to_transform") && !isSet(config, "exclude_modules"))
        lora.targets = *config.names("target_modules", moduleNames);
    else
        lora.targets = modulesFromTensors(folder);
    std::ranges::move(parametersOf(config), std::back_inserter(lora.targets));
    return lora;
}

LoraStrengths readLoraStrengths(const fs::path& folder) {
    const fs::path file = folder / kAdapterConfigFile;
    const std::string text = textOf(file);
    const arch::ConfigFields config(text, file.string());
    refuseOtherMethods(config, file, kMerging);
    LoraStrengths strengths;
    strengths.alpha = config.requiredNumber("lora_alpha", 0);
    strengths.rsLora = config.flag("use_rslora", false);
    strengths.targetParameters = parametersOf(config);
    const auto pattern = config.object("alpha_pattern");
    if (!pattern) return strengths;
    const auto ordered = nlohmann::ordered_json::parse(text); // the order counts
    for (const auto& [modules, alpha] : ordered["alpha_pattern"].items())
        strengths.alphaPattern.emplace_back(modules, pattern->requiredNumber(modules.c_str(), 0));
    return strengths;
}

double LoraStrengths::scaleOf(const std::string& module, int64_t rank) const {
    double own = alpha;
    for (const auto& [modules, itsAlpha] : alphaPattern)
        try {
            if (!std::regex_match(module, std::regex("(.*\\.)?(" + modules + ")"))) continue;
            own = itsAlpha;
            break;
        } catch (const std::regex_error&) {
            throw invalidInput("'" + modules + "' in an adapter's alpha_pattern is no regular expression.",
                               "Name the module by what its path ends with, as 'q_proj'.");
        }
    const auto size = static_cast<double>(rank);
    return own / (rsLora ? std::sqrt(size) : size);
}

} // namespace roundpipe::artifact
