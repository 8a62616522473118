// SPDX-License-Identifier: GPL-3.0-or-later
// Files read with checked sizes and written so that a crash leaves the old or the new content, never half of it.
//
// Reading uses pread, not a mapping: a file that is truncated under a mapping kills the process.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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

// Which file stands at a path, and which content it has: another one, or other content, has another stamp. Nothing has
// the default one.
struct FileStamp {
    uint64_t device = 0, inode = 0;
    int64_t sizeBytes = 0, changedNs = 0;

    bool operator==(const FileStamp&) const = default;
};
FileStamp stampOf(const std::filesystem::path& path); // of a link itself; throws kIo

// Where a file is to be written, and what may be replaced there: any file, or only the one with the stamp `only`, that
// of nothing included. A path alone is one, too.
struct Destination {
    std::filesystem::path path;
    std::optional<FileStamp> only = {};

    Destination() = default;
    template <class Path>
    requires std::convertible_to<Path, std::filesystem::path>
    explicit(false) Destination(Path&& place, std::optional<FileStamp> replaced = {})
        : path(std::forward<Path>(place)), only(replaced) {}
};

// What stands there, if anything does, must be a file: a device, a pipe or a link would be gone. Throws kInvalidInput.
void requireReplaceable(const std::filesystem::path& path);
// Throws kIo and kNoSpace where no file can be made in the folder. Leaves nothing.
void requireWritable(const std::filesystem::path& folder);
// Writes beside the path (file_draft.h), flushes to the disk and renames: readers see the old content or all of the
// new. Gives the stamp of what it wrote. Throws as requireReplaceable does, kInvalidInput where something else stands
// there than may be replaced, however late it came, kIo, kNoSpace.
FileStamp writeFileAtomically(const Destination& to, std::string_view content);
// The same for content that is produced in pieces: `produce` calls its argument once for each.
FileStamp
writeFileAtomically(const Destination& to,
                    const std::function<void(const std::function<void(std::span<const std::byte>)>&)>& produce);
// What was written to a file is on the disk when it returns. Throws kIo and kNoSpace.
void flushToDisk(const std::filesystem::path& path);
// Puts a finished folder in place of what stands at `target`, and flushes the parent. The two change places in one
// rename where the file system can do that, so that there is one at any time. What stood there is kept as `old`:
// nothing is removed here. Throws kIo, where something stands at `old` already, too.
void replaceFolder(const std::filesystem::path& finished, const std::filesystem::path& target,
                   const std::filesystem::path& old);

} // namespace roundpipe
