// A name as a number: the key of a module's or tensor's random draws. Stable across runs and machines.
#pragma once

#include <cstdint>
#include <string_view>

namespace roundpipe::model {

// 64-bit FNV-1a (Fowler, Noll, Vo).
inline uint64_t hashName(std::string_view name) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (const char c : name) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001B3u;
    }
    return hash;
}

} // namespace roundpipe::model
