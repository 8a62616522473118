// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/gguf/gguf_model.h"

#include "artifact/gguf/gguf_metadata.h"
#include "artifact/gguf/gguf_names.h"
#include "artifact/merge/merged_pieces.h"
#include "base/error.h"

#include <algorithm>
#include <cstring>

namespace roundpipe::artifact {
namespace {

using arch::TensorRole;

// Blocks at both ends of the model, and every third between: their errors tell the most on what follows. The choice is
// that of llama.cpp's mixes, so files have their sizes.
bool getsMoreBits(int64_t block, int64_t numBlocks) {
    return block < numBlocks / 8 || block >= 7 * numBlocks / 8 || (block - numBlocks / 8) % 3 == 2;
}

GgmlType mixedType(GgufType type, const arch::ModelConfig& config, TensorRole role, int64_t block, bool isHead) {
    constexpr int64_t kManyBlocks = 80; // of 70B models, where 8 heads share a key: their values are a small part
    const GgmlType usual = type == GgufType::kQ4KM ? GgmlType::kQ4K : GgmlType::kQ5K;
    if (isHead) return GgmlType::kQ6K;
    if (role == TensorRole::kV && getsMoreBits(block, config.numLayers)) return GgmlType::kQ6K;
    if (role == TensorRole::kV && config.numLayers == kManyBlocks) return GgmlType::kQ5K;
    if (role == TensorRole::kQkv) return type == GgufType::kQ4KM ? GgmlType::kQ5K : GgmlType::kQ6K; // values are in it
    if (role == TensorRole::kDown && getsMoreBits(block, config.numLayers)) return GgmlType::kQ6K;
    return usual;
}

GgmlType wantedType(GgufType type, const arch::ModelConfig& config, TensorRole role, int64_t block, bool isHead) {
    switch (type) {
    case GgufType::kF32:
        return GgmlType::kF32;
    case GgufType::kF16:
        return GgmlType::kF16;
    case GgufType::kBF16:
        return GgmlType::kBF16;
    case GgufType::kQ8:
        return GgmlType::kQ8;
    case GgufType::kQ6K:
        return GgmlType::kQ6K;
    case GgufType::kQ4KM:
    case GgufType::kQ5KM:
        return mixedType(type, config, role, block, isHead);
    }
    return GgmlType::kF32;
}

GgmlType fitting(GgmlType wanted, int64_t cols) {
    for (const GgmlType type : {wanted, GgmlType::kQ8})
        if (cols % blockElements(type) == 0) return type;
    return GgmlType::kF16;
}

void add(GgufPlan& plan, const MergedModel& model, const arch::LayerSpec& layer, const arch::TensorSpec& tensor,
         GgufType type) {
    const bool isTied = model.spec().config.tiedEmbeddings && !model.isUntied();
    const std::string name = tensor.role == TensorRole::kLmHead ? "lm_head.weight" : tensor.name;
    if (tensor.role == TensorRole::kLmHead && isTied) return; // llama.cpp takes the embedding
    const MergedTensor* source = model.find(name);
    RP_CHECK(source != nullptr);
    const bool isHead = tensor.role == TensorRole::kLmHead || (tensor.role == TensorRole::kEmbedTokens && isTied);
    const int64_t block = static_cast<int64_t>(layer.id.index()) - 1;
    const GgmlType own =
        source->shape.size() < 2
            ? GgmlType::kF32
            : fitting(wantedType(type, model.spec().config, tensor.role, block, isHead), source->cols());
    plan.header.tensors.push_back({ggufName(layer, tensor), own, source->shape, 0});
    plan.sources.push_back({source, tensor.role, addedInGguf(tensor), {}});
}

Error notRepresentable(const MergedTensor& tensor, GgmlType type) {
    return invalidInput("The tensor '" + tensor.name + "' has values that are no numbers, or too large for " +
                            toString(type) + ".",
                        "Look at the run's loss: where it is not finite, the weights are broken. Values beyond 65504 "
                        "need --type bf16 or f32.");
}

void putTensor(const GgufTensor& tensor, const GgufPlan::Source& source, const arch::ModelConfig& config, PutAside& out,
               ThreadTeam& team) {
    const HeadOrder order = headOrderOf(config, source.role);
    const auto bytesOf = [&](int64_t rows) {
        return static_cast<std::size_t>(rows) * rowBytes(tensor.type, tensor.cols());
    };
    const auto encode = [&](const float* values, int64_t rows, std::byte* into) {
        if (!encodeRows(tensor.type, values, rows, tensor.cols(), into))
            throw notRepresentable(*source.tensor, tensor.type);
    };
    if (tensor.shape.size() > 1) {
        putInPieces(*source.tensor, out, team, bytesOf, encode,
                    [&](int64_t row) { return order.rowInCheckpoint(row); });
        return;
    }
    putInPieces(*source.tensor, out, team, bytesOf, [&](const float* values, int64_t rows, std::byte* into) {
        std::vector<float> ordered(static_cast<std::size_t>(tensor.cols())); // of a bias each element is a row's
        for (int64_t i = 0; i < tensor.cols(); ++i)
            ordered[static_cast<std::size_t>(i)] = values[order.rowInCheckpoint(i)] + source.added;
        encode(ordered.data(), rows, into);
    });
}

void putAligned(PutAside& out, int64_t bytes) {
    const int64_t over = bytes % kGgufAlignment;
    if (over == 0) return;
    std::ranges::fill(out.next(static_cast<std::size_t>(kGgufAlignment - over)), std::byte{0});
    out.put();
}

} // namespace

GgufPlan planGguf(const MergedModel& model, GgufType type, const std::string& name) {
    GgufPlan plan;
    addModelMetadata(plan.header, model, type, name);
    for (const arch::LayerSpec& layer : model.spec().layers)
        for (const arch::TensorSpec& tensor : layer.tensors)
            add(plan, model, layer, tensor, type);
    for (FrequencyFactors& factors : frequencyFactors(model.spec().config)) {
        plan.header.tensors.push_back({factors.name, GgmlType::kF32, {static_cast<int64_t>(factors.values.size())}, 0});
        plan.sources.push_back({nullptr, TensorRole::kEmbedTokens, 0, std::move(factors.values)});
    }
    plan.bytes = plan.header.placeTensors() + static_cast<int64_t>(plan.header.bytes().size());
    return plan;
}

void writeGguf(OutputFolder& out, const std::string& fileName, const MergedModel& model, const GgufPlan& plan) {
    ThreadTeam team(0);
    out.write(fileName, [&](const PutBytes& put) {
        const std::string header = plan.header.bytes();
        put(std::as_bytes(std::span(header)));
        PutAside aside(put);
        for (std::size_t i = 0; i < plan.sources.size(); ++i) {
            const GgufTensor& tensor = plan.header.tensors[i];
            const GgufPlan::Source& source = plan.sources[i];
            if (source.tensor != nullptr) {
                putTensor(tensor, source, model.spec().config, aside, team);
            } else {
                const auto bytes = std::as_bytes(std::span(source.values));
                std::ranges::copy(bytes, aside.next(bytes.size()).begin());
                aside.put();
            }
            putAligned(aside, tensor.bytes());
        }
        aside.finish();
    });
}

void readFromGguf(const GgufFile& file, const arch::ModelConfig& config, const arch::LayerSpec& layer,
                  const arch::TensorSpec& tensor, int64_t first, int64_t count, std::span<float> into) {
    const bool hasHead = file.find("output.weight") != nullptr;
    const GgufTensor& stored = file.require(
        tensor.role == TensorRole::kLmHead && !hasHead ? std::string("token_embd.weight") : ggufName(layer, tensor));
    if (stored.shape != tensor.shape)
        throw invalidInput("'" + file.path().string() + "': the tensor '" + stored.name + "' has another shape than '" +
                               tensor.name + "' of the model.",
                           "It was exported from another model.");
    const HeadOrder order = headOrderOf(config, tensor.role);
    if (order.headDim == 0) {
        file.read(stored, first, count, into);
        if (const float added = addedInGguf(tensor); added != 0)
            for (float& value : into)
                value -= added;
        return;
    }
    const bool isVector = tensor.shape.size() < 2;
    std::vector<float> all(into.size());
    if (isVector) {
        file.read(stored, 0, 1, all);
        for (int64_t i = 0; i < stored.cols(); ++i)
            into[static_cast<std::size_t>(i)] = all[static_cast<std::size_t>(order.rowInGguf(i))];
        return;
    }
    const auto cols = static_cast<std::size_t>(stored.cols());
    for (int64_t r = 0; r < count; ++r)
        file.read(stored, order.rowInGguf(first + r), 1, into.subspan(static_cast<std::size_t>(r) * cols, cols));
}

} // namespace roundpipe::artifact
