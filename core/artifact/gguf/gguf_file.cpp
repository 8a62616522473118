// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/gguf/gguf_file.h"

#include "artifact/gguf/gguf_codes.h"
#include "base/error.h"

#include <algorithm>

namespace roundpipe::artifact {
namespace {

constexpr int64_t kMostDimensions = 4;
constexpr int64_t kMostElements = int64_t{1} << 48; // of a tensor: keeps its bytes within 64 bits

// Reads a header piece by piece; what lies beyond the file's end is an error that names it.
class HeaderReader {
public:
    explicit HeaderReader(const FileReader& file) : m_file(file) {}

    template <class Number>
    Number number() {
        Number value{};
        read(std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }
    std::string text() {
        const auto size = number<uint64_t>();
        if (size > static_cast<uint64_t>(left())) throw damaged("has a text that goes beyond its end");
        std::string value(size, '\0');
        read(std::as_writable_bytes(std::span(value)));
        return value;
    }
    template <class T, class Read>
    std::vector<T> list(uint64_t count, const Read& readOne) {
        if (count > static_cast<uint64_t>(left())) throw damaged("has a list that goes beyond its end");
        std::vector<T> values;
        values.reserve(count);
        for (uint64_t i = 0; i < count; ++i)
            values.push_back(readOne());
        return values;
    }
    GgufValue value(GgufCode code) {
        switch (code) {
        case GgufCode::kUint32:
            return number<uint32_t>();
        case GgufCode::kInt32:
            return number<int32_t>();
        case GgufCode::kUint64:
            return number<uint64_t>();
        case GgufCode::kFloat:
            return number<float>();
        case GgufCode::kBool:
            return number<uint8_t>() != 0;
        case GgufCode::kString:
            return text();
        case GgufCode::kArray:
            return array();
        default:
            throw otherType();
        }
    }
    int64_t position() const { return m_position; }
    Error damaged(const std::string& what) const {
        return invalidInput("'" + m_file.path().string() + "' " + what + ": it is no GGUF file that can be read.",
                            "Export it again.");
    }
    Error otherType() const {
        return unsupported("'" + m_file.path().string() + "' has values of a type that exports never write.",
                           "Only files that were exported here are read.");
    }

private:
    GgufValue array() {
        const auto code = static_cast<GgufCode>(number<uint32_t>());
        const auto count = number<uint64_t>();
        if (code == GgufCode::kString) return list<std::string>(count, [&] { return text(); });
        if (code == GgufCode::kInt32) return list<int32_t>(count, [&] { return number<int32_t>(); });
        if (code == GgufCode::kFloat) return list<float>(count, [&] { return number<float>(); });
        throw otherType();
    }
    int64_t left() const { return m_file.sizeBytes() - m_position; }
    void read(std::span<std::byte> into) {
        if (static_cast<int64_t>(into.size()) > left()) throw damaged("ends within its header");
        while (!into.empty()) {
            if (m_at == m_buffer.size()) {
                m_buffer.resize(static_cast<std::size_t>(std::min<int64_t>(kBuffer, left())));
                m_file.readAt(m_position, m_buffer);
                m_at = 0;
            }
            const std::size_t count = std::min(into.size(), m_buffer.size() - m_at);
            std::copy_n(m_buffer.begin() + static_cast<std::ptrdiff_t>(m_at), count, into.begin());
            m_at += count;
            m_position += static_cast<int64_t>(count);
            into = into.subspan(count);
        }
    }

    static constexpr int64_t kBuffer = 1 << 20;
    const FileReader& m_file;
    std::vector<std::byte> m_buffer;
    std::size_t m_at = 0; // in the buffer
    int64_t m_position = 0;
};

GgufTensor readTensor(HeaderReader& reader) {
    GgufTensor tensor;
    tensor.name = reader.text();
    const auto dimensions = reader.number<uint32_t>();
    if (dimensions < 1 || dimensions > kMostDimensions)
        throw reader.damaged("has a tensor of no dimension or too many");
    int64_t elements = 1;
    for (uint32_t i = 0; i < dimensions; ++i) {
        const auto size = reader.number<uint64_t>();
        if (size < 1 || size > kMostElements / static_cast<uint64_t>(elements))
            throw reader.damaged("has a tensor of an absurd shape");
        elements *= static_cast<int64_t>(size);
        tensor.shape.insert(tensor.shape.begin(), static_cast<int64_t>(size));
    }
    const auto type = reader.number<uint32_t>();
    if (!isKnown(type)) throw reader.otherType();
    tensor.type = static_cast<GgmlType>(type);
    if (tensor.cols() % blockElements(tensor.type) != 0) throw reader.damaged("has rows that are no whole blocks");
    tensor.offset = static_cast<int64_t>(reader.number<uint64_t>());
    return tensor;
}

} // namespace

GgufFile GgufFile::open(const std::filesystem::path& path) {
    GgufFile file;
    file.m_reader = std::make_shared<FileReader>(path);
    HeaderReader reader(*file.m_reader);
    if (reader.number<uint32_t>() != kGgufMagic) throw reader.damaged("does not begin with GGUF");
    if (reader.number<uint32_t>() != kGgufVersion) throw reader.damaged("is of another version than 3");
    const auto numTensors = reader.number<uint64_t>(), numValues = reader.number<uint64_t>();
    file.m_header.values = reader.list<std::pair<std::string, GgufValue>>(numValues, [&] {
        std::string key = reader.text();
        return std::pair(std::move(key), reader.value(static_cast<GgufCode>(reader.number<uint32_t>())));
    });
    file.m_header.tensors = reader.list<GgufTensor>(numTensors, [&] { return readTensor(reader); });
    file.m_dataStart = (reader.position() + kGgufAlignment - 1) / kGgufAlignment * kGgufAlignment;
    for (const GgufTensor& tensor : file.m_header.tensors)
        if (tensor.offset < 0 || tensor.offset % kGgufAlignment != 0 ||
            tensor.bytes() > file.m_reader->sizeBytes() - file.m_dataStart - tensor.offset)
            throw reader.damaged("has the tensor '" + tensor.name + "' beyond its end");
    return file;
}

const GgufTensor* GgufFile::find(std::string_view name) const {
    const auto found = std::ranges::find(m_header.tensors, name, &GgufTensor::name);
    return found == m_header.tensors.end() ? nullptr : &*found;
}

const GgufTensor& GgufFile::require(std::string_view name) const {
    if (const GgufTensor* tensor = find(name)) return *tensor;
    throw invalidInput("'" + path().string() + "' has no tensor '" + std::string(name) + "'.", "Export it again.");
}

void GgufFile::read(const GgufTensor& tensor, int64_t first, int64_t count, std::span<float> into) const {
    const std::size_t bytes = rowBytes(tensor.type, tensor.cols());
    RP_CHECK(first >= 0 && first + count <= tensor.rows() &&
             static_cast<int64_t>(into.size()) == count * tensor.cols());
    std::vector<std::byte> raw(static_cast<std::size_t>(count) * bytes);
    m_reader->readAt(m_dataStart + tensor.offset + first * static_cast<int64_t>(bytes), raw);
    decodeRows(tensor.type, raw.data(), count, tensor.cols(), into.data());
}

} // namespace roundpipe::artifact
