// SPDX-License-Identifier: GPL-3.0-or-later
// Trained blocks as the tensors of a file: one for each A and each B of an adapter and for each module that is trained
// whole beside it, or the weights themselves (internal to the folder).
#pragma once

#include "arch/safetensors_file.h"
#include "arch/safetensors_write.h"
#include "artifact/adapter.h"
#include "artifact/expert_stacks.h"

#include <optional>
#include <string_view>

namespace roundpipe::artifact {

// One tensor: its name in PEFT's format, or the checkpoint's, and where it lies in its layer's block.
struct Piece {
    std::string name;
    std::vector<int64_t> shape;
    std::size_t layer = 0;
    int64_t offset = 0; // elements
    int64_t numElements = 0;
    StackedB stackedB = {}; // where it is the B of stacked experts
};
std::vector<Piece> piecesOf(std::span<const geometry::LayerLayout> layouts);
// The trained table that embedding and head share, under the head's name, as an adapter's file has it once more: PEFT
// gives each module its own copy unless it is told otherwise (ensure_weight_tying).
std::optional<Piece> sharedTableOf(std::span<const geometry::LayerLayout> layouts, const std::vector<Piece>& pieces);

// Views of `blocks`, named piece name + suffix.
std::vector<arch::TensorToWrite> tensorsOf(const std::vector<Piece>& pieces,
                                           const AdapterSpans<const std::byte>& blocks, std::string_view suffix);
// Reads every piece (name + suffix) into `blocks`, converting its type; throws kInvalidInput naming the tensor.
void readPieces(const arch::SafetensorsFile& file, const std::vector<Piece>& pieces, std::string_view suffix,
                const AdapterSpans<std::byte>& blocks);

} // namespace roundpipe::artifact
