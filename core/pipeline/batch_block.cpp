#include "pipeline/batch_block.h"

#include <cstring>

namespace roundpipe::pipeline {
namespace {

template <class T>
int64_t put(device::Carver& carver, std::byte* memory, const std::vector<T>& values) {
    const int64_t offset = carver.usedBytes();
    const auto bytes = static_cast<int64_t>(values.size() * sizeof(T));
    carver.take(bytes);
    if (bytes > 0) std::memcpy(memory + offset, values.data(), static_cast<std::size_t>(bytes));
    return offset;
}

} // namespace

int64_t BatchBlock::maxBytes(const batch::MicrobatchBounds& bounds) {
    device::Carver carver;
    for (int array = 0; array < 4; ++array) // ids, labels, positions, trained rows
        carver.take(bounds.tokens * static_cast<int64_t>(sizeof(int32_t)));
    carver.take((bounds.sequences + 1) * static_cast<int64_t>(sizeof(int32_t)));
    carver.take(bounds.sequences * static_cast<int64_t>(sizeof(int64_t)));
    return carver.usedBytes();
}

BatchBlock::BatchBlock(std::vector<TokenBatch> batches, std::byte* memory)
    : m_batches(std::move(batches)), m_memory(memory) {
    device::Carver carver;
    for (const TokenBatch& batch : m_batches) {
        m_trainedRows.push_back(model::trainedRows(batch));
        Place& place = m_places.emplace_back();
        place.ids = put(carver, memory, batch.ids);
        place.labels = put(carver, memory, batch.labels);
        place.positions = put(carver, memory, batch.positions);
        place.starts = put(carver, memory, batch.starts);
        place.exampleIds = put(carver, memory, batch.exampleIds);
        place.trainedRows = put(carver, memory, m_trainedRows.back());
    }
    m_bytes = carver.usedBytes();
}

model::BatchView BatchBlock::view(int32_t microbatch, const std::byte* onDevice) const {
    const auto index = static_cast<std::size_t>(microbatch);
    const TokenBatch& batch = m_batches[index];
    const Place& place = m_places[index];
    const auto int32At = [&](int64_t offset) { return reinterpret_cast<const int32_t*>(onDevice + offset); };
    model::BatchView view;
    view.numTokens = batch.numTokens();
    view.numSequences = batch.numSequences();
    view.maxLength = batch.maxLength();
    view.ids = int32At(place.ids);
    view.labels = int32At(place.labels);
    view.positions = int32At(place.positions);
    view.starts = int32At(place.starts);
    view.exampleIds = reinterpret_cast<const int64_t*>(onDevice + place.exampleIds);
    view.trainedRows = int32At(place.trainedRows);
    view.startsHost = batch.starts;
    view.trainedRowsHost = m_trainedRows[index];
    return view;
}

} // namespace roundpipe::pipeline
