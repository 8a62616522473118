// SPDX-License-Identifier: GPL-3.0-or-later
// A blob that is being fetched: appended to, hashed as it grows, and put in place once it is what it should be.
#pragma once

#include "hub/store/open_file.h"
#include "hub/store/repository_cache.h"

#include <cstdint>
#include <stop_token>
#include <string_view>

namespace roundpipe::hub {

// Who has one holds the blob's lock. What came so far stays when it goes, for the next time.
class PartialBlob {
public:
    // Goes on from what is there, which is read for its hash; throws kIo, kCancelled.
    PartialBlob(const RepositoryCache& cache, const HubFile& file, const std::stop_token& stop);

    int64_t sizeBytes() const { return m_sizeBytes; } // so far
    bool isWhole() const { return m_sizeBytes == m_file.sizeBytes; }
    // Throws kNoSpace, kIo, and kInvalidInput for more bytes than the file has.
    void append(std::string_view bytes);
    void restart(); // from nothing
    // Of a whole one: false, and begun anew, where the bytes are not the file's; else it is the blob from now on.
    bool finish();

private:
    const HubFile& m_file;
    std::filesystem::path m_path, m_blob;
    OpenFile m_open;
    int64_t m_sizeBytes = 0;
    Digest m_digest;
};

} // namespace roundpipe::hub
