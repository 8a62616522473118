// SPDX-License-Identifier: GPL-3.0-or-later
// A folder that an export writes: whole or not at all, with the checksum of every file beside it.
#pragma once

#include "artifact/output/folder_lock.h"
#include "runs/checksums_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace roundpipe::artifact {

using runs::kChecksumsFile;

// Called now and then with the bytes that were written, by the thread that writes; false cancels.
using WriteProgress = std::function<bool(int64_t bytes)>;
using PutBytes = std::function<void(std::span<const std::byte>)>;

// Files go into `target`.part, which becomes `target` by commit(); without it nothing is left. One thread.
class OutputFolder {
public:
    // Replaces an earlier export in which nothing else has been put; anything else that stands at `target` is refused
    // (kInvalidInput), and so is a folder that another export is writing. Throws kNoSpace where the disk has less than
    // `neededBytes`, kIo where it can't be written.
    OutputFolder(std::filesystem::path target, int64_t neededBytes, WriteProgress progress = {});
    ~OutputFolder();
    // Throws what the constructor would, as far as that is known without writing anything.
    static void requirePlace(const std::filesystem::path& target, int64_t neededBytes);
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    // `produce` gives the file's bytes in order, in pieces. Throws kIo, kNoSpace, kCancelled.
    void write(const std::string& name, const std::function<void(const PutBytes&)>& produce);
    void write(const std::string& name, std::string_view content);
    void copy(const std::filesystem::path& source, const std::string& name); // in pieces

    const std::map<std::string, std::string>& checksums() const { return m_checksums; } // by name, in hexadecimal
    int64_t bytes() const { return m_bytes; }                                           // written so far
    const std::filesystem::path& draft() const { return m_draft; } // where files are until commit()
    // Nobody else exports into the folder while what it gives lives.
    FolderLock commit();

private:
    void writeList() const;

    std::filesystem::path m_target, m_draft;
    FolderLock m_lock; // of the draft, until it is committed
    WriteProgress m_progress;
    std::map<std::string, std::string> m_checksums;
    int64_t m_bytes = 0;
    bool m_committed = false;
};

} // namespace roundpipe::artifact
