// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/attention/cudnn_attention.h"

#include "base/error.h"
#include "model/attention/cudnn_graphs.h"
#include "model/compute/products.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <limits>

namespace roundpipe::model {
namespace {

using kernels::AttentionShape;

CudnnGraphKey keyOf(const Compute& compute, const AttentionShape& shape, const geometry::CudnnSize& size,
                    const Matrix& q, const Matrix& k, const Matrix& v) {
    CudnnGraphKey key;
    key.dtype = compute.dtype;
    key.sequences = size.sequences;
    key.length = size.length;
    key.numHeads = shape.numHeads;
    key.numKvHeads = shape.numKvHeads;
    key.headDim = shape.headDim;
    key.window = shape.window;
    key.scale = shape.scale;
    key.pitches = {q.pitch, k.pitch, v.pitch};
    return key;
}

CudnnArrays arraysOf(const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& out) {
    RP_CHECK(out.pitch == out.cols);
    for (const Matrix& rows : {q, k, v, out})
        RP_CHECK(rows.rows <= std::numeric_limits<int32_t>::max() / rows.pitch);
    CudnnArrays arrays;
    arrays.q = q.data;
    arrays.k = k.data;
    arrays.v = v.data;
    arrays.out = out.data;
    return arrays;
}

// From LibTorch's caching allocator, in the order of the current stream (compute_scope.h).
at::Tensor room(const Compute& compute, int64_t bytes) {
    const at::Device device(at::kCUDA, static_cast<at::DeviceIndex>(compute.cudaIndex));
    return at::empty({std::max<int64_t>(bytes, 1)}, at::TensorOptions().dtype(at::kByte).device(device));
}

// A matrix without gaps: itself, or a copy that `memory` holds.
Matrix withoutGaps(const Compute& compute, const Matrix& rows, at::Tensor& memory) {
    if (rows.pitch == rows.cols) return rows;
    memory = room(compute, geometry::bytesOf(rows.dtype, rows.rows * rows.cols));
    const Matrix copy = dense(memory.data_ptr(), rows.dtype, rows.rows, rows.cols);
    kernels::convert(compute.target, rows, 1, copy);
    return copy;
}

// Sequences from `first` on.
void run(const Compute& compute, const AttentionShape& shape, const int32_t* starts, int64_t first,
         const CudnnGraphKey& key, CudnnArrays arrays) {
    const at::Tensor offsets = room(compute, 7 * (key.sequences + 1) * static_cast<int64_t>(sizeof(int32_t)));
    arrays.offsets = static_cast<int32_t*>(offsets.data_ptr());
    const auto narrow = [](int64_t pitch) { return static_cast<int32_t>(pitch); };
    kernels::sequenceOffsets(compute.target, starts, {shape.numSequences, first, key.sequences},
                             {narrow(key.pitches[0]), narrow(key.pitches[1]), narrow(key.pitches[2]),
                              narrow(shape.numHeads * shape.headDim), narrow(shape.numKvHeads * shape.headDim),
                              narrow(shape.numHeads)},
                             arrays.offsets);
    CudnnGraphs& graphs = CudnnGraphs::of(compute.cudaIndex);
    const at::Tensor workspace = room(compute, graphs.workspaceBytes(key));
    graphs.run(key, arrays, workspace.data_ptr(), compute.target.stream);
}

} // namespace

void cudnnForward(const Compute& compute, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                  const Matrix& k, const Matrix& v, const Matrix& out, void* logSumExp) {
    const CudnnGraphKey key = keyOf(compute, shape, {shape.numSequences, shape.maxLength, q.rows}, q, k, v);
    CudnnArrays arrays = arraysOf(q, k, v, out);
    const at::Tensor unread = logSumExp != nullptr ? at::Tensor() : room(compute, 4 * q.rows * shape.numHeads);
    arrays.logSumExp = logSumExp != nullptr ? logSumExp : unread.data_ptr();
    run(compute, shape, starts, 0, key, arrays);
}

void cudnnBackward(const Compute& compute, const AttentionShape& shape, const int32_t* starts, const Matrix& givenQ,
                   const Matrix& givenK, const Matrix& givenV, const Matrix& out, const void* logSumExp,
                   const Matrix& dOut, const Matrix& dq, const Matrix& dk, const Matrix& dv) {
    // Of rows with gaps the backward that may add in any order makes NaNs (9.19, on Hopper).
    std::array<at::Tensor, 3> copies;
    const auto read = [&](const Matrix& given, at::Tensor& copy) {
        return compute.deterministic ? given : withoutGaps(compute, given, copy);
    };
    const Matrix q = read(givenQ, copies[0]), k = read(givenK, copies[1]), v = read(givenV, copies[2]);
    int64_t atOnce = shape.numSequences;
    if (compute.deterministic)
        atOnce = std::min(atOnce, geometry::cudnnSequencesAtOnce(shape.numHeads, shape.maxLength));
    RP_CHECK(atOnce > 0);
    const geometry::CudnnSize size(atOnce, shape.maxLength, q.rows);
    CudnnGraphKey key = keyOf(compute, shape, size, q, k, v);
    key.isBackward = true;
    key.deterministic = compute.deterministic;
    key.tokens = size.tokens;
    CudnnArrays arrays = arraysOf(q, k, v, out);
    arrays.logSumExp = const_cast<void*>(logSumExp);
    for (const Matrix& rows : {dOut, dq, dk, dv})
        RP_CHECK(rows.pitch == rows.cols);
    arrays.dOut = dOut.data;
    arrays.dq = dq.data;
    arrays.dk = dk.data;
    arrays.dv = dv.data;
    for (int64_t first = 0; first < shape.numSequences; first += key.sequences)
        run(compute, shape, starts, first, key, arrays);
}

} // namespace roundpipe::model
