// SPDX-License-Identifier: GPL-3.0-or-later
// The table of block types: what a decoder block may be made of. A type is a folder beside this file and a line here.
//
// The folder answers what each library declares for every line: arch/block_tensors.h (its tensors),
// geometry/block_buffers.h (its buffers), plan/cost/block_work.h (its kernels) and model/block/make_block.h (its
// computation).
#pragma once

// Calls `use` with each type: its folder, which is the namespace of its answers too, its value of arch::BlockType, and
// its name in messages. A block is of the first type that claims it; the last one claims all.
// clang-format off
#define RP_FOR_EACH_BLOCK_TYPE(use)             \
    use(sparse_block, kSparse, "sparse block") \
    use(dense_block, kDense, "block")
// clang-format on
