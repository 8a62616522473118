// SPDX-License-Identifier: GPL-3.0-or-later
// One safetensors file: its header, checked, and the bytes of its tensors. Nothing is executed or unpickled.
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

// Opening checks the header against the file's size, every range, overlap and dtype × shape = bytes.
class SafetensorsFile {
public:
    static SafetensorsFile open(const std::filesystem::path& path); // throws kIo, kInvalidInput naming file and tensor
    const std::vector<TensorEntry>& tensors() const { return m_tensors; } // in the order of their offsets
    const std::map<std::string, std::string>& metadata() const { return m_metadata; }
    const TensorEntry* find(std::string_view name) const; // null when absent
    const std::filesystem::path& path() const { return m_reader->path(); }
    void read(const TensorEntry& tensor, int64_t byteOffset, std::span<std::byte> into) const; // any thread
    // A hint: so many bytes from there will be read soon; they may go on behind the tensor.
    void expect(const TensorEntry& tensor, int64_t byteOffset, int64_t bytes) const noexcept;

private:
    std::shared_ptr<FileReader> m_reader;
    std::vector<TensorEntry> m_tensors;
    std::map<std::string, std::string> m_metadata;
};

} // namespace roundpipe::arch
