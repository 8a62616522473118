// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/records/byte_stream.h"

#include "base/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr int64_t kChunkBytes = 1 << 20;

} // namespace

ByteStream::ByteStream(const std::filesystem::path& path, Compression compression, int64_t offset)
    : m_file(path), m_offset(offset), m_fileOffset(offset) {
    if (compression == Compression::kNone) return;
    RP_CHECK(offset == 0);
    m_inflater = makeInflater(compression);
}

void ByteStream::giveBack(std::string_view text) {
    if (text.size() <= m_position) { // it is still there
        m_position -= text.size();
    } else {
        m_buffer.replace(0, m_position, text);
        m_position = 0;
    }
    m_offset -= static_cast<int64_t>(text.size());
}

bool ByteStream::skipIf(std::string_view prefix) {
    const bool found = peek().starts_with(prefix);
    if (found) consume(prefix.size());
    return found;
}

std::string ByteStream::readChunk() {
    std::string chunk(static_cast<std::size_t>(std::clamp<int64_t>(m_file.sizeBytes() - m_fileOffset, 0, kChunkBytes)),
                      '\0');
    m_file.readAt(m_fileOffset, std::as_writable_bytes(std::span(chunk)));
    m_fileOffset += static_cast<int64_t>(chunk.size());
    return chunk;
}

void ByteStream::refill() {
    m_position = 0;
    if (m_inflater != nullptr)
        inflate();
    else
        m_buffer = readChunk();
}

void ByteStream::inflate() {
    std::string output(m_problem.empty() ? static_cast<std::size_t>(kChunkBytes) : 0, '\0');
    std::size_t filled = 0;
    try {
        while (m_problem.empty() && filled < output.size()) {
            if (m_pending.empty()) {
                m_compressed = readChunk();
                m_pending = m_compressed;
            }
            const bool atEnd = m_pending.empty();
            const std::size_t got = m_inflater->inflate(m_pending, std::span(output).subspan(filled));
            filled += got;
            if (!atEnd || got > 0) continue;
            if (!m_inflater->isComplete())
                m_problem = fmt::format("the compressed data are cut off: the file ends at byte {} in the middle",
                                        m_file.sizeBytes());
            break;
        }
    } catch (const DamagedStream& damage) { // what was decompressed before it is kept
        m_problem = fmt::format("{} near byte {} of the file", damage.what(),
                                m_fileOffset - static_cast<int64_t>(m_pending.size()));
    }
    output.resize(filled);
    m_buffer = std::move(output);
}

} // namespace roundpipe::data
