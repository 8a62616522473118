// A file's bytes one after another, through a buffer.
#pragma once

#include "base/file.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace roundpipe::data {

// A longer row is a damaged file (a missing line end, an open quote) rather than an example.
inline constexpr std::size_t kMaxRowBytes = std::size_t{64} << 20;

class ByteStream {
public:
    explicit ByteStream(const std::filesystem::path& path) : m_file(path) {}

    // What has been read and not consumed; empty at the end of the file only.
    std::string_view peek() {
        if (m_position == m_buffer.size()) refill();
        return std::string_view(m_buffer).substr(m_position);
    }
    int64_t offset() const { return m_offset; } // of what has been read ahead
    void consume(std::size_t count) { m_position += count; }
    bool skipIf(std::string_view prefix) { // at the start of the file only: the prefix then lies in the first buffer
        const bool found = peek().starts_with(prefix);
        if (found) consume(prefix.size());
        return found;
    }

private:
    void refill() {
        constexpr int64_t kChunkBytes = 1 << 20;
        m_buffer.resize(static_cast<std::size_t>(std::min(kChunkBytes, m_file.sizeBytes() - m_offset)));
        m_file.readAt(m_offset, std::as_writable_bytes(std::span(m_buffer)));
        m_offset += static_cast<int64_t>(m_buffer.size());
        m_position = 0;
    }

    FileReader m_file;
    std::string m_buffer;
    std::size_t m_position = 0;
    int64_t m_offset = 0;
};

} // namespace roundpipe::data
