// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/base_fingerprint.h"

#include "arch/weights_fingerprint.h"
#include "base/error.h"
#include "base/file.h"

#include <nlohmann/json.hpp>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKey = "weights"; // before, `weights_fingerprint` was of samples

} // namespace

std::string baseJson(const std::string& weights) {
    return nlohmann::json{{kKey, weights}}.dump(2) + "\n";
}

std::string baseOf(const fs::path& adapterFolder) {
    const fs::path file = adapterFolder / kBaseFile;
    if (!fs::exists(file)) return {};
    const auto json = nlohmann::json::parse(readTextFile(file, 1 << 16), nullptr, false);
    return json.is_object() && json.contains(kKey) && json[kKey].is_string() ? json[kKey].get<std::string>() : "";
}

void requireBase(const fs::path& adapterFolder, const fs::path& modelFolder) {
    const std::string base = baseOf(adapterFolder);
    if (base.empty() || base == arch::fingerprintOfWeights(modelFolder)) return;
    throw invalidInput("The adapter '" + adapterFolder.string() + "' was trained on other weights than those of '" +
                           modelFolder.string() + "'.",
                       "Name the model that it was trained on: base_model_name_or_path in its adapter_config.json. "
                       "Where the same model was only saved anew in another type, remove " +
                           std::string(kBaseFile) + " from the adapter's folder.");
}

} // namespace roundpipe::artifact
