// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers by which a GGUF file names the types of its values (internal to the folder).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::artifact {

inline constexpr uint32_t kGgufMagic = 0x46554747; // "GGUF"
inline constexpr uint32_t kGgufVersion = 3;

enum class GgufCode : uint32_t {
    kUint8,
    kInt8,
    kUint16,
    kInt16,
    kUint32,
    kInt32,
    kFloat,
    kBool,
    kString,
    kArray,
    kUint64,
    kInt64,
    kDouble,
};

constexpr GgufCode codeOf(uint32_t) {
    return GgufCode::kUint32;
}
constexpr GgufCode codeOf(int32_t) {
    return GgufCode::kInt32;
}
constexpr GgufCode codeOf(uint64_t) {
    return GgufCode::kUint64;
}
constexpr GgufCode codeOf(float) {
    return GgufCode::kFloat;
}
constexpr GgufCode codeOf(bool) {
    return GgufCode::kBool;
}
inline GgufCode codeOf(const std::string&) {
    return GgufCode::kString;
}
template <class T>
GgufCode codeOf(const std::vector<T>&) {
    return GgufCode::kArray;
}

} // namespace roundpipe::artifact
