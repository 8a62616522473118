// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/merge/merged_pieces.h"

#include <algorithm>

namespace roundpipe::artifact {
namespace {

constexpr int64_t kPieceElements = 1 << 20; // what is made stays near the processors until it is written
constexpr int64_t kPartElements = 64 << 10; // of one thread at a time: 256 KiB in fp32, in the second cache

int64_t rowsIn(int64_t elements, int64_t cols) {
    return std::max<int64_t>(1, elements / std::max<int64_t>(1, cols));
}

using ReadRows = std::function<void(int64_t first, int64_t count, std::span<float> into)>;

void putRows(int64_t rows, int64_t cols, PutAside& out, ThreadTeam& team, const BytesOfRows& bytesOf,
             const EncodeRows& encode, const ReadRows& read) {
    const int64_t perPiece = rowsIn(kPieceElements, cols), perPart = rowsIn(kPartElements, cols);
    for (int64_t first = 0; first < rows; first += perPiece) {
        const int64_t count = std::min(perPiece, rows - first);
        const std::span<std::byte> piece = out.next(bytesOf(count));
        team.forEach((count + perPart - 1) / perPart, [&](int64_t part) {
            const int64_t begin = part * perPart, size = std::min(perPart, count - begin);
            std::vector<float> values(static_cast<std::size_t>(size * cols));
            read(first + begin, size, values);
            encode(values.data(), size, piece.data() + bytesOf(begin));
        });
        out.put();
    }
}

} // namespace

void putInPieces(const MergedTensor& tensor, PutAside& out, ThreadTeam& team, const BytesOfRows& bytesOf,
                 const EncodeRows& encode) {
    const MergedRows rows(tensor);
    putRows(tensor.rows(), tensor.cols(), out, team, bytesOf, encode,
            [&](int64_t first, int64_t count, std::span<float> into) { rows.read(first, count, into); });
}

void putInPieces(const MergedTensor& tensor, PutAside& out, ThreadTeam& team, const BytesOfRows& bytesOf,
                 const EncodeRows& encode, const std::function<int64_t(int64_t)>& rowAt) {
    const MergedRows rows(tensor);
    const int64_t cols = tensor.cols();
    putRows(tensor.rows(), cols, out, team, bytesOf, encode, [&](int64_t first, int64_t count, std::span<float> into) {
        for (int64_t r = 0; r < count; ++r)
            rows.read(rowAt(first + r), 1,
                      into.subspan(static_cast<std::size_t>(r * cols), static_cast<std::size_t>(cols)));
    });
}

} // namespace roundpipe::artifact
