// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenised, masked rows in a file, whole whatever their length: written once from front to back, then read in any
// order by any number of threads. Only 24 bytes a row are kept in memory, so a dataset may be larger than that; what is
// read often stays in the system's page cache. Internal to this folder.
//
// The file, little-endian: a header of 64 bytes; a record per row (72 bytes of its place and facts, the mask in bits,
// the ids in 2 or 4 bytes each, the special tokens that it spells out); the index; `notes`, a text that the writer
// adds.
#pragma once

#include "base/content_hash.h"
#include "base/file.h"
#include "data/store/facts/example.h"
#include "data/store/facts/length_limit.h"
#include "data/store/facts/row_facts.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::data {

struct StoredEntry {
    uint64_t offset = 0; // of its record
    uint32_t id = 0;
    uint32_t numTokens = 0;
    uint32_t numTrained = 0; // as Example::numTrained()
    uint32_t numTurnsWithoutEnd = 0;
};

struct StoredRow {
    Example example;
    RowFacts facts;
};

class TokenStore {
public:
    // Reads the file once from front to back and compares it with its checksum. Throws kIo if it cannot be read, and
    // kInvalidInput if it is damaged, cut off, or of another format version.
    static std::shared_ptr<const TokenStore> open(const std::filesystem::path& path);

    int64_t size() const { return static_cast<int64_t>(m_index.size()); }
    const StoredEntry& entry(uint32_t index) const { return m_index[index]; }
    const std::string& notes() const { return m_notes; }

    // These throw kIo, and kInvalidInput where the file has been changed since it was opened.
    StoredRow read(uint32_t index) const;
    // So many of its tokens from `begin` on, and of the row's other ids none.
    Example read(uint32_t index, int64_t begin, int64_t numTokens) const;
    RowLengths lengthsOf(uint32_t index, const DataOptions& options) const; // from memory unless it is cut off
    // From memory, as it is known how many trained tokens are kept.
    RowLengths lengthsOf(uint32_t index, const DataOptions& options, int64_t trainedKept) const;

private:
    friend class TokenStoreWriter;
    TokenStore(FileReader file, uint64_t recordsEnd, std::vector<StoredEntry> index, std::string notes);
    struct RecordBytes;
    RecordBytes recordOf(uint32_t index, int64_t numTokens) const;
    Example exampleOf(uint32_t index, const RecordBytes& record, int64_t numTokens) const;

    FileReader m_file;
    uint64_t m_recordsEnd;
    std::vector<StoredEntry> m_index;
    std::string m_notes;
};

// Used by one thread. The file lies in `folder` under a name of its own until it is finished; given up, it is removed.
class TokenStoreWriter {
public:
    explicit TokenStoreWriter(const std::filesystem::path& folder); // throws kIo
    ~TokenStoreWriter();
    TokenStoreWriter(const TokenStoreWriter&) = delete;
    TokenStoreWriter& operator=(const TokenStoreWriter&) = delete;

    // Throws kIo (disk full, …).
    void add(const StoredRow& row);
    int64_t size() const { return static_cast<int64_t>(m_index.size()); }

    // Ends the file. With a `target` it is flushed to the disk and renamed to it; without one it has no name any more
    // and goes with the store.
    std::shared_ptr<const TokenStore> finish(std::string notes, const std::filesystem::path& target = {});

private:
    void put(std::span<const std::byte> bytes);
    void flush();

    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::vector<std::byte> m_buffer;
    uint64_t m_offset;      // behind what was put
    bool m_isBegun = false; // the header's place has been flushed
    std::vector<StoredEntry> m_index;

    ContentHasher m_hash; // of what was flushed, the header excepted
};

} // namespace roundpipe::data
