// SPDX-License-Identifier: GPL-3.0-or-later
// The attention half of a block. Internal to the folder.
#pragma once

#include "model/block/block.h"
#include "model/block/block_call.h"

namespace roundpipe::model {

// middle = in + attention(norm(in)).
void attentionHalfForward(const AttentionCall& call, const Matrix& in);
// The same of tokens that follow those of a cache: their rows are appended and attended to. What a single one's kernels
// are launched with does not depend on how many are cached. Nothing is kept for backward.
void attentionHalfCached(const AttentionCall& call, const Matrix& in, const KvCacheView& cache);
// dIn (null: not wanted) from dMiddle. Takes memory of the workspace and gives it back.
void attentionHalfBackward(const AttentionCall& call, const Matrix& in, const Matrix& dMiddle, const Matrix* dIn);

} // namespace roundpipe::model
