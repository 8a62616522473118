// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a repository at one commit.
#pragma once

#include "base/digest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::hub {

struct HubFile {
    std::string path; // within the repository
    int64_t sizeBytes = 0;
    std::string gitName = {}; // of its blob in git: of a large file that of the pointer to it
    std::string sha256 = {};  // of a large file; empty of others
    std::string xetHash = {}; // of its chunks, for tools that fetch by them; may be empty

    // By what its content is known, and so its blob in the cache called.
    const std::string& blobName() const { return sha256.empty() ? gitName : sha256; }
    DigestKind digestKind() const { return sha256.empty() ? DigestKind::kGitBlob : DigestKind::kSha256; }
};

struct Listing {
    std::string commit; // 40 hexadecimal digits
    std::vector<HubFile> files;

    const HubFile* find(const std::string& path) const; // null where there is none
};

// Throws kInvalidInput, naming the file, where a path, a size or a hash cannot be: nothing of a server's answer is used
// unchecked.
void checkFile(const HubFile& file);

} // namespace roundpipe::hub
