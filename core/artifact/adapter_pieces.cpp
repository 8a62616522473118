// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/adapter_pieces.h"

#include "arch/stacked_linears.h"
#include "artifact/adapter_names.h"
#include "base/error.h"
#include "geometry/trained_block.h"
#include "kernels/kernels.h"

#include <algorithm>

namespace roundpipe::artifact {
namespace {

constexpr const char* kHeadTensor = "lm_head.weight";

std::string shapeText(const std::vector<int64_t>& shape) {
    std::string text = "[";
    for (const int64_t extent : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
    return text + "]";
}

const arch::TensorEntry& requirePiece(const arch::SafetensorsFile& file, const Piece& piece, const std::string& name) {
    const arch::TensorEntry* tensor = file.find(name);
    if (tensor == nullptr)
        throw invalidInput("'" + file.path().string() + "' has no tensor '" + name + "'.",
                           "The adapter must cover what 'lora.targets' and 'lora.modules_to_save' name.");
    if (tensor->shape != piece.shape || !isFloating(tensor->dtype))
        throw invalidInput("'" + file.path().string() + "': tensor '" + name + "' is " + toString(tensor->dtype) +
                               shapeText(tensor->shape) + ", but should be floating " + shapeText(piece.shape) + ".",
                           "The adapter was made for another model or another rank.");
    return *tensor;
}

void readPiece(const arch::SafetensorsFile& file, const arch::TensorEntry& tensor, const StackedB& stack, DType dtype,
               std::byte* into) {
    std::vector<std::byte> raw(static_cast<std::size_t>(tensor.bytes));
    file.read(tensor, 0, raw);
    if (stack.experts > 0) stack.fromFile(std::vector(raw), raw);
    const int64_t count = tensor.bytes / static_cast<int64_t>(sizeOf(tensor.dtype));
    kernels::convert({}, {raw.data(), tensor.dtype, 1, count, count}, 1.0, {into, dtype, 1, count, count});
}

// The adapted stacks of a layer, which are of one module.
std::vector<std::string> stacksOf(const geometry::AdapterLayout& adapter) {
    std::vector<std::string> stacks;
    for (const geometry::AdapterPlace& place : adapter.linears)
        if (const std::string stack(arch::stackOf(place.linear));
            !stack.empty() && (stacks.empty() || stacks.back() != stack))
            stacks.push_back(stack);
    return stacks;
}

int64_t numExperts(const geometry::AdapterLayout& adapter, std::string_view stack) {
    return std::ranges::count(adapter.linears, stack,
                              [](const geometry::AdapterPlace& place) { return arch::stackOf(place.linear); });
}

std::string moduleInFile(const arch::LinearSpec& linear, const std::vector<std::string>& stacks) {
    if (!arch::isStacked(linear)) return linear.fullName;
    const std::string stack(arch::stackOf(linear));
    const auto place = std::ranges::find(stacks, stack) - stacks.begin();
    return wrapperOf(stack, static_cast<std::size_t>(place), stacks.size());
}

// A and B of a linear, or of those of all experts of a stack, which lie one behind the other.
void addPair(std::vector<Piece>& pieces, std::size_t layer, int64_t rank, const geometry::AdapterPlace& first,
             const std::string& module, int64_t experts) {
    const int64_t in = first.linear.inFeatures, out = first.linear.outFeatures, all = experts * rank;
    pieces.push_back({tensorNameA(module), {all, in}, layer, first.offsetA, all * in});
    pieces.push_back({tensorNameB(module), {out, all}, layer, first.offsetB, all * out});
    if (arch::isStacked(first.linear)) pieces.back().stackedB = {experts, out, rank};
}

} // namespace

std::vector<Piece> piecesOf(std::span<const geometry::LayerLayout> layouts) {
    const std::vector<geometry::TrainedBlock> blocks = geometry::trainedBlocks(layouts);
    std::vector<Piece> pieces;
    for (std::size_t l = 0; l < layouts.size(); ++l) {
        const geometry::AdapterLayout& adapter = layouts[l].adapter;
        const std::vector<std::string> stacks = stacksOf(adapter);
        for (auto place = adapter.linears.begin(); place != adapter.linears.end();) {
            const int64_t experts =
                arch::isStacked(place->linear) ? numExperts(adapter, arch::stackOf(place->linear)) : 1;
            addPair(pieces, l, adapter.rank, *place, moduleInFile(place->linear, stacks), experts);
            place += experts;
        }
        for (const geometry::TensorInBlock& trained : blocks[l].tensors) {
            const geometry::TensorPlace& place = layouts[l].base.tensors[trained.tensor];
            RP_CHECK(place.pitchElements == place.spec.shape.back());
            pieces.push_back({layouts[l].trainsBase ? place.spec.name : tensorNameWhole(place.spec.name),
                              place.spec.shape, l, trained.first, place.spec.numElements()});
        }
    }
    return pieces;
}

std::optional<Piece> sharedTableOf(std::span<const geometry::LayerLayout> layouts, const std::vector<Piece>& pieces) {
    const geometry::TensorPlace* head = layouts.back().base.find(arch::TensorRole::kLmHead);
    if (layouts.front().trainsBase || head == nullptr || !head->isTrained()) return std::nullopt;
    const auto table = std::ranges::find(pieces, tensorNameWhole(head->spec.name), &Piece::name);
    if (table == pieces.end() || table->layer + 1 == layouts.size()) return std::nullopt;
    Piece shared = *table;
    shared.name = tensorNameWhole(kHeadTensor);
    return shared;
}

std::vector<arch::TensorToWrite> tensorsOf(const std::vector<Piece>& pieces,
                                           const AdapterSpans<const std::byte>& blocks, std::string_view suffix) {
    std::vector<arch::TensorToWrite> tensors;
    const std::size_t elementBytes = sizeOf(blocks.dtype);
    for (const Piece& piece : pieces) {
        tensors.push_back({piece.name + std::string(suffix), blocks.dtype, piece.shape,
                           blocks.layers.at(piece.layer)
                               .subspan(static_cast<std::size_t>(piece.offset) * elementBytes,
                                        static_cast<std::size_t>(piece.numElements) * elementBytes)});
        if (piece.stackedB.experts > 0)
            tensors.back().arrange = [stack = piece.stackedB](std::span<const std::byte> data,
                                                              std::span<std::byte> file) { stack.toFile(data, file); };
    }
    return tensors;
}

void readPieces(const arch::SafetensorsFile& file, const std::vector<Piece>& pieces, std::string_view suffix,
                const AdapterSpans<std::byte>& blocks) {
    for (const Piece& piece : pieces) {
        const arch::TensorEntry& tensor = requirePiece(file, piece, piece.name + std::string(suffix));
        readPiece(file, tensor, piece.stackedB, blocks.dtype,
                  blocks.layers.at(piece.layer).data() + static_cast<std::size_t>(piece.offset) * sizeOf(blocks.dtype));
    }
}

} // namespace roundpipe::artifact
