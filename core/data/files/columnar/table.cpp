// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/columnar/table.h"

#include "data/files/columnar/cell_json.h"

#include <arrow/type.h>

#include <algorithm>
#include <set>
#include <string>

namespace {

// An object has one field of a name: of two columns, or fields of a struct, one would be lost.
arrow::Status requireOneEach(const arrow::FieldVector& fields) {
    std::set<std::string> names;
    for (const auto& field : fields)
        if (!names.insert(field->name()).second)
            return arrow::Status::Invalid("two of its columns are called '", field->name(),
                                          "'; give each a name of its own");
    for (const auto& field : fields)
        ARROW_RETURN_NOT_OK(requireOneEach(field->type()->fields()));
    return arrow::Status::OK();
}

} // namespace

void RpTable::limitMemory(int64_t fileBytes) {
    // A small file may be one text a thousand times over; a large one is many texts, which shrink to a tenth.
    constexpr int64_t kAlways = int64_t{256} << 20, kSmall = int64_t{4} << 20, kOfSmall = 1000, kOfLarge = 16;
    const int64_t limit = kAlways + std::max(kOfSmall * std::min(fileBytes, kSmall), kOfLarge * fileBytes);
    m_memory = std::make_unique<arrow::CappedMemoryPool>(m_pool.get(), limit);
}

void RpTable::addGroup(int64_t numRows, int64_t bytes) {
    m_firstRows.push_back(m_firstRows.back() + numRows);
    m_bytesBefore.push_back(m_bytesBefore.back() + bytes);
}

// The last one that starts at or before it; empty ones have no row.
std::size_t RpTable::groupOf(int64_t row) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(m_firstRows, row) - m_firstRows.begin()) - 1;
}

int64_t RpTable::bytesRead() const {
    return m_row == 0 ? 0 : m_bytesBefore[groupOf(m_row - 1)];
}

void RpTable::seek(int64_t row) {
    m_row = std::clamp<int64_t>(row, 0, numRows());
}

// Brings m_batch to hold m_row.
arrow::Status RpTable::load() {
    const std::size_t wanted = groupOf(m_row);
    if (m_batches == nullptr || m_group != wanted || m_row < m_firstRowOfBatch) {
        m_batch = nullptr;
        ARROW_ASSIGN_OR_RAISE(m_batches, openGroup(wanted));
        m_group = wanted;
        m_firstRowOfBatch = m_firstRows[wanted];
    }
    while (m_batch == nullptr || m_row >= m_firstRowOfBatch + m_batch->num_rows()) {
        if (m_batch != nullptr) m_firstRowOfBatch += m_batch->num_rows();
        ARROW_RETURN_NOT_OK(m_batches->ReadNext(&m_batch));
        if (m_batch == nullptr) return arrow::Status::Invalid("a group has fewer rows than it says");
        ARROW_RETURN_NOT_OK(requireOneEach(m_batch->schema()->fields()));
    }
    return arrow::Status::OK();
}

int32_t RpTable::next(RpTableRow& row) {
    if (m_row >= numRows()) return 0;
    row = {m_row + 1, {}, 0};
    int32_t result = 1;
    if (m_text = roundpipe::columnar::problemOf([&] { return load(); }); !m_text.empty()) {
        const int64_t end = m_firstRows[groupOf(m_row) + 1];
        row.numLost = end - m_row;
        m_row = end;
        m_batches = nullptr; // what is left of them is not to be trusted
        result = 3;
    } else {
        const int64_t inBatch = m_row++ - m_firstRowOfBatch;
        try {
            nlohmann::ordered_json object = nlohmann::ordered_json::object();
            for (int column = 0; column < m_batch->num_columns(); ++column) {
                const std::string& name = m_batch->schema()->field(column)->name();
                object[name] = roundpipe::columnar::cellJson(*m_batch->column(column), inBatch, name);
            }
            m_text = object.dump();
        } catch (const std::exception& bad) { // a cell, or a column's name, that is not UTF-8
            m_text = bad.what();
            result = 2;
        }
    }
    row.json = {m_text.data(), static_cast<int64_t>(m_text.size())};
    return result;
}
