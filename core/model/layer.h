// The three kinds of layer, each with an explicit forward and backward: no autograd graph, nothing allocated that the
// caller doesn't know of, the same code on CPU and CUDA. Checked against autograd in tests/model.
//
// A layer object is immutable and shared by all devices: it holds shapes, not weights. Calls enqueue on the device's
// compute stream (CUDA) or run in the calling thread (CPU). Buffers are device memory, 64-byte (CPU) or 256-byte (CUDA)
// aligned, dense rows. hidden_TD means [T, D] of the operand type.
#pragma once

#include "base/token_batch.h"
#include "kernels/kernels.h"
#include "model/layout.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace roundpipe::model {

// A microbatch's small arrays on the device (device/…: uploaded once per device and step) and what random draws need.
struct BatchView {
    int64_t numTokens = 0;
    int64_t numSequences = 0;
    int64_t maxLength = 0;
    const int32_t* ids = nullptr;         // [T]
    const int32_t* labels = nullptr;      // [T]
    const int32_t* positions = nullptr;   // [T]
    const int32_t* starts = nullptr;      // [S + 1]
    const int64_t* exampleIds = nullptr;  // [S]
    const int32_t* trainedRows = nullptr; // [N] rows whose label is trained, ascending (the head computes only these)
    std::span<const int32_t> startsHost;  // [S + 1] the same on the host
    std::span<const int32_t> trainedRowsHost; // [N] the same on the host: see trainedRows()
    uint64_t seed = 0;
    int64_t step = 0;
    bool training = true;     // false: no dropout
    double gradientScale = 0; // of the summed loss: 1 / trained tokens of the optimizer step
};

// The rows of a microbatch that are trained, for BatchView::trainedRows.
std::vector<int32_t> trainedRows(const TokenBatch& batch);

// Scratch memory of one device for one call at a time: handed out from the front. A layer call gives back what it took
// before it returns; reset() gives back everything.
class Workspace {
public:
    Workspace() = default; // without memory: only counts what is taken (take returns null)
    Workspace(std::byte* data, int64_t bytes) : m_data(data), m_bytes(bytes) {}
    std::byte* take(int64_t bytes); // 256-byte aligned; throws kInternal when exhausted
    void reset(int64_t usedBytes = 0) { m_used = usedBytes; }
    int64_t usedBytes() const { return m_used; }

private:
    std::byte* m_data = nullptr;
    int64_t m_bytes = 0;
    int64_t m_used = 0;
};

// Where and how a layer computes. One per device, used by its compute thread only.
struct Compute {
    kernels::Target target;
    int cudaIndex = -1;        // -1: CPU
    DType dtype = DType::kF32; // operand type
    bool deterministic = true;
    Workspace workspace;
};

// Adapter gradients of one layer on the device: AdapterLayout::numElements of the accumulation type (fp32, fp64 for
// fp64). `accumulate` false: overwritten, true: added to. Null `data`: not wanted.
struct GradientView {
    std::byte* data = nullptr;
    bool accumulate = false;
};

// The keys and values of one sequence in one block, for decoding: [capacity, G * K] each, of the operand type, the
// first `past` rows filled. A call appends its tokens' rows; the caller advances `past` once all blocks have run.
struct KvCacheView {
    std::byte* keys = nullptr;
    std::byte* values = nullptr;
    int64_t capacity = 0;
    int64_t past = 0;
};

struct BlockShape;
struct HeadShape;

class Embedding {
public:
    explicit Embedding(const arch::ModelConfig& config, LayerLayout layout);
    void forward(Compute&, const BatchView&, const LayerWeights&, std::byte* out_TD) const;

private:
    LayerLayout m_layout;
};

class Block {
public:
    Block(const arch::ModelConfig& config, LayerLayout layout, DType operandType);
    ~Block();

    // Upper bounds for T tokens in sequences of at most maxLength; bytes.
    int64_t savedBytes(int64_t numTokens) const;
    int64_t workspaceBytes(int64_t numTokens, int64_t numSequences, int64_t maxLength) const;

    void forward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* out_TD) const;
    // The same kernels and bits; keeps in `saved` what backward needs.
    void forwardSaving(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* out_TD,
                       std::byte* saved) const;
    // dIn may be null (nothing below is trained). dIn may not alias dOut.
    void backward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, const std::byte* saved,
                  const std::byte* dOut_TD, std::byte* dIn_TD, GradientView gradients) const;
    // Forward of the tokens of one sequence that follow the cached ones. Positions are absolute; no dropout.
    void forwardCached(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* out_TD,
                       const KvCacheView&) const;

private:
    std::unique_ptr<const BlockShape> m_shape;
};

// Final norm, language head and cross-entropy in one, chunk by chunk: the whole logits never exist.
class Head {
public:
    Head(const arch::ModelConfig& config, LayerLayout layout, DType operandType);
    ~Head();

    int64_t workspaceBytes(int64_t numTokens) const;

    // lossSum[0] (fp64, device) = sum over trained tokens of the cross-entropy.
    void forward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, double* lossSum) const;
    // The same loss bits, and the gradient of gradientScale * lossSum. dIn may be null.
    void forwardBackward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, double* lossSum,
                         std::byte* dIn_TD, GradientView gradients) const;
    // Logits of chosen rows, for generation and tests: logits [rows.size(), V] of the operand type.
    void logits(Compute&, const LayerWeights&, const std::byte* in_TD, int64_t numTokens, std::span<const int32_t> rows,
                std::byte* logits_RV) const;

private:
    std::unique_ptr<const HeadShape> m_shape;
};

// All layers of a model, in order. Immutable, shared by all devices.
struct Model {
    arch::ModelSpec spec;
    arch::LoraConfig lora;
    DType operandType = DType::kF32;
    std::vector<LayerLayout> layouts; // index: LayerId
    std::unique_ptr<Embedding> embedding;
    std::vector<std::unique_ptr<Block>> blocks;
    std::unique_ptr<Head> head;

    int32_t numLayers() const { return static_cast<int32_t>(layouts.size()); }
    int64_t hiddenBytes(int64_t numTokens) const; // of hidden_TD
    int32_t firstTrainableLayer() const;          // numLayers() when none is
};
std::unique_ptr<const Model> makeModel(const arch::ModelSpec& spec, const arch::LoraConfig& lora, DType operandType);

} // namespace roundpipe::model
