// The tensors of a model folder: safetensors shards, their index and their headers. Nothing is executed or unpickled.
// Format: huggingface/safetensors README ("Format"): 8 bytes little-endian header length, JSON header, data.
#pragma once

#include "base/dtype.h"
#include "base/file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::arch {

struct TensorEntry {
    std::string name;
    DType dtype = DType::kF32;
    std::vector<int64_t> shape;
    int64_t offset = 0; // into the file
    int64_t bytes = 0;
};

// One file. Opening checks the header against the file's size, every range, overlap and dtype × shape = bytes.
class SafetensorsFile {
public:
    static SafetensorsFile open(const std::filesystem::path& path); // throws kIo, kInvalidInput naming file and tensor
    const std::vector<TensorEntry>& tensors() const { return m_tensors; } // in the order of their offsets
    const std::map<std::string, std::string>& metadata() const { return m_metadata; }
    const TensorEntry* find(std::string_view name) const; // null when absent
    const std::filesystem::path& path() const { return m_reader->path(); }
    void read(const TensorEntry& tensor, int64_t byteOffset, std::span<std::byte> into) const; // any thread

private:
    std::shared_ptr<FileReader> m_reader;
    std::vector<TensorEntry> m_tensors;
    std::map<std::string, std::string> m_metadata;
};

// All shards of a model folder: model.safetensors, or model.safetensors.index.json and what it names (inside the
// folder).
class Checkpoint {
public:
    static Checkpoint open(const std::filesystem::path& folder);
    // Throws kInvalidInput naming the tensor, its file, and what was expected.
    const TensorEntry& require(std::string_view name, std::span<const int64_t> shape) const;
    bool has(std::string_view name) const;
    void read(std::string_view name, int64_t byteOffset, std::span<std::byte> into) const; // any thread
    int64_t totalBytes() const;
    std::vector<std::string> names() const;

private:
    void add(SafetensorsFile file);

    std::filesystem::path m_folder;
    std::vector<SafetensorsFile> m_files;
    std::map<std::string, std::size_t, std::less<>> m_fileOf;
};

// What is written. `data` must stay alive until the call returns.
struct TensorToWrite {
    std::string name;
    DType dtype = DType::kF32;
    std::vector<int64_t> shape;
    std::span<const std::byte> data;
};
// Atomically; tensors in the given order, header padded to 8 bytes.
void writeSafetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                      const std::map<std::string, std::string>& metadata = {});

} // namespace roundpipe::arch
