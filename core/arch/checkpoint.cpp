// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/checkpoint.h"

#include "arch/text_part.h"
#include "base/error.h"
#include "base/json_problem.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace roundpipe::arch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kHead = "lm_head.weight";
constexpr const char* kSingleFile = "model.safetensors";
constexpr int64_t kMostOfIndex = int64_t{64} << 20; // 400,000 tensors and more
constexpr int kDeepest = 100;                       // brackets within brackets

bool isThere(const fs::path& path) {
    std::error_code unreadable; // counts as absent; std::filesystem would throw an error without context
    return fs::exists(path, unreadable);
}

// A shard must lie in the folder by its name. Symbolic links are followed all the same: the Hugging Face cache consists
// of links into a folder of blobs.
void checkShardName(const fs::path& index, const std::string& tensor, const std::string& shard) {
    const fs::path path(shard);
    const bool climbs = std::ranges::find(path, fs::path("..")) != path.end();
    if (shard.empty() || path.is_absolute() || climbs || shard.find('\0') != std::string::npos)
        throw invalidInput(fmt::format("'{}': the tensor '{}' is said to be in '{}', outside the model folder.",
                                       index.string(), tensor, shard),
                           "Do not use this folder: a proper index names files beside itself only.");
}

std::map<std::string, std::string> readIndex(const fs::path& index) {
    Json json;
    const std::string text = readTextFile(index, kMostOfIndex);
    if (isNestedDeeper(text, kDeepest))
        throw invalidInput(fmt::format("'{}' is nested more than {} deep.", index.string(), kDeepest),
                           "Fetch the file again.");
    try {
        json = Json::parse(text);
    } catch (const Json::exception& error) {
        throw invalidInput(
            fmt::format("'{}' is not valid JSON: {}.", index.string(), wordsForJsonError(error.id, error.what(), text)),
            "Fetch the file again.");
    }
    if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object() ||
        json["weight_map"].empty())
        throw invalidInput(fmt::format("'{}' has no weight_map.", index.string()), "Fetch the file again.");
    std::map<std::string, std::string> shardOf;
    for (const auto& [tensor, shard] : json["weight_map"].items()) {
        if (!shard.is_string())
            throw invalidInput(
                fmt::format("'{}': the entry '{}' of weight_map is not a file name.", index.string(), tensor));
        checkShardName(index, tensor, shard.get<std::string>());
        shardOf.emplace(tensor, shard.get<std::string>());
    }
    return shardOf;
}

Error noWeights(const fs::path& folder) {
    for (const char* pickled : {"pytorch_model.bin", "pytorch_model.bin.index.json"})
        if (isThere(folder / pickled))
            return unsupported(fmt::format("'{}' has its weights in '{}' only.", folder.string(), pickled),
                               "Such files can run code and are never opened; choose a model with safetensors files.");
    return {ErrorKind::kIo, fmt::format("'{}' has neither {} nor {}.", folder.string(), kSingleFile, kWeightsIndexFile),
            "Choose a Hugging Face model folder with its weights."};
}

} // namespace

Checkpoint Checkpoint::open(const fs::path& folder) {
    Checkpoint checkpoint;
    checkpoint.m_folder = folder;
    const fs::path index = folder / kWeightsIndexFile;
    if (isThere(folder / kSingleFile)) {
        checkpoint.add(SafetensorsFile::open(folder / kSingleFile));
        return checkpoint;
    }
    if (!isThere(index)) throw noWeights(folder);

    const auto shardOf = readIndex(index);
    std::map<std::string, std::size_t> fileOf;
    for (const auto& [tensor, shard] : shardOf) {
        if (fileOf.contains(shard)) continue;
        if (!isThere(folder / shard))
            throw Error(ErrorKind::kIo,
                        fmt::format("The shard '{}' is missing from '{}' ('{}' names it, for the tensor '{}').", shard,
                                    folder.string(), kWeightsIndexFile, tensor),
                        "Fetch the model again.");
        fileOf.emplace(shard, checkpoint.m_files.size());
        checkpoint.add(SafetensorsFile::open(folder / shard));
    }
    for (const auto& [tensor, shard] : shardOf)
        if (checkpoint.m_files[fileOf.at(shard)].find(tensor) == nullptr)
            throw invalidInput(
                fmt::format("'{}' says that the tensor '{}' is in '{}', but it is not.", index.string(), tensor, shard),
                "Fetch the model again.");
    return checkpoint;
}

void Checkpoint::add(SafetensorsFile file) {
    for (std::size_t i = 0; i < file.tensors().size(); ++i) {
        const std::string& name = file.tensors()[i].name;
        const auto [place, isNew] = m_places.emplace(parameterOf(name), Place{m_files.size(), i});
        if (isNew) continue;
        const bool isHere = place->second.file == m_files.size();
        throw invalidInput(fmt::format("The tensor '{}' is both in '{}' and in '{}'.", name,
                                       (isHere ? file : m_files[place->second.file]).path().string(),
                                       file.path().string()),
                           "Fetch the model again.");
    }
    m_files.push_back(std::move(file));
}

const TensorEntry& Checkpoint::requireShape(std::string_view name, std::span<const int64_t> shape) const {
    const auto place = m_places.find(name);
    if (place == m_places.end())
        throw invalidInput(fmt::format("The tensor '{}' is missing from '{}'.", name, m_folder.string()),
                           "The files do not belong to this config.json; fetch the model again.");
    const TensorEntry& tensor = at(place->second);
    if (!std::ranges::equal(tensor.shape, shape))
        throw invalidInput(fmt::format("'{}': the tensor '{}' has the shape [{}], but [{}] was expected.",
                                       m_files[place->second.file].path().string(), name, fmt::join(tensor.shape, ", "),
                                       fmt::join(shape, ", ")),
                           "The files do not belong to this config.json; fetch the model again.");
    return tensor;
}

Error Checkpoint::otherType(std::string_view name, const char* expected) const {
    const Place place = m_places.find(name)->second;
    return invalidInput(fmt::format("'{}': the tensor '{}' has the dtype {}, but {} was expected.",
                                    m_files[place.file].path().string(), name, toString(at(place).dtype), expected),
                        "Choose the original model, not a quantised one.");
}

const TensorEntry& Checkpoint::require(std::string_view name, std::span<const int64_t> shape) const {
    const TensorEntry& tensor = requireShape(name, shape);
    if (!isFloating(tensor.dtype)) throw otherType(name, "BF16, F16, F32 or F64");
    return tensor;
}

const TensorEntry& Checkpoint::require(const StoredTensor& stored) const {
    if (!stored.packed) return require(stored.name, stored.shape);
    const TensorEntry& tensor = requireShape(stored.name, stored.shape);
    if (tensor.dtype != DType::kU8) throw otherType(stored.name, "U8");
    return tensor;
}

bool Checkpoint::has(std::string_view name) const {
    return m_places.contains(name);
}

void Checkpoint::read(std::string_view name, int64_t byteOffset, std::span<std::byte> into) const {
    const auto place = m_places.find(name);
    RP_CHECK(place != m_places.end());
    m_files[place->second.file].read(at(place->second), byteOffset, into);
}

int64_t Checkpoint::totalBytes() const {
    int64_t sum = 0;
    for (const SafetensorsFile& file : m_files)
        for (const TensorEntry& tensor : file.tensors())
            sum += tensor.bytes;
    return sum;
}

std::vector<std::string> Checkpoint::names() const {
    std::vector<std::string> result;
    for (const auto& [name, place] : m_places)
        result.push_back(name);
    return result;
}

const TensorEntry& Checkpoint::at(Place place) const {
    return m_files[place.file].tensors()[place.tensor];
}

bool Checkpoint::areEqual(std::string_view a, std::string_view b, int64_t from, int64_t to) const {
    constexpr int64_t kPiece = 4 << 20;
    std::vector<std::byte> ofA, ofB;
    for (; from < to; from += kPiece) {
        const auto size = static_cast<std::size_t>(std::min(kPiece, to - from));
        ofA.resize(size);
        ofB.resize(size);
        read(a, from, ofA);
        read(b, from, ofB);
        if (ofA != ofB) return false;
    }
    return true;
}

void Checkpoint::requireTiedHead(std::span<const LayerSpec> layers, std::optional<int64_t> bytesOfEnds) const {
    const std::vector<TensorSpec>& tensors = layers.back().tensors;
    const auto tied = std::ranges::find(tensors, TensorRole::kLmHead, &TensorSpec::role);
    if (tied == tensors.end() || tied->name == kHead || !has(kHead)) return;
    const TensorEntry &embedding = require(tied->name, tied->shape), &head = at(m_places.find(kHead)->second);
    if (embedding.dtype == head.dtype && embedding.shape == head.shape) {
        const int64_t all = head.bytes, ends = std::min(bytesOfEnds.value_or(all), all);
        if (areEqual(tied->name, kHead, 0, ends) && areEqual(tied->name, kHead, std::max(ends, all - ends), all))
            return;
    }
    throw invalidInput(fmt::format("'{}' has a '{}' that differs from '{}', though by config.json they are tied.",
                                   m_folder.string(), kHead, tied->name),
                       "Say \"tie_word_embeddings\": false in config.json if the head is meant, as transformers takes "
                       "it; or fetch the folder again.");
}

void Checkpoint::requireAll(std::span<const LayerSpec> layers) const {
    requireNoOthers(layers); // which tells of another model's more than what it lacks
    for (const LayerSpec& layer : layers)
        for (const TensorSpec& tensor : layer.tensors)
            for (const StoredTensor& stored : storedTensors(tensor))
                require(stored);
}

void Checkpoint::requireNoOthers(std::span<const LayerSpec> layers) const {
    std::set<std::string> known;
    for (const LayerSpec& layer : layers)
        for (const TensorSpec& tensor : layer.tensors)
            for (const StoredTensor& stored : storedTensors(tensor))
                known.insert(stored.name);
    const bool seesPictures = isOfTextPart(layers.front().tensors.front().name);
    std::vector<std::string> others = names();
    std::erase_if(others, [&](const std::string& name) {
        // Frequencies are computed, and a tied head is the embedding; some folders store them all the same.
        return name.ends_with(".inv_freq") || name == kHead || known.contains(name) ||
               (seesPictures && isOfPictures(name));
    });
    if (others.empty()) return;
    throw invalidInput("The weights in '" + m_folder.string() + "' have '" + others.front() + "'" +
                           (others.size() > 1 ? " and " + std::to_string(others.size() - 1) + " more tensors" : "") +
                           " that config.json has no place for.",
                       "config.json belongs to another model, or was changed: compare num_hidden_layers and "
                       "attention_bias, or fetch the folder again.");
}

} // namespace roundpipe::arch
