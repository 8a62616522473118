// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts plain text into passages of documents. Internal to this folder.
#pragma once

#include "data/files/records/record_reader.h"

#include <string>

namespace roundpipe::data {

// A document ends with the file, at a line <|endoftext|> or at a form feed. It is cut into passages of at most
// kPassageBytes: behind a blank line where there is one, else behind a line, a word, or a character. Where a passage
// ends depends only on what follows its start, so reading may start at any of them.
class TextRecords final : public RecordReader {
public:
    static constexpr std::size_t kPassageBytes = 3072; // within 1024 tokens of most languages

    TextRecords(ByteStream& bytes, int64_t passagesBefore) : m_bytes(bytes), m_passage(passagesBefore) {}
    bool next(FileRecord& record) override;

private:
    std::string take(std::size_t count); // consumes; fewer at the end only
    bool skipBlanks();                   // false at the end
    bool skipToText();                   // whether the document ended; `m_bytes` then stands at text, or at the end

    ByteStream& m_bytes;
    int64_t m_passage;
};

} // namespace roundpipe::data
