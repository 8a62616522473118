// SPDX-License-Identifier: GPL-3.0-or-later
// The small arrays of all microbatches of a program in one block, so that a device gets them with one copy.
#pragma once

#include "base/token_batch.h"
#include "batch/step_content.h"
#include "device/buffer.h"
#include "geometry/batch_arrays.h"
#include "model/compute/batch_view.h"

#include <span>
#include <vector>

namespace roundpipe::pipeline {

class BatchBlock {
public:
    // Copies the batches' arrays into `memory`, which outlives it; keeps the batches for what host code needs of them.
    BatchBlock(std::vector<TokenBatch> batches, const device::HostBuffer& memory);

    int64_t bytes() const { return m_bytes; }
    const std::byte* data() const { return m_memory; }
    int64_t numTokens() const;  // of all microbatches
    int64_t numTrained() const; // "
    int64_t numTokens(int32_t microbatch) const { return m_batches[static_cast<std::size_t>(microbatch)].numTokens(); }
    // The microbatch on a device to which the block was copied; valid as long as this object. Seed, step, training and
    // gradientScale are left to the caller.
    model::BatchView view(int32_t microbatch, const std::byte* onDevice) const;

private:
    std::vector<TokenBatch> m_batches;
    std::vector<std::vector<int32_t>> m_trainedRows;
    std::vector<geometry::BatchArrays> m_arrays; // on the host
    const std::byte* m_memory;
    int64_t m_bytes = 0;
};

} // namespace roundpipe::pipeline
