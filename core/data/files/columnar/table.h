// SPDX-License-Identifier: GPL-3.0-or-later
// A file of columns, as groups of rows that are read one after another or at once where somebody seeks. Only this
// folder sees Arrow.
#pragma once

#include "data/files/columnar/columnar.h"

#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct RpTable {
public:
    virtual ~RpTable() = default;

    int64_t numRows() const { return m_firstRows.back(); }
    int64_t bytesRead() const;
    void seek(int64_t row);
    int32_t next(RpTableRow& row); // as rpTableNext(); its text lives until the next call

protected:
    // Limits memory() to what a file of so many bytes can be believed to need: pages and buffers say themselves how
    // large they become, and a few damaged bytes may say gigabytes. Called before the file is read.
    void limitMemory(int64_t fileBytes);
    arrow::MemoryPool* memory() const { return m_memory.get(); } // for all that Arrow reads and decodes
    void addGroup(int64_t numRows, int64_t bytes);               // behind those before
    // Its rows, as many as were added with it.
    virtual arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> openGroup(std::size_t group) = 0;

private:
    std::size_t groupOf(int64_t row) const;
    arrow::Status load();

    std::unique_ptr<arrow::MemoryPool> m_pool = arrow::MemoryPool::CreateDefault();
    std::unique_ptr<arrow::CappedMemoryPool> m_memory;
    std::vector<int64_t> m_firstRows = {0};   // of each group, and the number of all rows at the end
    std::vector<int64_t> m_bytesBefore = {0}; // each group, and of all at the end
    std::shared_ptr<arrow::RecordBatchReader> m_batches;
    std::size_t m_group = 0; // the one that they are of, where there are any
    std::shared_ptr<arrow::RecordBatch> m_batch;
    int64_t m_firstRowOfBatch = 0;
    int64_t m_row = 0; // the next one to give out, from 0
    std::string m_text;
};

namespace roundpipe::columnar {

// Calls Arrow, which gives a status or throws, and gives what went wrong, without a full stop; empty: nothing.
template <class Action>
std::string problemOf(Action&& action) {
    std::string problem;
    try {
        const arrow::Status status = action();
        if (status.ok()) return problem;
        problem = status.IsOutOfMemory() ? "it unpacks to more than a file of its size can be believed to hold"
                                         : status.message();
    } catch (const std::exception& failure) {
        problem = failure.what();
    }
    while (problem.ends_with('.')) // it becomes a part of our sentences, which end by themselves
        problem.pop_back();
    return problem.empty() ? "unknown error" : problem;
}

} // namespace roundpipe::columnar
