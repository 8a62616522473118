#include "data/files/utf8.h"

#include <cstdint>
#include <cstring>

namespace roundpipe::data {
namespace {

// How many of the next bytes are ASCII, eight at a time; at least the one at `i` is.
std::size_t asciiAt(std::string_view text, std::size_t i) {
    constexpr uint64_t kHighBits = 0x8080808080808080;
    uint64_t eight = 0;
    if (i + sizeof eight > text.size()) return 1;
    std::memcpy(&eight, text.data() + i, sizeof eight);
    return (eight & kHighBits) == 0 ? sizeof eight : 1;
}

} // namespace

std::optional<std::size_t> firstInvalidUtf8(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    std::size_t i = 0;
    while (i < text.size()) {
        const unsigned char lead = at(i);
        if (lead < 0x80) {
            i += asciiAt(text, i);
            continue;
        }
        const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return i;
        // The second byte's range excludes overlong forms, surrogates and what lies beyond Unicode.
        const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (at(i + 1) < least || at(i + 1) > most) return i;
        for (std::size_t k = 2; k < length; ++k)
            if (at(i + k) < 0x80 || at(i + k) > 0xBF) return i;
        i += length;
    }
    return std::nullopt;
}

} // namespace roundpipe::data
