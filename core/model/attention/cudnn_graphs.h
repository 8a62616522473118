// SPDX-License-Identifier: GPL-3.0-or-later
// The graphs of cuDNN's attention (developer guide, "Scaled dot product attention"), made when a size is first met and
// kept for the process. Internal to the folder.
#pragma once

#include "base/dtype.h"
#include "geometry/attention_backend.h"
#include "kernels/kernels.h"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace roundpipe::model {

// What a graph is made for. Sequences lie end to end, rows of q, k and v as far apart as `pitches` says; all other rows
// are dense.
struct CudnnGraphKey {
    bool isBackward = false;
    bool deterministic = false; // backward only
    DType dtype = DType::kBF16;
    int64_t sequences = 0, length = 0, tokens = 0; // geometry::CudnnSize; forward is the same for all tokens: 0
    int64_t numHeads = 0, numKvHeads = 0, headDim = 0, window = 0;
    double scale = 0;
    std::array<int64_t, 3> pitches{}; // of q, k and v; elements

    auto operator<=>(const CudnnGraphKey&) const = default;
};

// Device memory of a call; those of backward are null in forward. `offsets` is what kernels::sequenceOffsets() gives
// for q, k, v, then for dense rows of all heads, of all key/value heads and of logSumExp.
struct CudnnArrays {
    void *q = nullptr, *k = nullptr, *v = nullptr, *out = nullptr, *logSumExp = nullptr;
    void *dOut = nullptr, *dq = nullptr, *dk = nullptr, *dv = nullptr;
    int32_t* offsets = nullptr;
};

// Of one GPU, for all of its streams.
class CudnnGraphs {
public:
    // Of GPU `cudaIndex`, which is the current device of the calling thread. Any thread.
    static CudnnGraphs& of(int cudaIndex);

    // Bytes on the device that a call works in.
    int64_t workspaceBytes(const CudnnGraphKey& key);
    // Enqueues a call on `stream`. Throws kDevice naming what cuDNN said.
    void run(const CudnnGraphKey& key, const CudnnArrays& arrays, void* workspace, void* stream);

private:
    struct Held;
    CudnnGraphs();

    Held& m_held; // never given back: cuDNN's handles outlive what would be destroyed before them
    std::mutex m_mutex;
};

} // namespace roundpipe::model
