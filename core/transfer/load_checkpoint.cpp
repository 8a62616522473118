// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/load_checkpoint.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "base/units.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>

namespace roundpipe::transfer {
namespace {

constexpr int64_t kPieceBytes = 8 * kMiB;
constexpr unsigned kMaxReaders = 8;

// Rows [firstRow, firstRow + numRows) of a tensor: what a reader takes at a time.
struct TensorPiece {
    const HostTensor* tensor;
    DType storedAs;
    int64_t firstRow;
    int64_t numRows;
};

std::vector<TensorPiece> cutIntoPieces(const HostWeightStore& store, const arch::Checkpoint& checkpoint) {
    std::vector<TensorPiece> pieces;
    for (const HostTensor& tensor : store.tensors()) {
        const arch::TensorSpec& spec = tensor.place->spec;
        const DType storedAs = checkpoint.require(spec.name, spec.shape).dtype;
        if (!isFloating(storedAs))
            throw unsupported("tensor '" + spec.name + "' is stored as " + toString(storedAs),
                              "Use a checkpoint in BF16, F16, F32 or F64.");
        const int64_t rowBytes = tensor.cols * static_cast<int64_t>(sizeOf(storedAs));
        const int64_t numRows = std::max<int64_t>(1, kPieceBytes / rowBytes);
        for (int64_t row = 0; row < tensor.rows; row += numRows)
            pieces.push_back({&tensor, storedAs, row, std::min(numRows, tensor.rows - row)});
    }
    return pieces;
}

int64_t storedBytes(const TensorPiece& piece) {
    return piece.numRows * piece.tensor->cols * static_cast<int64_t>(sizeOf(piece.storedAs));
}

void readPiece(const arch::Checkpoint& checkpoint, const TensorPiece& piece) {
    const HostTensor& tensor = *piece.tensor;
    const geometry::TensorPlace& place = *tensor.place;
    const auto bytes = static_cast<std::size_t>(storedBytes(piece));
    const int64_t fileOffset = piece.firstRow * tensor.cols * static_cast<int64_t>(sizeOf(piece.storedAs));
    std::byte* to = tensor.data + piece.firstRow * place.pitchElements * static_cast<int64_t>(sizeOf(place.dtype));
    if (piece.storedAs == place.dtype && place.pitchElements == tensor.cols) {
        checkpoint.read(place.spec.name, fileOffset, {to, bytes});
        return;
    }
    const auto raw = std::make_unique_for_overwrite<std::byte[]>(bytes);
    checkpoint.read(place.spec.name, fileOffset, {raw.get(), bytes});
    kernels::convert({}, {raw.get(), piece.storedAs, piece.numRows, tensor.cols, tensor.cols}, 1.0,
                     {to, place.dtype, piece.numRows, tensor.cols, place.pitchElements});
}

} // namespace

void loadCheckpoint(HostWeightStore& store, const arch::Checkpoint& checkpoint, const CheckpointProgress& progress) {
    std::vector<arch::LayerSpec> layers;
    for (const geometry::LayerLayout& layout : store.layouts())
        layers.push_back(layout.spec);
    checkpoint.requireNoOthers(layers);
    const std::vector<TensorPiece> pieces = cutIntoPieces(store, checkpoint);
    int64_t totalBytes = 0;
    for (const TensorPiece& piece : pieces)
        totalBytes += storedBytes(piece);

    std::mutex mutex; // guards doneBytes, and `progress` is called by one thread at a time
    int64_t doneBytes = 0;
    const int numReaders = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMaxReaders));
    forEachIndex(std::ssize(pieces), numReaders, [&](int64_t i) {
        const TensorPiece& piece = pieces[static_cast<std::size_t>(i)];
        readPiece(checkpoint, piece);
        store.filled(*piece.tensor, piece.numRows);
        const std::scoped_lock lock(mutex);
        doneBytes += storedBytes(piece);
        if (progress && !progress(doneBytes, totalBytes))
            throw Error(ErrorKind::kCancelled, "reading the weights was cancelled");
    });
}

} // namespace roundpipe::transfer
