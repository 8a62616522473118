// Cuts JSON lines and JSON arrays into records. Internal to this folder.
#pragma once

#include "data/files/record_reader.h"

namespace roundpipe::data {

// One JSON value a line. Blank lines are skipped but counted; CRLF ends a line too.
class JsonLines final : public RecordReader {
public:
    JsonLines(ByteStream& bytes, int64_t linesBefore) : m_bytes(bytes), m_line(linesBefore) {}
    bool next(FileRecord& record) override;

private:
    ByteStream& m_bytes;
    int64_t m_line;
};

// One array; its elements are cut at the commas of the outermost level. `bytes` stands at the start of an element.
class JsonArray final : public RecordReader {
public:
    JsonArray(ByteStream& bytes, int64_t elementsBefore) : m_bytes(bytes), m_element(elementsBefore) {}
    bool next(FileRecord& record) override;

private:
    enum class End { kComma, kBracket, kFile };
    End readElement(FileRecord& record);
    void checkTheEnd(FileRecord& record);

    ByteStream& m_bytes;
    int64_t m_element;
    bool m_finished = false;
};

} // namespace roundpipe::data
