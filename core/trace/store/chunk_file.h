// SPDX-License-Identifier: GPL-3.0-or-later
// Where the oldest slices of a long run lie when memory is short: a temporary file without a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace roundpipe::trace {

// Nothing is left of the file when the last that reads it is gone, however the program ends. What was appended is read
// through a mapping, which is safe here: nobody else can open the file, so nobody can cut it short.
//
// One thread appends; any may read what it was given.
class ChunkFile {
public:
    explicit ChunkFile(const std::filesystem::path& folder); // makes the folder; throws kIo
    ~ChunkFile();
    ChunkFile(const ChunkFile&) = delete;
    ChunkFile& operator=(const ChunkFile&) = delete;

    // Writes `bytes` (a multiple of 4096, at most 64 MiB) behind the others and returns where they can be read, for as
    // long as the pointer lives. Throws kIo, kNoSpace.
    std::shared_ptr<const std::byte> append(std::span<const std::byte> bytes);

private:
    struct Extent;
    static constexpr std::size_t kExtentBytes = std::size_t{64} << 20;

    std::filesystem::path m_folder; // for errors
    int m_descriptor = -1;
    std::shared_ptr<Extent> m_extent; // that is being filled
    std::size_t m_used = 0;           // of it
    int64_t m_extentsBefore = 0;
};

// Whether reading `bytes` of such a file waits for no disk. Where it would, asks the system to fetch them, and returns
// at once.
bool fetched(std::span<const std::byte> bytes);

} // namespace roundpipe::trace
