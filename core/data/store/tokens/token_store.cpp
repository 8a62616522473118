// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/tokens/token_store.h"

#include "base/error.h"
#include "data/encode/spans/token_mask.h"

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

// Of a record; what follows it in the file is said in the header.
struct RecordHead {
    int64_t number = 0;
    uint64_t textHash = 0;
    uint64_t tokenHash = 0;
    Bands bands{};
    int32_t file = 0;
    uint32_t numSpecialTokens = 0;
    uint32_t flags = 0; // a bit for each of kFlags, then whether there are bands
    uint8_t maskedBy = 0;
    uint8_t chatForm = 0;
    uint16_t bytesPerId = 0; // 2 or 4
};
static_assert(sizeof(RecordHead) == 72);

namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "the file is written as it lies in memory");

constexpr std::array<char, 8> kMagic = {'R', 'P', 'T', 'O', 'K', 'E', 'N', 'S'};
constexpr uint64_t kVersion = 9;
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
static_assert(sizeof(Header) == 64 && sizeof(StoredEntry) == 24);

constexpr std::array kFlags = {
    &RowFacts::hasEmptyTurn,    &RowFacts::isOneSided,        &RowFacts::isUnanswered,   &RowFacts::lacksBos,
    &RowFacts::doublesBos,      &RowFacts::leavesOutThoughts, &RowFacts::leavesOutTexts, &RowFacts::leavesOutTools,
    &RowFacts::leavesOutSystem, &RowFacts::isPlainPrompt,     &RowFacts::isPlainText,    &RowFacts::isTaggedGood,
    &RowFacts::hasUnclearTag,   &RowFacts::contradictsItself, &RowFacts::hasOpenThought, &RowFacts::hasForeignEnd,
    &RowFacts::spellsMarks,     &RowFacts::splitsAnswer,      &RowFacts::writesOutCalls};

RecordHead headOf(const Example& example, const RowFacts& facts) {
    RecordHead head;
    head.number = example.place.number;
    head.textHash = facts.textHash;
    head.tokenHash = facts.tokenHash;
    head.bands = facts.bands.value_or(Bands{});
    head.file = example.place.file;
    head.numSpecialTokens = static_cast<uint32_t>(facts.specialTokens.size());
    head.flags = (facts.bands ? 1u : 0u) << kFlags.size();
    for (std::size_t i = 0; i < kFlags.size(); ++i)
        head.flags |= (facts.*kFlags[i] ? 1u : 0u) << i;
    head.maskedBy = static_cast<uint8_t>(facts.maskedBy);
    head.chatForm = static_cast<uint8_t>(facts.chatForm);
    const bool narrow = std::ranges::all_of(example.ids, [](int32_t token) { return token >= 0 && token <= 0xFFFF; });
    head.bytesPerId = narrow ? 2 : 4;
    return head;
}

// All but what stands in the index and behind the ids.
RowFacts factsOf(const RecordHead& head) {
    RowFacts facts;
    facts.textHash = head.textHash;
    facts.tokenHash = head.tokenHash;
    if ((head.flags >> kFlags.size() & 1u) != 0) facts.bands = head.bands;
    for (std::size_t i = 0; i < kFlags.size(); ++i)
        facts.*kFlags[i] = (head.flags >> i & 1u) != 0;
    facts.maskedBy = static_cast<MaskSource>(head.maskedBy);
    facts.chatForm = static_cast<ChatForm>(head.chatForm);
    return facts;
}

uint64_t checksumOf(const Header& header) {
    ContentHasher hasher;
    hasher.add(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, headerChecksum)));
    return hasher.checksum();
}

std::size_t maskBytes(std::size_t numTokens) {
    return (numTokens + 7) / 8;
}

std::vector<std::byte> packedMask(std::span<const uint8_t> trained) {
    std::vector<std::byte> mask(maskBytes(trained.size()));
    for (std::size_t i = 0; i < trained.size(); ++i)
        if (trained[i] != 0) mask[i / 8] |= std::byte{1} << (i % 8);
    return mask;
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
                      header.notesOffset - header.indexOffset == header.numExamples * sizeof(StoredEntry);
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

TokenStore::TokenStore(FileReader file, uint64_t recordsEnd, std::vector<StoredEntry> index, std::string notes)
    : m_file(std::move(file)), m_recordsEnd(recordsEnd), m_index(std::move(index)), m_notes(std::move(notes)) {}

std::shared_ptr<const TokenStore> TokenStore::open(const fs::path& path) {
    FileReader file(path);
    const Header header = readHeader(file);
    verifyContent(file, header);
    std::vector<StoredEntry> index(header.numExamples);
    file.readAt(static_cast<int64_t>(header.indexOffset), std::as_writable_bytes(std::span(index)));
    std::string notes(header.fileBytes - header.notesOffset, '\0');
    file.readAt(static_cast<int64_t>(header.notesOffset), std::as_writable_bytes(std::span(notes)));
    return std::shared_ptr<const TokenStore>(
        new TokenStore(std::move(file), header.indexOffset, std::move(index), std::move(notes)));
}

// What was read of a record: all of it, or all up to some of its ids.
struct TokenStore::RecordBytes {
    RecordHead head;
    std::vector<std::byte> bytes; // from the head on
    std::size_t idsAt = 0;        // where the ids begin in them

    std::vector<uint8_t> trained(std::size_t begin, std::size_t numTokens) const {
        const std::byte* const mask = bytes.data() + sizeof(RecordHead);
        std::vector<uint8_t> result(numTokens);
        for (std::size_t i = 0; i < numTokens; ++i)
            result[i] = std::to_integer<uint8_t>(mask[(begin + i) / 8] >> ((begin + i) % 8)) & 1u;
        return result;
    }
    std::vector<int32_t> ids(std::size_t numTokens) const {
        if (head.bytesPerId == 4) return numbers<int32_t>(idsAt, numTokens);
        const std::vector<uint16_t> narrow = numbers<uint16_t>(idsAt, numTokens);
        return {narrow.begin(), narrow.end()};
    }
    template <class Number>
    std::vector<Number> numbers(std::size_t begin, std::size_t count) const {
        std::vector<Number> result(count);
        std::memcpy(result.data(), bytes.data() + begin, count * sizeof(Number));
        return result;
    }
};

TokenStore::RecordBytes TokenStore::recordOf(uint32_t index, int64_t numTokens) const {
    RP_CHECK(index < m_index.size());
    const StoredEntry& entry = m_index[index];
    const uint64_t size = (index + 1 < m_index.size() ? m_index[index + 1].offset : m_recordsEnd) - entry.offset;
    RecordBytes record;
    record.idsAt = sizeof(RecordHead) + maskBytes(entry.numTokens);
    const bool isWhole = numTokens == entry.numTokens;
    record.bytes.resize(isWhole ? size : std::min<uint64_t>(size, record.idsAt + static_cast<uint64_t>(numTokens) * 4));
    m_file.readAt(static_cast<int64_t>(entry.offset), record.bytes);

    RecordHead& head = record.head;
    if (record.bytes.size() >= sizeof(head)) std::memcpy(&head, record.bytes.data(), sizeof(head));
    const uint64_t expected =
        record.idsAt + uint64_t{entry.numTokens} * head.bytesPerId + uint64_t{head.numSpecialTokens} * 4;
    if ((head.bytesPerId != 2 && head.bytesPerId != 4) || size != expected)
        throw damaged(m_file.path(), "it was changed while it was in use");
    return record;
}

Example TokenStore::exampleOf(uint32_t index, const RecordBytes& record, int64_t numTokens) const {
    const auto count = static_cast<std::size_t>(numTokens);
    return {m_index[index].id, {record.head.file, record.head.number}, record.ids(count), record.trained(0, count)};
}

Example TokenStore::read(uint32_t index, int64_t begin, int64_t numTokens) const {
    if (begin == 0) return exampleOf(index, recordOf(index, numTokens), numTokens);
    RecordBytes record = recordOf(index, 0);
    Example example = exampleOf(index, record, 0);
    const auto count = static_cast<std::size_t>(numTokens);
    example.trained = record.trained(static_cast<std::size_t>(begin), count);
    const uint64_t at = m_index[index].offset + record.idsAt + static_cast<uint64_t>(begin) * record.head.bytesPerId;
    record.bytes.resize(count * record.head.bytesPerId);
    m_file.readAt(static_cast<int64_t>(at), record.bytes);
    record.idsAt = 0;
    example.ids = record.ids(count);
    return example;
}

StoredRow TokenStore::read(uint32_t index) const {
    const StoredEntry& entry = m_index[index];
    const RecordBytes record = recordOf(index, entry.numTokens);
    StoredRow row{exampleOf(index, record, entry.numTokens), factsOf(record.head)};
    row.facts.numTurnsWithoutEnd = entry.numTurnsWithoutEnd;
    const std::size_t specialsAt = record.bytes.size() - std::size_t{record.head.numSpecialTokens} * 4;
    row.facts.specialTokens = record.numbers<int32_t>(specialsAt, record.head.numSpecialTokens);
    return row;
}

RowLengths TokenStore::lengthsOf(uint32_t index, const DataOptions& options) const {
    const StoredEntry& entry = m_index[index];
    if (const auto row = data::lengthsOf(entry.numTokens, entry.numTrained, options)) return *row;
    const auto kept = recordOf(index, 0).trained(0, static_cast<std::size_t>(options.maxLength));
    return {entry.numTokens, entry.numTrained, options.maxLength, numTrainedOf(kept)};
}

RowLengths TokenStore::lengthsOf(uint32_t index, const DataOptions& options, int64_t trainedKept) const {
    const StoredEntry& entry = m_index[index];
    if (const auto row = data::lengthsOf(entry.numTokens, entry.numTrained, options)) return *row;
    return {entry.numTokens, entry.numTrained, options.maxLength, trainedKept};
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

void TokenStoreWriter::add(const StoredRow& row) {
    const auto& [example, facts] = row;
    constexpr auto kMost = std::numeric_limits<uint32_t>::max();
    RP_CHECK(example.ids.size() == example.trained.size() && example.ids.size() <= kMost && example.id <= kMost);
    m_index.push_back({m_offset, static_cast<uint32_t>(example.id), static_cast<uint32_t>(example.ids.size()),
                       static_cast<uint32_t>(example.numTrained()), facts.numTurnsWithoutEnd});

    const RecordHead head = headOf(example, facts);
    put(std::as_bytes(std::span(&head, 1)));
    put(packedMask(example.trained));
    if (head.bytesPerId == 2) {
        const std::vector<uint16_t> narrow(example.ids.begin(), example.ids.end());
        put(std::as_bytes(std::span(narrow)));
    } else {
        put(std::as_bytes(std::span(example.ids)));
    }
    put(std::as_bytes(std::span(facts.specialTokens)));
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
