// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/records/json_records.h"

#include "data/files/records/json_nesting.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool isBlank(std::string_view text) {
    return text.find_first_not_of(kBlanks) == std::string_view::npos;
}

void append(FileRecord& record, std::string_view part) {
    if (!record.problem.empty()) return;
    if (record.text.size() + part.size() <= kMaxRowBytes) {
        record.text += part;
    } else {
        record.problem = session::Remark(session::RowRemark::kTooManyBytes);
        record.text.clear();
    }
}

} // namespace

bool JsonLines::next(FileRecord& record) {
    record = {m_line, m_bytes.offset()};
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        const std::size_t end = chunk.find('\n');
        append(record, chunk.substr(0, end));
        m_bytes.consume(end == std::string_view::npos ? chunk.size() : end + 1);
        if (end == std::string_view::npos) continue;
        record.number = ++m_line;
        if (!record.problem.empty() || !isBlank(record.text)) return true;
        record = {m_line, m_bytes.offset()};
    }
    if (record.problem.empty() && isBlank(record.text)) return false;
    record.number = ++m_line;
    record.endedByFile = true;
    return true;
}

JsonArray::End JsonArray::readElement(FileRecord& record) {
    JsonNesting nesting;
    const auto ends = [&](char c) { return nesting.depth() == 0 && !nesting.inString() && (c == ',' || c == ']'); };
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        std::size_t length = 0;
        for (; length < chunk.size() && !ends(chunk[length]); ++length)
            nesting.pass(chunk[length]);
        append(record, chunk.substr(0, length));
        const bool ended = length < chunk.size();
        const char end = ended ? chunk[length] : '\0';
        m_bytes.consume(length + (ended ? 1 : 0));
        if (ended) return end == ',' ? End::kComma : End::kBracket;
    }
    return End::kFile;
}

bool JsonArray::next(FileRecord& record) {
    if (m_finished) return false;
    if (m_saysOthers) {
        m_finished = true;
        record = {++m_element, m_bytes.offset(), {}, session::Remark(session::RowRemark::kOthersBesideList), true};
        return true;
    }
    FileRecord element{m_element + 1, m_bytes.offset()};
    const End end = readElement(element);
    m_finished = end != End::kComma;
    element.endedByFile = end == End::kFile;
    if (element.endedByFile) element.problem = session::Remark(session::RowRemark::kArrayCutOff);
    if (end == End::kBracket) {
        if (m_around == Around::kNothing) checkTheEnd(element);
        m_saysOthers = m_around == Around::kObjectWithListBefore || (m_around == Around::kObject && othersFollow());
        m_finished = !m_saysOthers;
        // [], or a comma behind the last element, where nothing is lost
        if (element.problem.empty() && isBlank(element.text)) return m_element > 0 && m_saysOthers && next(record);
    }
    if (!element.problem.empty()) element.text.clear();
    ++m_element;
    record = std::move(element);
    return true;
}

void JsonArray::checkTheEnd(FileRecord& record) {
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        if (!isBlank(chunk)) record.problem = session::Remark(session::RowRemark::kTextAfterArray);
        if (!record.problem.empty()) return;
        m_bytes.consume(chunk.size());
    }
}

bool JsonArray::othersFollow() {
    JsonNesting nesting; // within the object around: its own end makes the depth negative
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        for (const char c : chunk) {
            nesting.pass(c);
            if (nesting.depth() > 0) return true;
        }
        m_bytes.consume(chunk.size());
    }
    return false;
}

bool JsonObjects::skipBlanks() {
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        const std::size_t found = chunk.find_first_not_of(kBlanks);
        m_bytes.consume(std::min(found, chunk.size()));
        if (found != std::string_view::npos) return true;
    }
    return false;
}

bool JsonObjects::next(FileRecord& record) {
    if (!skipBlanks()) return false;
    record = {++m_object, m_bytes.offset()};
    JsonNesting nesting;
    const bool isObject = m_bytes.peek().front() == '{';
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        std::size_t length = 0;
        bool ended = false;
        for (; length < chunk.size() && !ended; ++length) {
            nesting.pass(chunk[length]);
            ended = isObject ? nesting.depth() == 0 : chunk[length] == '\n';
        }
        append(record, chunk.substr(0, length));
        m_bytes.consume(length);
        if (ended) return true;
    }
    record.endedByFile = true;
    if (isObject) record.problem = session::Remark(session::RowRemark::kObjectNeverClosed);
    if (!record.problem.empty()) record.text.clear();
    return true;
}

} // namespace roundpipe::data
