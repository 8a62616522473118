// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/gguf/gguf_header.h"

#include "artifact/gguf/gguf_codes.h"

#include <algorithm>
#include <type_traits>

namespace roundpipe::artifact {
namespace {

int64_t aligned(int64_t bytes) {
    return (bytes + kGgufAlignment - 1) / kGgufAlignment * kGgufAlignment;
}

// Little-endian, as x86-64 has them.
class HeaderText {
public:
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void add(Number number) { m_text.append(reinterpret_cast<const char*>(&number), sizeof number); }
    void add(const std::string& text) {
        add(static_cast<uint64_t>(text.size()));
        m_text += text;
    }
    void add(bool flag) { m_text += flag ? '\1' : '\0'; }
    template <class T>
    void add(const std::vector<T>& list) {
        add(static_cast<uint32_t>(codeOf(T{})));
        add(static_cast<uint64_t>(list.size()));
        for (const T& element : list)
            add(element);
    }
    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

} // namespace

int64_t GgufTensor::rows() const {
    int64_t product = 1;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i)
        product *= shape[i];
    return product;
}

int64_t GgufTensor::bytes() const {
    return rows() * static_cast<int64_t>(rowBytes(type, cols()));
}

const GgufValue* GgufHeader::find(std::string_view key) const {
    const auto found = std::ranges::find(values, key, &std::pair<std::string, GgufValue>::first);
    return found == values.end() ? nullptr : &found->second;
}

int64_t GgufHeader::placeTensors() {
    int64_t position = 0;
    for (GgufTensor& tensor : tensors) {
        tensor.offset = position;
        position += aligned(tensor.bytes());
    }
    return position;
}

std::string GgufHeader::bytes() const {
    HeaderText text;
    text.add(kGgufMagic);
    text.add(kGgufVersion);
    text.add(static_cast<uint64_t>(tensors.size()));
    text.add(static_cast<uint64_t>(values.size()));
    for (const auto& [key, value] : values) {
        text.add(key);
        std::visit(
            [&](const auto& of) {
                text.add(static_cast<uint32_t>(codeOf(of)));
                text.add(of);
            },
            value);
    }
    for (const GgufTensor& tensor : tensors) {
        text.add(tensor.name);
        text.add(static_cast<uint32_t>(tensor.shape.size()));
        for (auto size = tensor.shape.rbegin(); size != tensor.shape.rend(); ++size) // a row's length first
            text.add(static_cast<uint64_t>(*size));
        text.add(static_cast<uint32_t>(tensor.type));
        text.add(static_cast<uint64_t>(tensor.offset));
    }
    std::string header = text.take();
    header.resize(static_cast<std::size_t>(aligned(static_cast<int64_t>(header.size()))), '\0');
    return header;
}

} // namespace roundpipe::artifact
