// SPDX-License-Identifier: GPL-3.0-or-later
// Files read with checked sizes and written so that a crash leaves the old or the new content, never half of it.
//
// Reading uses pread, not a mapping: a file that is truncated under a mapping kills the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace roundpipe {

// An open file for positioned reads. Reads may come from several threads at once.
class FileReader {
public:
    explicit FileReader(const std::filesystem::path& path); // throws kIo, or kInvalidInput for what is no file
    ~FileReader();
    FileReader(FileReader&& other) noexcept;
    FileReader& operator=(FileReader&& other) noexcept;
    FileReader(const FileReader&) = delete;
    FileReader& operator=(const FileReader&) = delete;

    int64_t sizeBytes() const { return m_sizeBytes; } // when it was opened
    const std::filesystem::path& path() const { return m_path; }
    // Fills `into` from `offset`; throws kIo if the file ends before.
    void readAt(int64_t offset, std::span<std::byte> into) const;
    // A hint: that part will be read soon, so that the disk may begin; past the file's end it means nothing.
    void expect(int64_t offset, int64_t bytes) const noexcept;

private:
    std::filesystem::path m_path;
    int m_descriptor = -1;
    int64_t m_sizeBytes = 0;
};

// The whole file as text; throws kIo, and kInvalidInput above `maxBytes`: settings and lists are small, and what stands
// in the place of one and is large would fill the memory. Who reads what may be larger says how large.
inline constexpr int64_t kMostOfSmallFile = int64_t{16} << 20;
std::string readTextFile(const std::filesystem::path& path, int64_t maxBytes = kMostOfSmallFile);

// What stands there, if anything does, must be a file: a device, a pipe or a link would be gone. Throws kInvalidInput.
void requireReplaceable(const std::filesystem::path& path);
// What comes to stand at `path`, which is free now, is not replaced by this program, which has long work to do before
// it writes there: writeFileAtomically throws kInvalidInput then. What it has written there itself it may replace.
void neverReplace(const std::filesystem::path& path);
// Writes beside `path`, flushes to the disk and renames: readers see the old content or all of the new. Throws as
// requireReplaceable does, kIo, kNoSpace.
void writeFileAtomically(const std::filesystem::path& path, std::string_view content);
// The same for content that is produced in pieces: `produce` calls its argument once for each.
void writeFileAtomically(const std::filesystem::path& path,
                         const std::function<void(const std::function<void(std::span<const std::byte>)>&)>& produce);
// What was written to a file is on the disk when it returns. Throws kIo and kNoSpace.
void flushToDisk(const std::filesystem::path& path);
// Puts a finished folder in place of what stands at `target`, and flushes the parent. The two change places in one
// rename where the file system can do that, so that there is one at any time. What stood there is kept as `keepOld`,
// whose place is free, or removed where that is empty.
void replaceFolder(const std::filesystem::path& finished, const std::filesystem::path& target,
                   const std::filesystem::path& keepOld = {});

} // namespace roundpipe
