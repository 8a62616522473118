// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of a model folder: its safetensors shards, found by their index. They are asked for as parameters
// (arch/text_part.h), whose names models with pictures store otherwise.
#pragma once

#include "arch/layers.h"
#include "arch/safetensors_file.h"
#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::arch {

// Which file of a model folder holds which tensor, where there are several.
inline constexpr const char* kWeightsIndexFile = "model.safetensors.index.json";

// All shards of a model folder: model.safetensors, or model.safetensors.index.json and what it names (inside the
// folder).
class Checkpoint {
public:
    static Checkpoint open(const std::filesystem::path& folder);
    // Throws kInvalidInput naming the tensor, its file, and what was expected.
    const TensorEntry& require(std::string_view name, std::span<const int64_t> shape) const;
    // The same of what is stored of a tensor, which is of bytes where it is packed.
    const TensorEntry& require(const StoredTensor& stored) const;
    // All tensors of `layers`, and what stands at requireNoOthers(): what a folder lacks, without reading its weights.
    void requireAll(std::span<const LayerSpec> layers) const;
    bool has(std::string_view name) const;
    // Throws kInvalidInput where the folder has tensors that are none of `layers`: the model would run without them,
    // and be another one than the one that was trained. What sees pictures has no part in texts.
    void requireNoOthers(std::span<const LayerSpec> layers) const;
    // Throws kInvalidInput where the head of `layers` is the embedding, and the folder has a head that is another one.
    // Reads both, whole for whoever reads all weights; else so many bytes at either end: another head differs from its
    // first row on, one with other rows for added tokens in the last ones.
    void requireTiedHead(std::span<const LayerSpec> layers, std::optional<int64_t> bytesOfEnds = {}) const;
    void read(std::string_view name, int64_t byteOffset, std::span<std::byte> into) const; // any thread
    int64_t totalBytes() const;
    std::vector<std::string> names() const;                               // of parameters
    const std::vector<SafetensorsFile>& files() const { return m_files; } // in no particular order

private:
    struct Place {
        std::size_t file, tensor;
    };
    void add(SafetensorsFile file);
    const TensorEntry& requireShape(std::string_view name, std::span<const int64_t> shape) const;
    Error otherType(std::string_view name, const char* expected) const;
    const TensorEntry& at(Place place) const;
    // From one byte of both to another one.
    bool areEqual(std::string_view a, std::string_view b, int64_t from, int64_t to) const;

    std::filesystem::path m_folder;
    std::vector<SafetensorsFile> m_files;
    std::map<std::string, Place, std::less<>> m_places; // by parameter
};

} // namespace roundpipe::arch
