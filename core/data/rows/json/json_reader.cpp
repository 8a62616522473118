// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/json/json_reader.h"

#include "data/rows/json/long_number.h"
#include "text/utf8.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace roundpipe::data {
namespace {

// Each function reads one thing and says whether it is there.
class JsonReader {
public:
    JsonReader(std::string_view text, std::size_t maxNesting, int64_t maxFields)
        : m_rest(text), m_maxNesting(maxNesting), m_maxFields(maxFields) {}

    bool readAll(Json& value) {
        if (!read(value, 0)) return false;
        skipBlanks();
        return m_rest.empty();
    }

    const std::string& doubled() const { return m_doubled; }

private:
    bool read(Json& value, std::size_t nesting) {
        skipBlanks();
        if (m_rest.empty()) return false;
        switch (m_rest.front()) {
        case '{':
            return nesting < m_maxNesting && readObject(value, nesting);
        case '[':
            return nesting < m_maxNesting && readList(value, nesting);
        case '"':
            value = std::string();
            return readText(value.get_ref<std::string&>());
        case 't':
            value = true;
            return skip("true");
        case 'f':
            value = false;
            return skip("false");
        case 'n':
            value = nullptr;
            return skip("null");
        default:
            return readNumber(value);
        }
    }

    bool readObject(Json& value, std::size_t nesting) {
        value = Json::object();
        auto& object = value.get_ref<Json::object_t&>();
        int64_t numFields = 0;
        skip("{");
        if (skipBlanks(), skip("}")) return true;
        do {
            std::string key;
            skipBlanks();
            if (++numFields > m_maxFields || m_rest.empty() || m_rest.front() != '"' || !readText(key)) return false;
            if (skipBlanks(), !skip(":")) return false;
            const auto [field, isNew] = object.emplace(std::move(key), Json());
            if (!(isNew ? read(field->second, nesting + 1) : readAgain(*field, nesting + 1))) return false;
            skipBlanks();
        } while (skip(","));
        return skip("}");
    }

    // A key that comes again keeps its place and gets the new value.
    bool readAgain(Json::object_t::value_type& field, std::size_t nesting) {
        const Json before = std::move(field.second);
        if (!read(field.second, nesting)) return false;
        if (m_doubled.empty() && before != field.second) m_doubled = field.first;
        return true;
    }

    bool readList(Json& value, std::size_t nesting) {
        value = Json::array();
        auto& list = value.get_ref<Json::array_t&>();
        skip("[");
        if (skipBlanks(), skip("]")) return true;
        do {
            if (!read(list.emplace_back(), nesting + 1)) return false;
            skipBlanks();
        } while (skip(","));
        return skip("]");
    }

    bool readText(std::string& text) {
        m_rest.remove_prefix(1);
        while (true) {
            const std::size_t run = bytesBeforeEscape(m_rest);
            if (run == m_rest.size()) return false;
            text.append(m_rest, 0, run);
            const char end = m_rest[run];
            m_rest.remove_prefix(run + 1);
            if (end == '"') return true;
            if (end != '\\' || !readEscape(text)) return false;
        }
    }

    bool readEscape(std::string& text) {
        if (m_rest.empty()) return false;
        const char kind = m_rest.front();
        m_rest.remove_prefix(1);
        switch (kind) {
        case '"':
        case '\\':
        case '/':
            text += kind;
            return true;
        case 'b':
            text += '\b';
            return true;
        case 'f':
            text += '\f';
            return true;
        case 'n':
            text += '\n';
            return true;
        case 'r':
            text += '\r';
            return true;
        case 't':
            text += '\t';
            return true;
        case 'u':
            return readCodePoint(text);
        default:
            return false;
        }
    }

    bool readCodePoint(std::string& text) {
        uint32_t code = 0, low = 0;
        if (!readHex(code) || (code >= 0xDC00 && code < 0xE000)) return false;
        if (code >= 0xD800 && code < 0xDC00) {
            if (!skip("\\u") || !readHex(low) || low < 0xDC00 || low >= 0xE000) return false;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        appendUtf8(code, text);
        return true;
    }

    bool readHex(uint32_t& code) {
        constexpr std::size_t kDigits = 4;
        if (m_rest.size() < kDigits) return false;
        const auto [end, failed] = std::from_chars(m_rest.data(), m_rest.data() + kDigits, code, 16);
        if (failed != std::errc() || end != m_rest.data() + kDigits) return false;
        m_rest.remove_prefix(kDigits);
        return true;
    }

    static void appendUtf8(uint32_t code, std::string& text) {
        const auto byte = [&](uint32_t lead, uint32_t bits) { text += static_cast<char>(lead | bits); };
        const auto next = [&](int shift) { byte(0x80, code >> shift & 0x3F); };
        if (code < 0x80) return byte(0, code);
        if (code < 0x800) {
            byte(0xC0, code >> 6);
        } else {
            if (code < 0x10000) {
                byte(0xE0, code >> 12);
            } else {
                byte(0xF0, code >> 18);
                next(12);
            }
            next(6);
        }
        next(0);
    }

    // By the library, which knows how large a number may be and what one with a fraction is.
    bool readNumber(Json& value) {
        const std::size_t size = std::min(m_rest.find_first_not_of("+-.0123456789Ee"), m_rest.size());
        const std::string_view number = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        value = Json::parse(number, nullptr, false);
        if (!value.is_number_integer() && isWholeNumber(number)) value = longNumber(number);
        return isNumber(value);
    }

    void skipBlanks() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \t\r\n"), m_rest.size())); }

    bool skip(std::string_view what) {
        const bool found = m_rest.starts_with(what);
        if (found) m_rest.remove_prefix(what.size());
        return found;
    }

    std::string_view m_rest;
    const std::size_t m_maxNesting;
    const int64_t m_maxFields;
    std::string m_doubled;
};

} // namespace

std::size_t bytesBeforeEscape(std::string_view text) {
    static_assert(std::endian::native == std::endian::little);
    constexpr uint64_t kOnes = ~uint64_t{0} / 255;
    // In each byte that is below the limit the highest bit is set; the lowest of those bits is right.
    const auto below = [](uint64_t bytes, uint64_t limit) { return (bytes - kOnes * limit) & ~bytes; };
    std::size_t at = 0;
    for (; at + sizeof(uint64_t) <= text.size(); at += sizeof(uint64_t)) {
        uint64_t bytes = 0;
        std::memcpy(&bytes, text.data() + at, sizeof(bytes));
        const uint64_t stops = below(bytes, 0x20) | below(bytes ^ (kOnes * '"'), 1) | below(bytes ^ (kOnes * '\\'), 1);
        if ((stops & (kOnes * 0x80)) != 0)
            return at + static_cast<std::size_t>(std::countr_zero(stops & (kOnes * 0x80))) / 8;
    }
    const auto isEscaped = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; };
    return static_cast<std::size_t>(
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), isEscaped) - text.begin());
}

std::optional<ReadJson> readJson(std::string_view text, std::size_t maxNesting, int64_t maxFields) {
    ReadJson read;
    JsonReader reader(text, maxNesting, maxFields);
    if (text::firstInvalidUtf8(text) || !reader.readAll(read.value)) return std::nullopt;
    read.doubled = reader.doubled();
    return read;
}

} // namespace roundpipe::data
