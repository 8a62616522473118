// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/load_checkpoint.h"

#include "base/error.h"
#include "base/mxfp4.h"
#include "base/thread_team.h"
#include "base/units.h"
#include "geometry/packed_parts.h"
#include "kernels/kernels.h"
#include "transfer/packing_tensors.h"
#include "transfer/stored_rows.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>

namespace roundpipe::transfer {
namespace {

constexpr int64_t kPieceBytes = 8 * kMiB;
constexpr unsigned kMaxReaders = 8;

// Rows [firstRow, firstRow + numRows) of a tensor: what a reader takes at a time.
struct TensorPiece {
    const HostTensor* tensor;
    const StoredRows* stored;
    int64_t firstRow;
    int64_t numRows;
    TensorPacker* packer; // null where the tensor is not packed
};

// Of each of the store's tensors, in their order.
std::deque<StoredRows> storedRowsOf(const HostWeightStore& store, const arch::Checkpoint& checkpoint) {
    std::deque<StoredRows> stored;
    for (const HostTensor& tensor : store.tensors())
        stored.emplace_back(checkpoint, tensor.place->spec);
    return stored;
}

// Of those that are packed.
std::deque<TensorPacker> packersOf(const HostWeightStore& store) {
    std::deque<TensorPacker> packers;
    for (const HostTensor& tensor : store.tensors())
        if (isPacked(tensor.place->packing)) packers.emplace_back(tensor);
    return packers;
}

std::vector<TensorPiece> cutIntoPieces(const HostWeightStore& store, const std::deque<StoredRows>& allStored,
                                       std::deque<TensorPacker>& packers) {
    std::vector<TensorPiece> pieces;
    auto stored = allStored.begin();
    auto nextPacker = packers.begin();
    for (const HostTensor& tensor : store.tensors()) {
        TensorPacker* const packer = isPacked(tensor.place->packing) ? &*nextPacker++ : nullptr;
        const int64_t together =
            std::lcm(stored->rowsTogether(), packer ? TensorPacker::rowsTogether(tensor) : int64_t{1});
        const int64_t numRows = std::max<int64_t>(1, kPieceBytes / stored->rowBytes() / together) * together;
        for (int64_t row = 0; row < tensor.rows; row += numRows)
            pieces.push_back({&tensor, &*stored, row, std::min(numRows, tensor.rows - row), packer});
        ++stored;
    }
    return pieces;
}

int64_t storedBytes(const TensorPiece& piece) {
    return piece.numRows * piece.stored->rowBytes();
}

// A larger value has become infinite; one that was cut off would make another model of it. Smaller ones than fp16's
// smallest have become zero, which is as near as it comes.
void requireFinite(const HostTensor& tensor, const TensorPiece& piece, const std::byte* converted) {
    constexpr uint16_t kInfinite = 0x7c00, kMagnitude = 0x7fff;
    for (int64_t row = 0; row < piece.numRows; ++row) {
        const auto* const bits = reinterpret_cast<const uint16_t*>(converted) + row * tensor.place->pitchElements;
        if (std::any_of(bits, bits + tensor.cols, [](uint16_t each) { return (each & kMagnitude) == kInfinite; }))
            throw invalidInput("The weights '" + tensor.place->spec.name + "' have values beyond 65,504 in row " +
                                   std::to_string(piece.firstRow + row + 1) + ", where fp16 ends.",
                               "Use the model in bf16 (precision bf16) or fp32.");
    }
}

void packRead(const TensorPiece& piece, std::byte* read) {
    const Matrix stored = dense(read, piece.stored->dtype(), piece.numRows, piece.tensor->cols);
    if (stored.dtype == DType::kF32) return piece.packer->pack(piece.firstRow, stored);
    std::vector<float> values(static_cast<std::size_t>(piece.numRows * piece.tensor->cols));
    const Matrix widened = dense(values.data(), DType::kF32, piece.numRows, piece.tensor->cols);
    kernels::convert({}, stored, 1.0, widened);
    piece.packer->pack(piece.firstRow, widened);
}

// What is packed in the files as it is to be: not unpacked on the way.
void readPacked(const TensorPiece& piece) {
    const HostTensor& tensor = *piece.tensor;
    const geometry::PackedParts parts(WeightFormat::kMxfp4, tensor.rows, tensor.cols);
    const int64_t first = piece.firstRow * tensor.cols;
    piece.stored->readMxfp4(piece.firstRow, piece.numRows, reinterpret_cast<uint8_t*>(tensor.data) + first / 2,
                            reinterpret_cast<uint8_t*>(tensor.data + parts.scales) + first / kMxfp4Group);
}

void readPiece(const TensorPiece& piece) {
    const HostTensor& tensor = *piece.tensor;
    const geometry::TensorPlace& place = *tensor.place;
    const DType storedAs = piece.stored->dtype();
    const bool mayEndBefore = place.dtype == DType::kF16; // which the packer sees
    if (place.packing == WeightFormat::kMxfp4 && piece.stored->areMxfp4() && !mayEndBefore) return readPacked(piece);
    std::byte* to = tensor.data + piece.firstRow * place.pitchElements * static_cast<int64_t>(sizeOf(place.dtype));
    if (!piece.packer && storedAs == place.dtype && place.pitchElements == tensor.cols)
        return piece.stored->read(piece.firstRow, piece.numRows, to);
    const auto raw = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(piece.numRows * tensor.cols) *
                                                                 sizeOf(storedAs));
    piece.stored->read(piece.firstRow, piece.numRows, raw.get());
    if (piece.packer) return packRead(piece, raw.get());
    kernels::convert({}, {raw.get(), storedAs, piece.numRows, tensor.cols, tensor.cols}, 1.0,
                     {to, place.dtype, piece.numRows, tensor.cols, place.pitchElements});
    if (place.dtype == DType::kF16) requireFinite(tensor, piece, to);
}

} // namespace

void loadCheckpoint(HostWeightStore& store, const arch::Checkpoint& checkpoint, const CheckpointProgress& progress) {
    std::vector<arch::LayerSpec> layers;
    for (const geometry::LayerLayout& layout : store.layouts())
        layers.push_back(layout.spec);
    checkpoint.requireNoOthers(layers);
    checkpoint.requireTiedHead(layers);
    std::deque<TensorPacker> packers = packersOf(store);
    const std::deque<StoredRows> stored = storedRowsOf(store, checkpoint);
    const std::vector<TensorPiece> pieces = cutIntoPieces(store, stored, packers);
    int64_t totalBytes = 0;
    for (const TensorPiece& piece : pieces)
        totalBytes += storedBytes(piece);

    std::mutex mutex; // guards doneBytes, and `progress` is called by one thread at a time
    int64_t doneBytes = 0;
    const int numReaders = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMaxReaders));
    forEachIndex(std::ssize(pieces), numReaders, [&](int64_t i) {
        const TensorPiece& piece = pieces[static_cast<std::size_t>(i)];
        readPiece(piece);
        store.filled(*piece.tensor, piece.numRows);
        const std::scoped_lock lock(mutex);
        doneBytes += storedBytes(piece);
        if (progress && !progress(doneBytes, totalBytes))
            throw Error(ErrorKind::kCancelled, "reading the weights was cancelled");
    });
}

} // namespace roundpipe::transfer
