// SPDX-License-Identifier: GPL-3.0-or-later
// The head: final norm, language head and cross-entropy, computed chunk by chunk so that the whole logits never exist.
//
// Shape letters: T tokens, N trained tokens, C rows of a chunk, D hidden size, V vocabulary, r rank.
#pragma once

#include "geometry/linear.h"

#include <cstdint>

namespace roundpipe::geometry {

// Rows computed at a time: as many as keep their logits within 256 MiB, in whole tiles. The table is read for each
// chunk anew, three times; of Qwen3's 152 K rows such a chunk has 768.
int64_t headChunkRows(int64_t vocabSize, int64_t numRows, DType operandType);

struct HeadShape {
    HeadShape(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType);

    DType dtype;
    int64_t hiddenSize;
    double rmsNormEps;
    double logitsMultiplier; // it multiplies what the norm gives, which is the same
    bool trainsTensors;      // norm or table
    double dropout;
    int64_t gradientElements;
    TensorPlace norm;
    LinearGroup linear;

    int64_t vocabSize() const { return linear.outFeatures(); }

    // Everything is taken for forward and backward alike: the logits dwarf the rest.
    struct Scratch {
        Scratch(const HeadShape& head, Workspace& memory, int64_t numTokens, int64_t chunkRows);
        Matrix hidden, normed, dNormed; // [C, D]
        Matrix logits;                  // [C, V], then their gradient
        Matrix product, delta;          // [C, r]
        std::byte* wide;                // of gradient products
        Matrix sumParts;                // of the norm's gradient
        void* rstd;                     // [C]
        void* losses;                   // [C]
        int32_t* labels;                // [C]
        int64_t* rows;                  // [N] indices of the trained rows
        uint64_t* tokenKeys = nullptr;  // [T] only with dropout, as what follows
        uint64_t* rowKeys = nullptr;    // [C]
        Matrix dropped, mixed;          // [C, D]
    };
    // Of the logits of chosen rows, for generation.
    struct ChosenScratch {
        ChosenScratch(const HeadShape& head, Workspace& memory, int64_t numRows);
        Matrix normed;  // [rows, D]
        Matrix product; // [rows, r]
    };

    int64_t workspaceBytes(int64_t numTokens) const;
};

} // namespace roundpipe::geometry
