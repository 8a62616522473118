// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe inspect: what a model folder holds, without running anything of it.
#include "arch/model_folder.h"
#include "arch/stacked_linears.h"
#include "arch/text_part.h"
#include "base/units.h"
#include "commands.h"
#include "console/print_json.h"
#include "exit_codes.h"
#include "hub/fetch_names.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace roundpipe::cli {
namespace {

struct InspectOptions {
    std::string path;
    bool json = false;
};

nlohmann::ordered_json jsonOf(const arch::ModelFolder& content) {
    const arch::ModelSpec& model = *content.model;
    const arch::ModelConfig& config = model.config;
    nlohmann::ordered_json json;
    json["architecture"] = config.architecture;
    json["text_part_alone"] = arch::isTextPartAlone(config);
    json["parameters"] = model.numParameters();
    json["blocks"] = config.numLayers;
    json["hidden_size"] = config.hiddenSize;
    json["intermediate_size"] = config.intermediateSize;
    json["experts"] = config.experts.count;
    json["experts_per_token"] = config.experts.perToken;
    json["expert_intermediate_size"] = config.experts.intermediateSize;
    json["shared_expert_intermediate_size"] = config.experts.sharedSize;
    json["active_parameters"] = model.numActiveParameters();
    json["heads"] = config.numHeads;
    json["kv_heads"] = config.numKvHeads;
    json["head_dim"] = config.headDim;
    json["vocab_size"] = config.vocabSize;
    json["max_positions"] = config.maxPositions;
    json["dtype"] = toString(config.dtype);
    json["tied_embeddings"] = config.tiedEmbeddings;
    json["has_weights"] = content.hasWeights;
    json["weight_bytes"] = content.weightBytes;
    json["has_tokenizer"] = content.hasTokenizer;
    json["has_chat_template"] = content.hasChatTemplate;
    json["problem"] = content.problem;
    return json;
}

void print(const arch::ModelFolder& content) {
    const arch::ModelSpec& model = *content.model;
    const arch::ModelConfig& config = model.config;
    fmt::print("{}\n", model.summary());
    if (arch::isTextPartAlone(config))
        fmt::print(
            "  pictures       not seen: the text part alone is trained, what else is in the folder stays as it is\n");
    fmt::print("  attention      {} heads, {} key/value heads of {}{}{}\n", config.numHeads, config.numKvHeads,
               config.headDim, config.qkNorm ? ", normed" : "", config.qkvBias ? ", with biases" : "");
    if (config.experts.count > 0)
        fmt::print("  experts        {} of {}, {} a token{} ({} parameters){}\n", config.experts.count,
                   config.experts.intermediateSize, config.experts.perToken,
                   config.experts.sharedSize > 0 ? fmt::format(" and one of {}", config.experts.sharedSize) : "",
                   formatCount(static_cast<double>(model.numActiveParameters())),
                   config.experts.mxfp4 ? ", stored in 4 bits" : "");
    else
        fmt::print("  feed-forward   {}\n", config.intermediateSize);
    fmt::print("  vocabulary     {}{}\n", config.vocabSize, config.tiedEmbeddings ? ", tied to the head" : "");
    fmt::print("  positions      {}\n", config.maxPositions);
    fmt::print("  stored as      {}\n", toString(config.dtype));
    if (!content.isFolder) return;
    fmt::print("  weights        {}\n", content.hasWeights ? formatBytes(content.weightBytes) : content.problem);
    fmt::print("  tokenizer      {}\n",
               content.hasTokenizer ? "tokenizer.json" : "none that can be used (no tokenizer.json)");
    fmt::print("  chat template  {}\n", content.hasChatTemplate ? "yes" : "none; give one with --chat-template");
    fmt::print("  linear layers for LoRA:\n");
    for (const arch::LinearSpec& linear : arch::linearsOf(model, LayerId(1)))
        if (!linear.ofExpert || linear.module.find(".experts.0.") != std::string::npos ||
            (arch::isStacked(linear) && linear.fullName.ends_with(".0")))
            fmt::print("    {:24} {} x {}\n", linear.module, linear.outFeatures, linear.inFeatures);
}

} // namespace

CommandBody addInspectCommand(CLI::App& app) {
    const auto options = std::make_shared<InspectOptions>();
    app.add_option("path", options->path, "Model folder, a config.json, or hf:OWNER/NAME.")->required();
    app.add_flag("--json", options->json, "Print one JSON object.");
    return [options] {
        const std::string path = fetchedModel(options->path);
        const arch::ModelFolder content = arch::readModelFolder(path);
        if (!content.model) arch::makeModelSpec(arch::readModelConfig(path)); // throws what is wrong
        if (options->json)
            printJson(jsonOf(content));
        else
            print(content);
        return static_cast<int>(kSuccess);
    };
}

} // namespace roundpipe::cli
