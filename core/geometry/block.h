// SPDX-License-Identifier: GPL-3.0-or-later
// A decoder block of any type: the attention half and a second half of its type, with what they share.
//
// Shape letters: T tokens, D hidden size.
#pragma once

#include "geometry/attention.h"
#include "geometry/block_buffers.h"
#include "geometry/linear.h"
#include "geometry/saving.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace roundpipe::geometry {

// What all types share.
struct BlockTrunk {
    BlockTrunk(const arch::ModelConfig& modelConfig, const LayerLayout& layout, DType operandType)
        : config(modelConfig)
        , dtype(operandType)
        , attention(modelConfig, layout, operandType)
        , dropout(layout.adapter.empty() ? 0 : layout.adapter.dropout)
        , trainsTensors(layout.trainsTensors())
        , gradientElements(layout.gradientElements) {}

    arch::ModelConfig config;
    DType dtype;
    AttentionHalf attention;
    double dropout;
    bool trainsTensors; // of the base
    int64_t gradientElements;
};

// `Half` has width(), of its widest linear beside the hidden size; adapterColumns(), gradientWidth() and codeColumns(),
// the largest of its groups of linears; appendedColumns(numTokens), which its linears want behind their input; and
// constructors of Saved, Scratch and BackwardScratch, each of (const Half&, Workspace&, int64_t numTokens).
template <class Half>
struct BlockShape : BlockTrunk {
    BlockShape(const arch::ModelConfig& modelConfig, const LayerLayout& layout, DType operandType)
        : BlockTrunk(modelConfig, layout, operandType), second(modelConfig, layout, operandType) {}

    Half second;

    int64_t widestInput() const {
        return std::max({config.hiddenSize, attention.qSize(), second.width()});
    } // of linears
    int64_t adapterColumns() const {
        return std::max({attention.qkv.adapterColumns(), attention.o.adapterColumns(), second.adapterColumns()});
    }
    int64_t gradientWidth() const {
        return std::max({attention.qkv.gradientWidth(), attention.o.gradientWidth(), second.gradientWidth()});
    }
    int64_t codeColumns() const {
        return std::max({attention.qkv.codeColumns(), attention.o.codeColumns(), second.codeColumns()});
    }

    // What backward needs of forward is this and what the halves save. Everything else (norm outputs, rotated q and k
    // where there is a QK-norm, the activation, dropout masks) is cheap and always computed again.
    Matrix takeMiddle(Workspace& memory, int64_t numTokens) const { // [T, D] hidden states between the halves
        return memory.takeMatrix(dtype, numTokens, config.hiddenSize);
    }

    // Of both directions, beside that of the half at hand: one runs after the other.
    struct Scratch {
        Scratch(const BlockShape& block, Workspace& memory, int64_t numTokens)
            : normed(columnsOf(
                  memory.takeMatrix(block.dtype, numTokens,
                                    pitchWith(block.config.hiddenSize, block.second.appendedColumns(numTokens))),
                  0, block.config.hiddenSize))
            , quantised(memory, numTokens, block.codeColumns()) {
            if (block.dropout == 0) return;
            rowKeys = memory.takeArray<uint64_t>(numTokens);
            dropped = memory.takeMatrix(block.dtype, numTokens, block.widestInput());
        }
        Matrix normed; // [T, D], and behind each row the columns that its linears append
        QuantisedRows quantised;
        uint64_t* rowKeys = nullptr; // [T] only with dropout
        Matrix dropped;              // [T, widest input] "
    };

    struct BackwardScratch {
        BackwardScratch(const BlockShape& block, Workspace& memory, int64_t numTokens)
            : dMiddle(memory.takeMatrix(block.dtype, numTokens, block.config.hiddenSize))
            , delta(memory.takeMatrix(block.dtype, numTokens, block.adapterColumns()))
            , wide(memory.take(gradientScratchBytes(block.dtype, block.gradientWidth())))
            , sumParts(takeSumParts(memory, block.trainsTensors, block.dtype, block.widestInput())) {
            if (block.dropout > 0) mixed = memory.takeMatrix(block.dtype, numTokens, block.widestInput());
        }
        Matrix dMiddle;  // [T, D]
        Matrix delta;    // [T, adapter columns]
        Matrix mixed;    // [T, widest input] only with dropout
        std::byte* wide; // of gradient products
        Matrix sumParts; // of gradients of vectors; widest input: none is wider
    };

    // What a forward that saves keeps: nothing of the second half where gate and up are made again.
    int64_t savedBytes(int64_t numTokens, Saving saving) const {
        Workspace counting;
        takeMiddle(counting, numTokens);
        const int64_t ofSecond = saving == Saving::kAll ? counted<typename Half::Saved>(second, numTokens) : 0;
        return counting.usedBytes() + counted<AttentionHalf::Saved>(attention, numTokens) + ofSecond;
    }
    // The most that a call takes: a forward that saves nothing, or a backward that makes gate and up again.
    int64_t workspaceBytes(int64_t numTokens) const {
        const int64_t ofAttention = counted<AttentionHalf::Scratch>(attention, numTokens);
        const int64_t ofSecond =
            counted<typename Half::Saved>(second, numTokens) + counted<typename Half::Scratch>(second, numTokens);
        Workspace forward;
        takeMiddle(forward, numTokens);
        forward.take(std::max(ofAttention + counted<AttentionHalf::Saved>(attention, numTokens), ofSecond));
        const int64_t backward = counted<BackwardScratch>(*this, numTokens) +
                                 std::max(ofAttention + counted<AttentionHalf::BackwardScratch>(attention, numTokens),
                                          ofSecond + counted<typename Half::BackwardScratch>(second, numTokens));
        return counted<Scratch>(*this, numTokens) + std::max(forward.usedBytes(), backward);
    }
    BlockBuffers buffers(int64_t numTokens) const {
        return {savedBytes(numTokens, Saving::kAll), savedBytes(numTokens, Saving::kWithoutGateUp),
                workspaceBytes(numTokens)};
    }
};

} // namespace roundpipe::geometry
