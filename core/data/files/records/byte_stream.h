// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file through a buffer, and decompresses it where it is compressed. Internal to this folder.
#pragma once

#include "base/file.h"
#include "data/files/records/compression.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace roundpipe::data {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF"; // of UTF-8

// Not for several threads at once.
class ByteStream {
public:
    // From `offset`; compressed files are read from their start only. Throws kIo.
    explicit ByteStream(const std::filesystem::path& path, Compression compression = Compression::kNone,
                        int64_t offset = 0);

    // What has been read and not consumed; empty at the end only, which is before the file's end where there is a
    // problem().
    std::string_view peek() {
        if (m_position == m_buffer.size()) refill();
        return std::string_view(m_buffer).substr(m_position);
    }
    void consume(std::size_t count) {
        m_position += count;
        m_offset += static_cast<int64_t>(count);
    }
    void giveBack(std::string_view text); // what was consumed last
    bool skipIf(std::string_view prefix); // at the start of the file only: the prefix then lies in the first buffer

    int64_t offset() const { return m_offset; }              // of the next byte, among the decompressed ones
    int64_t fileBytesRead() const { return m_fileOffset; }   // for progress: of the file itself
    const std::string& problem() const { return m_problem; } // why a compressed stream ends early

private:
    void refill();
    void inflate();
    std::string readChunk();

    FileReader m_file;
    std::unique_ptr<Inflater> m_inflater; // null where nothing is compressed
    std::string m_compressed;
    std::string_view m_pending; // of `m_compressed`: not yet given to the inflater
    std::string m_buffer;
    std::size_t m_position = 0;
    int64_t m_offset = 0;
    int64_t m_fileOffset = 0;
    std::string m_problem;
};

} // namespace roundpipe::data
