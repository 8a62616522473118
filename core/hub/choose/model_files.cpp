// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/choose/model_files.h"

#include "base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace roundpipe::hub {
namespace {

constexpr std::string_view kBesideWeights[] = {
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "chat_template.json",
    "preprocessor_config.json",
    "processor_config.json",
    "vocab.json",
    "merges.txt",
    "tokenizer.model",
    "README.md",
    "LICENSE",
};
constexpr std::string_view kIndex = "model.safetensors.index.json";

bool isAtTop(const HubFile& file) {
    return file.path.find('/') == std::string::npos;
}

bool isWeights(const HubFile& file) {
    return isAtTop(file) && file.path.ends_with(".safetensors");
}

// As transformers names them; Mistral's "consolidated" files hold the same weights a second time.
bool isUsualWeights(const HubFile& file) {
    return isWeights(file) && (file.path == "model.safetensors" || file.path.starts_with("model-"));
}

[[noreturn]] void refuseWithoutWeights(const Listing& listing, const std::string& repository) {
    const auto has = [&](std::string_view ending) {
        return std::ranges::any_of(listing.files, [&](const HubFile& file) { return file.path.ends_with(ending); });
    };
    const char* const instead = has(".gguf") ? "Its weights are GGUF files, which are for running and not for "
                                               "training."
                                : has(".bin") || has(".pt") || has(".pth")
                                    ? "Its weights are pickles, which can run code and are not read."
                                    : "It has no weights that are known here.";
    throw unsupported(fmt::format("'{}' has no safetensors at its top. {}", repository, instead),
                      "Look for the model that it was made from, or for a conversion of it to safetensors.");
}

} // namespace

std::vector<HubFile> modelFiles(const Listing& listing, const std::string& repository) {
    if (listing.find("config.json") == nullptr)
        throw unsupported(
            fmt::format("'{}' has no config.json, so it is no model of transformers' layout.", repository),
            listing.find("adapter_config.json") != nullptr ? "It is an adapter: fetch the model that it was made for."
                                                           : "Look for another repository of the model.");
    const bool hasUsual = std::ranges::any_of(listing.files, isUsualWeights);
    const bool hasIndex = listing.find(std::string(kIndex)) != nullptr;
    std::vector<HubFile> chosen;
    for (const HubFile& file : listing.files) {
        const bool isBeside = std::ranges::find(kBesideWeights, file.path) != std::end(kBesideWeights);
        // A single file beside parts and their index is the same once more.
        const bool isDouble = hasIndex && file.path == "model.safetensors";
        if (isBeside || file.path == kIndex || ((hasUsual ? isUsualWeights(file) : isWeights(file)) && !isDouble))
            chosen.push_back(file);
    }
    if (std::ranges::none_of(chosen, isWeights)) refuseWithoutWeights(listing, repository);
    return chosen;
}

} // namespace roundpipe::hub
