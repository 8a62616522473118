// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/base_fingerprint.h"

#include "arch/checkpoint.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKey = "weights_fingerprint";
constexpr int64_t kSampleBytes = 256; // at the start, the middle and the end of a tensor

void addSamples(Digest& digest, const arch::SafetensorsFile& file, const arch::TensorEntry& tensor) {
    std::string bytes(static_cast<std::size_t>(std::min(kSampleBytes, tensor.bytes)), '\0');
    const int64_t last = tensor.bytes - static_cast<int64_t>(bytes.size());
    for (const int64_t offset : {int64_t{0}, last / 2, last}) {
        file.read(tensor, offset, std::as_writable_bytes(std::span(bytes)));
        digest.add(bytes);
    }
}

} // namespace

std::string fingerprintOfWeights(const fs::path& modelFolder) {
    const arch::Checkpoint checkpoint = arch::Checkpoint::open(modelFolder);
    using Place = std::pair<const arch::SafetensorsFile*, const arch::TensorEntry*>;
    std::map<std::string, Place> places; // by name, as the cut into files means nothing
    for (const arch::SafetensorsFile& file : checkpoint.files())
        for (const arch::TensorEntry& tensor : file.tensors())
            places[tensor.name] = {&file, &tensor};
    Digest digest(DigestKind::kSha256, 0);
    for (const auto& [name, place] : places) {
        const auto& [file, tensor] = place;
        digest.add(name + '\0' + toString(tensor->dtype));
        for (const int64_t size : tensor->shape)
            digest.add(' ' + std::to_string(size));
        addSamples(digest, *file, *tensor);
    }
    return digest.hex();
}

std::string baseFingerprintJson(const fs::path& modelFolder) {
    return nlohmann::json{{kKey, fingerprintOfWeights(modelFolder)}}.dump(2) + "\n";
}

void writeBaseFingerprint(const fs::path& adapterFolder, const fs::path& modelFolder) {
    std::string json;
    try {
        json = baseFingerprintJson(modelFolder);
    } catch (const Error&) {
        return;
    }
    writeFileAtomically(adapterFolder / kBaseFile, json);
}

void requireBase(const fs::path& adapterFolder, const fs::path& modelFolder) {
    const fs::path file = adapterFolder / kBaseFile;
    if (!fs::exists(file)) return;
    const auto json = nlohmann::json::parse(readTextFile(file, 1 << 16), nullptr, false);
    if (!json.is_object() || !json.contains(kKey) || json[kKey] == fingerprintOfWeights(modelFolder)) return;
    throw invalidInput("The adapter '" + adapterFolder.string() + "' was trained on other weights than those of '" +
                           modelFolder.string() + "'.",
                       "Name the model that it was trained on: base_model_name_or_path in its adapter_config.json. "
                       "Where the same model was only saved anew in another type, remove " +
                           std::string(kBaseFile) + " from the adapter's folder.");
}

} // namespace roundpipe::artifact
