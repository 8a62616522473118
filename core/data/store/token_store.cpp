#include "data/store/token_store.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "the file is written as it lies in memory");

constexpr std::array<char, 8> kMagic = {'R', 'P', 'T', 'O', 'K', 'E', 'N', 'S'};
constexpr uint64_t kVersion = 1;
constexpr std::size_t kFlushBytes = 1 << 20;

struct Header {
    std::array<char, 8> magic = kMagic;
    uint64_t version = kVersion;
    uint64_t numExamples = 0;
    uint64_t indexOffset = 0; // where the records end
    uint64_t notesOffset = 0;
    uint64_t fileBytes = 0;
    uint64_t checksum = 0;       // of all behind the header
    uint64_t headerChecksum = 0; // of the fields before
};
static_assert(sizeof(Header) == 64 && sizeof(StoredExample) == 24);

struct RecordHead {
    int64_t number = 0;
    int32_t file = 0;
    uint32_t bytesPerId = 0; // 2 or 4
};
static_assert(sizeof(RecordHead) == 16);

uint64_t checksumOf(const Header& header) {
    ContentHasher hasher;
    hasher.add(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, headerChecksum)));
    return hasher.checksum();
}

std::size_t maskBytes(std::size_t numTokens) {
    return (numTokens + 7) / 8;
}

Error damaged(const fs::path& path, const char* how) {
    return invalidInput(fmt::format("'{}' is damaged: {}.", path.string(), how));
}

Header readHeader(const FileReader& file) {
    const auto size = static_cast<uint64_t>(file.sizeBytes());
    if (size < sizeof(Header)) throw damaged(file.path(), "it has no header");
    Header header;
    file.readAt(0, std::as_writable_bytes(std::span(&header, 1)));
    if (header.magic != kMagic) throw damaged(file.path(), "it does not begin as such a file does");
    if (header.version != kVersion)
        throw invalidInput(
            fmt::format("'{}' has format version {}, not {}.", file.path().string(), header.version, kVersion));
    if (header.headerChecksum != checksumOf(header)) throw damaged(file.path(), "its header's checksum is wrong");
    const bool fits = header.fileBytes == size && header.indexOffset >= sizeof(Header) &&
                      header.indexOffset <= header.notesOffset && header.notesOffset <= size &&
                      header.notesOffset - header.indexOffset == header.numExamples * sizeof(StoredExample);
    if (!fits) throw damaged(file.path(), "its size is not what its header says");
    return header;
}

void verifyContent(const FileReader& file, const Header& header) {
    ContentHasher hasher;
    std::vector<std::byte> block(kFlushBytes);
    for (uint64_t offset = sizeof(Header); offset < header.fileBytes; offset += block.size()) {
        block.resize(std::min<uint64_t>(kFlushBytes, header.fileBytes - offset));
        file.readAt(static_cast<int64_t>(offset), block);
        hasher.add(block);
    }
    if (hasher.checksum() != header.checksum) throw damaged(file.path(), "its checksum is wrong");
}

} // namespace

TokenStore::TokenStore(FileReader file, uint64_t recordsEnd, std::vector<StoredExample> index, std::string notes)
    : m_file(std::move(file)), m_recordsEnd(recordsEnd), m_index(std::move(index)), m_notes(std::move(notes)) {}

std::shared_ptr<const TokenStore> TokenStore::open(const fs::path& path) {
    FileReader file(path);
    const Header header = readHeader(file);
    verifyContent(file, header);
    std::vector<StoredExample> index(header.numExamples);
    file.readAt(static_cast<int64_t>(header.indexOffset), std::as_writable_bytes(std::span(index)));
    std::string notes(header.fileBytes - header.notesOffset, '\0');
    file.readAt(static_cast<int64_t>(header.notesOffset), std::as_writable_bytes(std::span(notes)));
    return std::shared_ptr<const TokenStore>(
        new TokenStore(std::move(file), header.indexOffset, std::move(index), std::move(notes)));
}

Example TokenStore::read(uint32_t index) const {
    RP_CHECK(index < m_index.size());
    const StoredExample& entry = m_index[index];
    const uint64_t end = index + 1 < m_index.size() ? m_index[index + 1].offset : m_recordsEnd;
    const std::size_t numTokens = entry.numTokens;
    std::vector<std::byte> record(end - entry.offset);
    m_file.readAt(static_cast<int64_t>(entry.offset), record);

    RecordHead head;
    if (record.size() >= sizeof(head)) std::memcpy(&head, record.data(), sizeof(head));
    if ((head.bytesPerId != 2 && head.bytesPerId != 4) ||
        record.size() != sizeof(head) + numTokens * head.bytesPerId + maskBytes(numTokens))
        throw damaged(m_file.path(), "it was changed while it was in use");
    Example example{
        entry.id, {head.file, head.number}, std::vector<int32_t>(numTokens), std::vector<uint8_t>(numTokens)};
    const std::byte* ids = record.data() + sizeof(head);
    const std::byte* mask = ids + numTokens * head.bytesPerId;
    if (head.bytesPerId == 4) {
        std::memcpy(example.ids.data(), ids, numTokens * 4);
    } else {
        std::vector<uint16_t> narrow(numTokens);
        std::memcpy(narrow.data(), ids, numTokens * 2);
        std::ranges::copy(narrow, example.ids.begin());
    }
    for (std::size_t i = 0; i < numTokens; ++i)
        example.trained[i] = std::to_integer<uint8_t>(mask[i / 8] >> (i % 8)) & 1u;
    return example;
}

TokenStoreWriter::TokenStoreWriter(const fs::path& folder) : m_offset(sizeof(Header)) {
    std::string name = (folder / "tokens.part.XXXXXX").string();
    m_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (m_descriptor < 0) throw ioError("make a file in", folder, errno);
    m_path = name;
    m_buffer.resize(sizeof(Header)); // its place; written at the end
}

TokenStoreWriter::~TokenStoreWriter() {
    if (m_descriptor < 0) return;
    ::close(m_descriptor);
    ::unlink(m_path.c_str());
}

void TokenStoreWriter::add(int64_t id, RowPlace place, std::span<const int32_t> ids, std::span<const uint8_t> trained) {
    RP_CHECK(ids.size() == trained.size() && ids.size() <= std::numeric_limits<uint32_t>::max());
    const bool narrow = std::ranges::all_of(ids, [](int32_t token) { return token >= 0 && token <= 0xFFFF; });
    const auto numTrained = ids.empty() ? 0 : std::ranges::count(trained.subspan(1), uint8_t{1});
    m_index.push_back({m_offset, id, static_cast<uint32_t>(ids.size()), static_cast<uint32_t>(numTrained)});

    const RecordHead head{place.number, place.file, narrow ? 2u : 4u};
    put(std::as_bytes(std::span(&head, 1)));
    if (narrow) {
        const std::vector<uint16_t> values(ids.begin(), ids.end());
        put(std::as_bytes(std::span(values)));
    } else {
        put(std::as_bytes(ids));
    }
    std::vector<uint8_t> mask(maskBytes(ids.size()));
    for (std::size_t i = 0; i < trained.size(); ++i)
        if (trained[i] != 0) mask[i / 8] = static_cast<uint8_t>(mask[i / 8] | 1u << (i % 8));
    put(std::as_bytes(std::span(mask)));
    if (m_buffer.size() >= kFlushBytes) flush();
}

void TokenStoreWriter::put(std::span<const std::byte> bytes) {
    m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
    m_offset += bytes.size();
}

void TokenStoreWriter::flush() {
    const std::span<const std::byte> all(m_buffer);
    m_hash.add(m_isBegun ? all : all.subspan(sizeof(Header)));
    m_isBegun = true;
    for (std::size_t done = 0; done < all.size();) {
        const ssize_t put = ::write(m_descriptor, all.data() + done, all.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) throw ioError("write", m_path, errno);
        done += static_cast<std::size_t>(put);
    }
    m_buffer.clear();
}

std::shared_ptr<const TokenStore> TokenStoreWriter::finish(std::string notes, const fs::path& target) {
    Header header;
    header.numExamples = m_index.size();
    header.indexOffset = m_offset;
    put(std::as_bytes(std::span(m_index)));
    header.notesOffset = m_offset;
    put(std::as_bytes(std::span(notes)));
    header.fileBytes = m_offset;
    flush();
    header.checksum = m_hash.checksum();
    header.headerChecksum = checksumOf(header);
    if (::pwrite(m_descriptor, &header, sizeof(header), 0) != static_cast<ssize_t>(sizeof(header)))
        throw ioError("write", m_path, errno);
    if (!target.empty() && ::fsync(m_descriptor) != 0) throw ioError("write", m_path, errno);

    FileReader file(m_path);
    const int failed = target.empty() ? ::unlink(m_path.c_str()) : ::rename(m_path.c_str(), target.c_str());
    if (failed != 0) throw ioError("rename", m_path, errno);
    ::close(std::exchange(m_descriptor, -1));
    return std::shared_ptr<const TokenStore>(
        new TokenStore(std::move(file), header.indexOffset, std::move(m_index), std::move(notes)));
}

} // namespace roundpipe::data
