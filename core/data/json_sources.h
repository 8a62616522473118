// The two kinds of JSON files. Internal to this folder; use openRows().
#pragma once

#include "data/byte_stream.h"
#include "data/row_source.h"

namespace roundpipe::data {

// One JSON value a line. Blank lines are skipped but counted; CRLF ends a line too.
class JsonLines final : public RowSource {
public:
    explicit JsonLines(ByteStream bytes) : m_bytes(std::move(bytes)) {}
    std::optional<RawRow> next() override;
    const char* unit() const override { return "line"; }
    int64_t bytesRead() const override { return m_bytes.offset(); }

private:
    ByteStream m_bytes;
    int64_t m_line = 0;
};

// One array; its elements are cut at the commas of the outermost level. `bytes` stands at the opening bracket.
class JsonArray final : public RowSource {
public:
    explicit JsonArray(ByteStream bytes) : m_bytes(std::move(bytes)) { m_bytes.consume(1); }
    std::optional<RawRow> next() override;
    const char* unit() const override { return "element"; }
    int64_t bytesRead() const override { return m_bytes.offset(); }

private:
    enum class End { kComma, kBracket, kFile };
    End readElement(std::string& text, bool& tooLong);
    RawRow afterTheArray();

    ByteStream m_bytes;
    int64_t m_element = 0;
    bool m_finished = false;
};

// Fills `problem` where the text is not valid UTF-8 or too long, else moves it in.
RawRow rowOf(int64_t number, std::string text, bool tooLong);

} // namespace roundpipe::data
