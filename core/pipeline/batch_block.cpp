// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/batch_block.h"

#include <algorithm>

namespace roundpipe::pipeline {

BatchBlock::BatchBlock(std::vector<TokenBatch> batches, const device::HostBuffer& memory)
    : m_batches(std::move(batches)), m_memory(memory.data()) {
    geometry::Workspace room(memory.data(), memory.bytes());
    for (const TokenBatch& batch : m_batches) {
        const std::vector<int32_t>& rows = m_trainedRows.emplace_back(model::trainedRows(batch));
        const geometry::BatchArrays& arrays =
            m_arrays.emplace_back(room, batch.numTokens(), batch.numSequences(), static_cast<int64_t>(rows.size()));
        std::ranges::copy(batch.ids, arrays.ids);
        std::ranges::copy(batch.labels, arrays.labels);
        std::ranges::copy(batch.positions, arrays.positions);
        std::ranges::copy(batch.starts, arrays.starts);
        std::ranges::copy(batch.exampleIds, arrays.exampleIds);
        std::ranges::copy(rows, arrays.trainedRows);
    }
    m_bytes = room.usedBytes();
}

int64_t BatchBlock::numTokens() const {
    int64_t count = 0;
    for (const TokenBatch& batch : m_batches)
        count += batch.numTokens();
    return count;
}

int64_t BatchBlock::numTrained() const {
    int64_t count = 0;
    for (const TokenBatch& batch : m_batches)
        count += batch.numTrained();
    return count;
}

model::BatchView BatchBlock::view(int32_t microbatch, const std::byte* onDevice) const {
    const auto index = static_cast<std::size_t>(microbatch);
    const TokenBatch& batch = m_batches[index];
    const geometry::BatchArrays& arrays = m_arrays[index];
    const auto there = [&]<class T>(const T* here) {
        return reinterpret_cast<const T*>(onDevice + (reinterpret_cast<const std::byte*>(here) - m_memory));
    };
    model::BatchView view;
    view.numTokens = batch.numTokens();
    view.numSequences = batch.numSequences();
    view.maxLength = batch.maxLength();
    view.ids = there(arrays.ids);
    view.labels = there(arrays.labels);
    view.positions = there(arrays.positions);
    view.starts = there(arrays.starts);
    view.exampleIds = there(arrays.exampleIds);
    view.trainedRows = there(arrays.trainedRows);
    view.startsHost = batch.starts;
    view.trainedRowsHost = m_trainedRows[index];
    return view;
}

} // namespace roundpipe::pipeline
