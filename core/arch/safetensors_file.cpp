// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/safetensors_file.h"

#include "base/error.h"
#include "base/json_problem.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::arch {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMaxHeaderBytes = 100'000'000; // the limit of the reference implementation
constexpr int64_t kPrefixBytes = 8;              // the header's length

// What one tensor of the header says; all errors name the file and the tensor.
class HeaderParser {
public:
    HeaderParser(std::string file, int64_t dataStart, int64_t dataBytes)
        : m_file(std::move(file)), m_dataStart(dataStart), m_dataBytes(dataBytes) {}

    Json parse(const std::string& text) const {
        std::set<std::string> seen;
        Json header;
        try {
            header = Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) {
                if (event == Json::parse_event_t::key && depth == 1 &&
                    !seen.insert(parsed.get_ref<const std::string&>()).second)
                    throw fail(fmt::format("names the tensor '{}' twice", parsed.get_ref<const std::string&>()));
                return true;
            });
        } catch (const Json::exception& error) {
            throw fail(fmt::format("has a header that is not valid JSON: {}",
                                   wordsForJsonError(error.id, error.what(), text)));
        }
        if (!header.is_object()) throw fail("has a header that is not a JSON object");
        return header;
    }

    std::map<std::string, std::string> metadata(const Json& header) const {
        std::map<std::string, std::string> result;
        const auto found = header.find("__metadata__");
        if (found == header.end() || found->is_null()) return result;
        if (!found->is_object()) throw fail("has a __metadata__ that is not an object");
        for (const auto& [key, value] : found->items()) {
            if (!value.is_string()) throw fail(fmt::format("has a __metadata__ entry '{}' that is not a string", key));
            result.emplace(key, value.get<std::string>());
        }
        return result;
    }

    TensorEntry tensor(const std::string& name, const Json& value) const {
        if (!value.is_object() || !value.contains("dtype") || !value.contains("shape") ||
            !value.contains("data_offsets"))
            throw fail(name, "lacks dtype, shape or data_offsets");
        TensorEntry entry;
        entry.name = name;
        entry.dtype = dtypeOf(name, value["dtype"]);
        entry.shape = shapeOf(name, value["shape"]);
        const auto [begin, end] = rangeOf(name, value["data_offsets"]);
        entry.offset = m_dataStart + begin;
        entry.bytes = end - begin;
        const int64_t needed = bytesOf(name, entry);
        if (needed != entry.bytes)
            throw fail(name, fmt::format("has {} bytes of data, but its dtype {} and shape [{}] need {}", entry.bytes,
                                         toString(entry.dtype), fmt::join(entry.shape, ", "), needed));
        return entry;
    }

    // Every byte of the data belongs to exactly one tensor. `tensors` are sorted by offset.
    void checkCover(const std::vector<TensorEntry>& tensors) const {
        int64_t position = m_dataStart;
        for (const TensorEntry& entry : tensors) {
            if (entry.offset < position) throw fail(entry.name, "overlaps another tensor's data");
            if (entry.offset > position)
                throw fail(entry.name,
                           fmt::format("leaves a gap of {} bytes before its data", entry.offset - position));
            position += entry.bytes;
        }
        const int64_t fileBytes = m_dataStart + m_dataBytes;
        if (position < fileBytes) throw fail(fmt::format("has {} bytes after its last tensor", fileBytes - position));
    }

    Error fail(const std::string& what) const {
        return invalidInput(fmt::format("'{}' {}.", m_file, what), "Fetch the file again.");
    }

private:
    Error fail(const std::string& tensor, const std::string& what) const {
        return fail(fmt::format("is damaged: the tensor '{}' {}", tensor, what));
    }

    DType dtypeOf(const std::string& name, const Json& value) const {
        if (!value.is_string()) throw fail(name, "has a dtype that is not a string");
        const std::string spelled = value.get<std::string>();
        const auto dtype = dtypeFromSafetensors(spelled);
        if (!dtype)
            throw unsupported(fmt::format("'{}': the tensor '{}' has the dtype '{}'.", m_file, name, spelled),
                              "Choose the original model in bfloat16, float16 or float32.");
        return *dtype;
    }

    std::vector<int64_t> shapeOf(const std::string& name, const Json& value) const {
        if (!value.is_array()) throw fail(name, "has a shape that is not a list");
        std::vector<int64_t> shape;
        for (const Json& size : value)
            shape.push_back(naturalOf(name, "shape", size));
        return shape;
    }

    std::array<int64_t, 2> rangeOf(const std::string& name, const Json& value) const {
        if (!value.is_array() || value.size() != 2) throw fail(name, "has data_offsets that are not two numbers");
        const int64_t begin = naturalOf(name, "data_offsets", value[0]);
        const int64_t end = naturalOf(name, "data_offsets", value[1]);
        if (begin > end) throw fail(name, fmt::format("has the data_offsets [{}, {}], end before start", begin, end));
        if (end > m_dataBytes)
            throw Error(ErrorKind::kIo,
                        fmt::format("'{}' is truncated: the tensor '{}' ends at byte {}, but the file has {} bytes.",
                                    m_file, name, saturatingAdd(m_dataStart, end), m_dataStart + m_dataBytes),
                        "Fetch the file again.");
        return {begin, end};
    }

    int64_t naturalOf(const std::string& name, const char* what, const Json& value) const {
        if (!value.is_number_unsigned() ||
            value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
            throw fail(name, fmt::format("has a {} entry that is not a natural number", what));
        return value.get<int64_t>();
    }

    int64_t bytesOf(const std::string& name, const TensorEntry& entry) const {
        int64_t product = static_cast<int64_t>(sizeOf(entry.dtype));
        for (const int64_t size : entry.shape)
            if (__builtin_mul_overflow(product, size, &product)) throw fail(name, "has a shape beyond 64 bits");
        return product;
    }

    static int64_t saturatingAdd(int64_t a, int64_t b) {
        int64_t sum = 0;
        return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
    }

    std::string m_file;
    int64_t m_dataStart;
    int64_t m_dataBytes;
};

int64_t readHeaderLength(const FileReader& reader) {
    const std::string file = reader.path().string();
    if (reader.sizeBytes() < kPrefixBytes)
        throw Error(
            ErrorKind::kIo,
            fmt::format("'{}' is truncated: {} bytes are too few for a safetensors file.", file, reader.sizeBytes()),
            "Fetch the file again.");
    std::array<unsigned char, kPrefixBytes> prefix{};
    reader.readAt(0, std::as_writable_bytes(std::span(prefix)));
    if (std::equal(prefix.begin(), prefix.end(), "version "))
        throw invalidInput(fmt::format("'{}' is a Git LFS pointer, not the file itself.", file),
                           "Run 'git lfs pull' in the model folder.");
    uint64_t length = 0;
    for (std::size_t i = 0; i < prefix.size(); ++i)
        length |= uint64_t{prefix[i]} << (8 * i);
    if (length > static_cast<uint64_t>(kMaxHeaderBytes))
        throw invalidInput(
            fmt::format("'{}' is not a safetensors file: its header would have {} bytes.", file, length));
    if (static_cast<int64_t>(length) > reader.sizeBytes() - kPrefixBytes)
        throw Error(ErrorKind::kIo,
                    fmt::format("'{}' is truncated: its header needs {} bytes, but the file has {}.", file,
                                static_cast<int64_t>(length) + kPrefixBytes, reader.sizeBytes()),
                    "Fetch the file again.");
    return static_cast<int64_t>(length);
}

} // namespace

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& path) {
    SafetensorsFile file;
    file.m_reader = std::make_shared<FileReader>(path);
    const int64_t headerBytes = readHeaderLength(*file.m_reader);
    std::string text(static_cast<std::size_t>(headerBytes), '\0');
    file.m_reader->readAt(kPrefixBytes, std::as_writable_bytes(std::span(text)));

    const int64_t dataStart = kPrefixBytes + headerBytes;
    const HeaderParser parser(path.string(), dataStart, file.m_reader->sizeBytes() - dataStart);
    const Json header = parser.parse(text);
    file.m_metadata = parser.metadata(header);
    for (const auto& [name, value] : header.items())
        if (name != "__metadata__") file.m_tensors.push_back(parser.tensor(name, value));
    std::ranges::sort(file.m_tensors, {}, [](const TensorEntry& e) { return std::pair(e.offset, e.bytes); });
    parser.checkCover(file.m_tensors);
    return file;
}

const TensorEntry* SafetensorsFile::find(std::string_view name) const {
    const auto found = std::ranges::find(m_tensors, name, &TensorEntry::name);
    return found == m_tensors.end() ? nullptr : &*found;
}

void SafetensorsFile::read(const TensorEntry& tensor, int64_t byteOffset, std::span<std::byte> into) const {
    RP_CHECK(byteOffset >= 0 && byteOffset <= tensor.bytes &&
             static_cast<int64_t>(into.size()) <= tensor.bytes - byteOffset);
    m_reader->readAt(tensor.offset + byteOffset, into);
}

void SafetensorsFile::expect(const TensorEntry& tensor, int64_t byteOffset, int64_t bytes) const noexcept {
    m_reader->expect(tensor.offset + byteOffset, bytes);
}

} // namespace roundpipe::arch
