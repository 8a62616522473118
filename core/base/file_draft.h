// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is being written beside the place that it is for.
//
// It has no name until it is whole, where the file system can do that, and goes with the program that is killed. Else,
// and for the moment in which it takes its place, it has one that nobody else gives: .NAME.roundpipe-<16 digits>.part,
// made anew each time. Whoever writes it holds a lock on it. So one that nobody holds was left by a program that was
// killed, and the next one that writes that file removes it.
#pragma once

#include "base/file.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

struct stat;

namespace roundpipe {

// Of a draft's name, that of the file which it is one of (its first bytes, where it is long); empty: it is none.
std::string_view nameOfDrafted(std::string_view name);

std::filesystem::path parentOf(const std::filesystem::path& path);
FileStamp stampOf(const struct stat& status);

// 0 or errno's: EEXIST where something stands there. Where the file system can't refuse by itself, a moment is left in
// which something may come.
int renameIntoFree(const std::filesystem::path& from, const std::filesystem::path& to);

class FileDraft {
public:
    explicit FileDraft(std::filesystem::path target); // throws kIo and kNoSpace
    ~FileDraft();                                     // nothing is left of what was not published
    FileDraft(const FileDraft&) = delete;
    FileDraft& operator=(const FileDraft&) = delete;

    int descriptor() const { return m_descriptor; }
    // Puts it in its place, as Destination says. Throws kIo, kNoSpace, and kInvalidInput for what may not be replaced.
    FileStamp publish(const std::optional<FileStamp>& only);

private:
    bool openUnnamed();
    void openNamed();
    void takeName();
    int putInPlace(const std::optional<FileStamp>& only); // errno's; EEXIST: something else stands there
    int exchange(const FileStamp& only);                  // likewise

    std::filesystem::path m_target;
    std::filesystem::path m_path; // empty: it has no name
    int m_descriptor = -1;
};

} // namespace roundpipe
