// SPDX-License-Identifier: GPL-3.0-or-later
// A repository's folder in Hugging Face's cache, in the layout of its tools:
//     models--OWNER--NAME/blobs/HASH                contents, each once
//     models--OWNER--NAME/blobs/HASH.incomplete     what came so far
//     models--OWNER--NAME/snapshots/COMMIT/PATH     links to blobs
//     models--OWNER--NAME/refs/REVISION             the commit that a branch or tag was last
//     models--OWNER--NAME/trees/COMMIT.json         the files of a commit
//     .locks/models--OWNER--NAME/HASH.lock          who fetches a blob
#pragma once

#include "hub/about/hub_name.h"
#include "hub/store/listing.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace roundpipe::hub {

class RepositoryCache {
public:
    RepositoryCache(std::filesystem::path cache, HubKind kind, const std::string& repository);

    const std::filesystem::path& folder() const { return m_folder; }
    std::filesystem::path blob(const HubFile& file) const;
    std::filesystem::path incomplete(const HubFile& file) const;
    std::filesystem::path lockOf(const HubFile& file) const;
    std::filesystem::path snapshot(const std::string& commit) const;
    std::filesystem::path linkOf(const std::string& commit, const HubFile& file) const;

    // Whether the file stands in the commit's snapshot, of its right size.
    bool has(const std::string& commit, const HubFile& file) const;
    int64_t bytesThere(const HubFile& file) const; // of its blob, or of what came of it so far

    // Below, throw kIo and kNoSpace. Folders are made where they are missing.
    void prepare(const std::string& commit, const std::stop_token& stop) const;
    void link(const std::string& commit, const HubFile& file) const; // to the blob, which is there

    // The commit that `revision` names as far as is known here: itself, or what was kept of it.
    std::optional<std::string> commitOf(const std::string& revision) const;
    void keepCommit(const std::string& revision, const std::string& commit, const std::stop_token& stop) const;

    // Nothing where it was not kept, or is of a format that is not known.
    std::optional<Listing> listing(const std::string& commit) const;
    void keepListing(const Listing& listing, const std::stop_token& stop) const;

private:
    std::filesystem::path ownLock() const; // for what is no blob

    std::filesystem::path m_cache, m_folder;
};

} // namespace roundpipe::hub
