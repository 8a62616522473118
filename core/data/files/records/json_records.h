// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts JSON lines, arrays and objects into records. Internal to this folder.
#pragma once

#include "data/files/records/record_reader.h"

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
// What is around it may be an object, which may go on behind it; where it does so with lists or objects, which are not
// read, or has had another list before, a last record says that.
class JsonArray final : public RecordReader {
public:
    enum class Around { kNothing, kObject, kObjectWithListBefore };
    JsonArray(ByteStream& bytes, int64_t elementsBefore, Around around)
        : m_bytes(bytes), m_element(elementsBefore), m_around(around) {}
    bool next(FileRecord& record) override;

private:
    enum class End { kComma, kBracket, kFile };
    End readElement(FileRecord& record);
    void checkTheEnd(FileRecord& record);
    bool othersFollow();

    ByteStream& m_bytes;
    int64_t m_element;
    Around m_around;
    bool m_saysOthers = false; // next
    bool m_finished = false;
};

// Objects one after another, each over any number of lines. What stands between two of them is a record of its own, up
// to its line's end.
class JsonObjects final : public RecordReader {
public:
    JsonObjects(ByteStream& bytes, int64_t objectsBefore) : m_bytes(bytes), m_object(objectsBefore) {}
    bool next(FileRecord& record) override;

private:
    bool skipBlanks(); // false at the end

    ByteStream& m_bytes;
    int64_t m_object;
};

} // namespace roundpipe::data
