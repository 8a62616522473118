// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/columnar/arrow_table.h"

#include "data/files/columnar/texts_as_bytes.h"

#include <arrow/array/array_base.h>
#include <arrow/array/util.h>
#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace roundpipe::columnar {
namespace {

constexpr std::string_view kFileMagic = "ARROW1"; // at both ends of a file; a stream has none
constexpr int64_t kFirstMessage = 8;              // of a file, behind the magic
constexpr int64_t kHeading = 8;                   // a mark, then how long the message's metadata is
constexpr int32_t kMark = -1;
constexpr int64_t kMostRows = INT32_MAX; // in a batch, as Arrow recommends

template <class Number>
Number numberAt(const arrow::Buffer& bytes, int64_t offset) {
    Number number{};
    if (offset >= 0 && offset + static_cast<int64_t>(sizeof number) <= bytes.size())
        std::memcpy(&number, bytes.data() + offset, sizeof number);
    return number;
}

// Where a field of a FlatBuffers table stands, 0 where it has its default. The vtable lies before the table.
int64_t fieldAt(const arrow::Buffer& bytes, int64_t table, int64_t index) {
    const int64_t vtable = table - numberAt<int32_t>(bytes, table), entry = 4 + 2 * index;
    if (entry + 2 > numberAt<uint16_t>(bytes, vtable)) return 0;
    const auto offset = numberAt<uint16_t>(bytes, vtable + entry);
    return offset == 0 ? 0 : table + offset;
}

// Message.header.length of a record batch (Message.fbs), which Arrow tells only with the batch's columns. The buffer
// has passed Arrow's verifier.
int64_t rowsOf(const arrow::Buffer& metadata) {
    constexpr int64_t kHeader = 2, kLength = 0;
    const int64_t header = fieldAt(metadata, numberAt<uint32_t>(metadata, 0), kHeader);
    if (header == 0) return 0;
    const int64_t length = fieldAt(metadata, header + numberAt<uint32_t>(metadata, header), kLength);
    return length == 0 ? 0 : numberAt<int64_t>(metadata, length);
}

} // namespace

arrow::Status ArrowTable::open(const std::string& path) {
    ARROW_ASSIGN_OR_RAISE(m_file, arrow::io::ReadableFile::Open(path));
    ARROW_ASSIGN_OR_RAISE(m_size, m_file->GetSize());
    limitMemory(m_size);
    ARROW_ASSIGN_OR_RAISE(const bool isFile, holdsMagicAt(0));
    ARROW_RETURN_NOT_OK(addMessages(isFile ? kFirstMessage : 0, isFile));
    if (m_shared.empty()) return arrow::Status::Invalid("it has no schema");
    if (!isFile || (!m_content.empty() && m_content.back().isCutOff)) return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(const bool isWhole, holdsMagicAt(m_size - static_cast<int64_t>(kFileMagic.size())));
    return isWhole ? arrow::Status::OK() : addCutOff(1);
}

arrow::Result<bool> ArrowTable::holdsMagicAt(int64_t offset) const {
    if (offset < 0) return false;
    ARROW_ASSIGN_OR_RAISE(const auto bytes, m_file->ReadAt(offset, static_cast<int64_t>(kFileMagic.size())));
    return std::string_view(*bytes) == kFileMagic;
}

// The rows before damage count; what stands behind it is lost, as a message alone says where the next one begins.
arrow::Status ArrowTable::addMessages(int64_t offset, bool isFile) {
    const int64_t first = offset;
    while (offset < m_size) {
        ARROW_ASSIGN_OR_RAISE(const auto heading, m_file->ReadAt(offset, kHeading));
        const bool isMarked = numberAt<int32_t>(*heading, 0) == kMark;
        const auto length = numberAt<int32_t>(*heading, 4);
        if (isMarked && heading->size() == kHeading && length == 0) break; // so a stream says that it ends
        if (!isMarked && isFile && offset > first) break;                  // what lists the messages once more
        Extent extent{offset, kHeading + length};
        const int64_t there = std::min<int64_t>(length, m_size - offset - kHeading); // it says any length
        ARROW_ASSIGN_OR_RAISE(const auto metadata, m_file->ReadAt(offset + kHeading, std::max<int64_t>(0, there)));
        const auto message = arrow::ipc::Message::Open(metadata, nullptr);
        const bool isMessage = isMarked && length > 0 && metadata->size() == length && message.ok();
        if (offset == first && !isMessage) return arrow::Status::Invalid("it does not begin with a message");
        if (!isMessage) return addCutOff(1);
        const int64_t body = (*message)->body_length();
        if (body < 0 || body > m_size - offset - extent.size) return addCutOff(1);
        extent.size += body;
        offset += extent.size;
        ARROW_RETURN_NOT_OK(addMessage(**message, extent));
    }
    return arrow::Status::OK();
}

arrow::Status ArrowTable::addMessage(const arrow::ipc::Message& message, Extent extent) {
    using Type = arrow::ipc::MessageType;
    if (message.type() == Type::SCHEMA || message.type() == Type::DICTIONARY_BATCH) m_shared.push_back(extent);
    if (message.type() != Type::RECORD_BATCH) return arrow::Status::OK();
    const int64_t numRows = rowsOf(*message.metadata());
    if (numRows < 0 || numRows > kMostRows)
        return arrow::Status::Invalid("a batch says that it has ", numRows, " rows");
    addGroup(numRows, extent.size);
    m_content.push_back({extent, m_shared.size()});
    return arrow::Status::OK();
}

arrow::Status ArrowTable::addCutOff(int64_t numRows) {
    addGroup(numRows, 0);
    m_content.push_back({{}, 0, true});
    return arrow::Status::OK();
}

arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> ArrowTable::openGroup(std::size_t group) {
    const Batch& batch = m_content[group];
    if (batch.isCutOff) return arrow::Status::Invalid("the file is cut off or damaged there");
    std::vector<Extent> parts(m_shared.begin(), m_shared.begin() + static_cast<std::ptrdiff_t>(batch.numShared));
    parts.push_back(batch.extent);
    int64_t size = 0;
    for (const Extent& part : parts)
        size += part.size;
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> stream, arrow::AllocateBuffer(size, memory()));
    uint8_t* into = stream->mutable_data();
    for (const Extent& part : parts) {
        ARROW_ASSIGN_OR_RAISE(const int64_t numRead, m_file->ReadAt(part.begin, part.size, into));
        if (numRead != part.size) return arrow::Status::Invalid("the file has become shorter");
        into += part.size;
    }
    auto options = arrow::ipc::IpcReadOptions::Defaults();
    options.use_threads = false;
    options.memory_pool = memory();
    const auto bytes = std::make_shared<arrow::io::BufferReader>(stream);
    ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ipc::RecordBatchStreamReader::Open(bytes, options));
    std::shared_ptr<arrow::RecordBatch> rows;
    ARROW_RETURN_NOT_OK(reader->ReadNext(&rows));
    if (rows == nullptr) return arrow::Status::Invalid("a batch is missing");
    ARROW_RETURN_NOT_OK(rows->Validate());
    for (const auto& column : rows->column_data()) // its offsets are the file's, and lead where somebody wrote
        ARROW_RETURN_NOT_OK(arrow::MakeArray(textsAsBytes(*column))->ValidateFull());
    return arrow::RecordBatchReader::Make({rows});
}

} // namespace roundpipe::columnar
