// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/records/text_records.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

constexpr std::string_view kEndOfText = "<|endoftext|>", kBlanksOfText = " \t\r\n";

// Whether a document ends at the line that starts here.
bool startsWithSeparator(std::string_view text) {
    if (text.starts_with('\f')) return true;
    if (!text.starts_with(kEndOfText)) return false;
    const std::size_t end = text.find_first_not_of(" \t\r", kEndOfText.size());
    return end == std::string_view::npos || text[end] == '\n';
}

std::size_t startOfSeparator(std::string_view text) {
    for (std::size_t line = 0; line < text.size();) {
        if (startsWithSeparator(text.substr(line))) return line;
        const std::size_t end = text.find('\n', line);
        if (end == std::string_view::npos) break;
        line = end + 1;
    }
    return std::string_view::npos;
}

// Behind the last line that a blank one follows, with it.
std::size_t endOfLastParagraph(std::string_view text) {
    for (std::size_t end = text.rfind('\n'); end != std::string_view::npos && end > 0;
         end = text.rfind('\n', end - 1)) {
        const std::size_t before = text.find_last_not_of(" \t\r", end - 1);
        if (before != std::string_view::npos && text[before] == '\n') return end + 1;
    }
    return 0;
}

std::size_t lengthOfPassage(std::string_view text) {
    if (const std::size_t paragraph = endOfLastParagraph(text); paragraph > 0) return paragraph;
    for (const char border : {'\n', ' '})
        if (const std::size_t found = text.rfind(border); found != std::string_view::npos && found > 0)
            return found + 1;
    constexpr std::size_t kLongestCharacter = 4;
    std::size_t end = text.size();
    while (end + kLongestCharacter > text.size() && end > 1 &&
           (static_cast<unsigned char>(text[end - 1]) & 0xC0) == 0x80)
        --end; // back to the character's first byte, which may lack others
    if (static_cast<unsigned char>(text[end - 1]) >= 0xC0 && end > 1) return end - 1;
    return text.size();
}

} // namespace

std::string TextRecords::take(std::size_t count) {
    std::string text;
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty() && text.size() < count; chunk = m_bytes.peek()) {
        const std::size_t part = std::min(chunk.size(), count - text.size());
        text += chunk.substr(0, part);
        m_bytes.consume(part);
    }
    return text;
}

bool TextRecords::skipBlanks() {
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        const std::size_t found = chunk.find_first_not_of(kBlanksOfText);
        m_bytes.consume(std::min(found, chunk.size()));
        if (found != std::string_view::npos) return true;
    }
    return false;
}

bool TextRecords::skipToText() {
    constexpr std::size_t kLine = 256;
    bool ended = false;
    while (skipBlanks()) {
        const std::string line = take(kLine);
        const bool separates = startsWithSeparator(line);
        const std::size_t length = !separates ? 0 : line.front() == '\f' ? 1 : kEndOfText.size();
        m_bytes.giveBack(std::string_view(line).substr(length));
        if (!separates) return ended;
        ended = true;
    }
    return true;
}

bool TextRecords::next(FileRecord& record) {
    skipToText(); // of no effect but before the first passage
    const int64_t offset = m_bytes.offset();
    std::string text = take(kPassageBytes);
    if (text.empty()) return false;
    std::size_t length = std::min(startOfSeparator(text), text.size());
    if (length == kPassageBytes && !m_bytes.peek().empty()) length = lengthOfPassage(text);
    m_bytes.giveBack(std::string_view(text).substr(length));
    text.resize(text.find_last_not_of(kBlanksOfText, length - 1) + 1);
    record = {++m_passage, offset, std::move(text)};
    record.continues = !skipToText();
    record.endedByFile = m_bytes.peek().empty();
    return true;
}

} // namespace roundpipe::data
