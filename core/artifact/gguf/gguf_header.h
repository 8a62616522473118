// SPDX-License-Identifier: GPL-3.0-or-later
// What stands before the data of a GGUF file: named values and the list of tensors. Format: ggml-org/ggml docs/gguf.md,
// version 3, little-endian.
#pragma once

#include "artifact/gguf/ggml_type.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace roundpipe::artifact {

using GgufValue = std::variant<uint32_t, int32_t, uint64_t, float, bool, std::string, std::vector<int32_t>,
                               std::vector<float>, std::vector<std::string>>;

struct GgufTensor {
    std::string name;
    GgmlType type = GgmlType::kF32;
    std::vector<int64_t> shape; // as rows are counted elsewhere here: the last one is that of a row
    int64_t offset = 0;         // from the start of the data

    int64_t cols() const { return shape.back(); }
    int64_t rows() const;
    int64_t bytes() const;
};

inline constexpr int64_t kGgufAlignment = 32; // of every tensor

struct GgufHeader {
    std::vector<std::pair<std::string, GgufValue>> values; // in the order of the file
    std::vector<GgufTensor> tensors;

    void set(const std::string& key, GgufValue value) { values.emplace_back(key, std::move(value)); }
    const GgufValue* find(std::string_view key) const; // null when absent
    // Null when absent or of another type.
    template <class T>
    const T* get(std::string_view key) const {
        const GgufValue* value = find(key);
        return value == nullptr ? nullptr : std::get_if<T>(value);
    }
    // Lays the data out in the order of the tensors; what the data take.
    int64_t placeTensors();
    std::string bytes() const; // padded to where the data begin
};

} // namespace roundpipe::artifact
