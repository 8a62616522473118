// SPDX-License-Identifier: GPL-3.0-or-later
// A GGUF file that is read back: its header, checked, and its tensors as numbers.
#pragma once

#include "artifact/gguf/gguf_header.h"
#include "base/file.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace roundpipe::artifact {

class GgufFile {
public:
    // Throws kIo, kInvalidInput naming the file, and kUnsupported for a type that we don't write.
    static GgufFile open(const std::filesystem::path& path);

    const GgufHeader& header() const { return m_header; }
    const std::filesystem::path& path() const { return m_reader->path(); }
    const GgufTensor* find(std::string_view name) const; // null when absent
    const GgufTensor& require(std::string_view name) const;
    // `count` rows from `first` on, in fp32. Any thread.
    void read(const GgufTensor& tensor, int64_t first, int64_t count, std::span<float> into) const;

private:
    std::shared_ptr<FileReader> m_reader;
    GgufHeader m_header;
    int64_t m_dataStart = 0;
};

} // namespace roundpipe::artifact
