#include "plan/cost/layer_sizes.h"

#include "base/error.h"
#include "base/units.h"

#include <algorithm>
#include <set>

namespace roundpipe::plan {
namespace {

using arch::LayerSpec;
using arch::LinearSpec;
using arch::ModelConfig;
using arch::TensorRole;
using arch::TensorSpec;

constexpr int64_t kLogitsChunkBytes = 64 * kMiB; // core/model/head.cpp
constexpr int64_t kWidenedRows = 256;            // core/model/products.cpp

int64_t sizeOfType(DType dtype) {
    return static_cast<int64_t>(sizeOf(dtype));
}

bool isExpertMatrix(TensorRole role) {
    using enum TensorRole;
    return role == kExpertGate || role == kExpertUp || role == kExpertDown || role == kExpertsGateUp ||
           role == kExpertsDown;
}

bool isBlockMatrix(TensorRole role) {
    using enum TensorRole;
    return isExpertMatrix(role) || role == kQ || role == kK || role == kV || role == kO || role == kGate ||
           role == kUp || role == kDown;
}

// As it travels.
int64_t travellingBytes(const TensorSpec& tensor, const TrainingShape& shape) {
    const WeightFormat& format = shape.weights;
    const bool packed =
        format.packed() && (format.expertsOnly ? isExpertMatrix(tensor.role) : isBlockMatrix(tensor.role));
    if (!packed) return tensor.numElements() * sizeOfType(shape.operandType);
    return (tensor.numElements() * format.bits + 7) / 8 +
           (tensor.numElements() + format.groupSize - 1) / format.groupSize * format.scaleBytes;
}

struct BaseBytes {
    int64_t onDevice = 0; // BaseLayout::bytes
    int64_t up = 0;       // HostWeightStore::uploadBytes: tensors side by side, the last one without its padding
};

// Whether no earlier layer has the tensor: only a tied head shares one.
bool isOwn(const arch::ModelSpec& model, const TensorSpec& tensor) {
    return tensor.role != TensorRole::kLmHead || !model.config.tiedEmbeddings;
}

// What an earlier layer owns is a copy of its own.
BaseBytes baseBytes(const arch::ModelSpec& model, const LayerSpec& layer, const TrainingShape& shape) {
    BaseBytes bytes;
    int64_t joined = 0; // end of the last tensor that travels in one piece with those before it
    for (const TensorSpec& tensor : layer.tensors) {
        bytes.onDevice += aligned(tensor.numElements() * sizeOfType(shape.operandType));
        const int64_t travelling = travellingBytes(tensor, shape);
        if (isOwn(model, tensor))
            joined = aligned(joined) + travelling;
        else
            bytes.up += travelling;
    }
    bytes.up += joined;
    if (shape.weights.packed() && layer.kind == arch::LayerKind::kBlock) bytes.onDevice += aligned(bytes.up);
    return bytes;
}

// Adds up buffers of a workspace.
class Sum {
public:
    Sum(const TrainingShape& shape, int64_t rows)
        : m_rows(rows), m_operand(sizeOfType(shape.operandType)), m_statistics(sizeOfType(shape.statisticsType())) {}
    void operands(int64_t cols) { bytes(m_rows * cols * m_operand); }
    void statistics(int64_t cols) { bytes(m_rows * cols * m_statistics); }
    void integers(int64_t cols, int64_t bytesEach) { bytes(m_rows * cols * bytesEach); }
    void bytes(int64_t count) { m_total += aligned(count); }
    int64_t total() const { return m_total; }

private:
    int64_t m_rows, m_operand, m_statistics;
    int64_t m_total = 0;
};

// Scratch of gradient products, where 16-bit operands are widened.
int64_t widenedBytes(const TrainingShape& shape, int64_t width) {
    return shape.statisticsType() == shape.operandType ? 0 : kWidenedRows * width * 4;
}

// A block's buffers for the microbatch with the most tokens (core/model/block_shape.cpp, block.cpp, attention_part.cpp,
// mlp_part.cpp). A sparse block is an estimate: routed copies of the rows in the place of the MLP's.
class BlockBuffers {
public:
    BlockBuffers(const ModelConfig& config, bool sparse, const std::vector<LinearSpec>& adapted,
                 const TrainingShape& shape)
        : m_config(config)
        , m_shape(shape)
        , m_adapted(adapted)
        , m_sparse(sparse)
        , m_rank(adapted.empty() ? 0 : shape.lora.rank)
        , m_dropout(!adapted.empty() && shape.lora.dropout > 0)
        , m_queries(config.numHeads * config.headDim)
        , m_keys(config.numKvHeads * config.headDim)
        , m_inner(sparse ? config.experts.perToken * config.experts.intermediateSize : config.intermediateSize) {}

    int64_t saved() const {
        Sum sum(m_shape, m_shape.maxTokens());
        sum.operands(m_queries);
        sum.operands(m_keys);
        sum.operands(m_keys);
        sum.operands(m_queries);
        sum.statistics(m_config.numHeads);
        sum.operands(m_config.hiddenSize);
        sum.operands(m_inner);
        sum.operands(m_inner);
        addAdapterProducts(sum);
        if (m_sparse) addRouting(sum);
        return sum.total();
    }

    int64_t workspace() const {
        return std::max(saved() + scratch(),
                        scratch() + backwardScratch() + std::max(mlpBackward(), attentionBackward()));
    }

private:
    // One xA for each adapted linear; of experts one for each kind, over the routed rows.
    void addAdapterProducts(Sum& sum) const {
        std::set<TensorRole> roles;
        for (const LinearSpec& linear : m_adapted)
            if (roles.insert(linear.role).second)
                sum.operands(isExpertMatrix(linear.role) ? m_config.experts.perToken * m_rank : m_rank);
    }

    // Routing weights, and where each routed row comes from and goes to.
    void addRouting(Sum& sum) const {
        sum.statistics(m_config.experts.count);
        sum.integers(m_config.experts.perToken, 4);
        sum.integers(m_config.experts.perToken, 4);
    }

    int64_t scratch() const {
        Sum sum(m_shape, m_shape.maxTokens());
        sum.operands(m_config.hiddenSize);
        sum.operands(m_inner);
        if (m_config.qkNorm) {
            sum.operands(m_queries);
            sum.operands(m_keys);
        }
        sum.bytes(m_config.headDim / 2 * 8);
        sum.statistics(m_config.headDim);
        if (m_dropout) {
            sum.integers(1, 8);
            sum.operands(widestInput());
        }
        if (m_sparse) sum.operands(m_config.experts.perToken * m_config.hiddenSize); // gathered rows
        return sum.total();
    }

    int64_t backwardScratch() const {
        Sum sum(m_shape, m_shape.maxTokens());
        sum.operands(m_config.hiddenSize);
        sum.operands(m_rank);
        sum.bytes(widenedBytes(m_shape, widestLinear() + m_rank));
        if (m_dropout) sum.operands(widestInput());
        return sum.total();
    }

    int64_t mlpBackward() const {
        Sum sum(m_shape, m_shape.maxTokens());
        for (int i = 0; i < 3; ++i)
            sum.operands(m_inner);
        sum.statistics(1);
        if (m_sparse) {
            sum.operands(m_config.experts.perToken * m_config.hiddenSize); // gradients of the gathered rows
            sum.statistics(m_config.experts.count);
        }
        return sum.total();
    }

    int64_t attentionBackward() const {
        Sum sum(m_shape, m_shape.maxTokens());
        sum.operands(m_queries);
        sum.operands(m_queries);
        sum.operands(m_keys);
        sum.operands(m_keys);
        sum.statistics(1);
        if (m_config.qkNorm) {
            sum.statistics(m_config.numHeads);
            sum.statistics(m_config.numKvHeads);
        }
        sum.statistics(m_config.numHeads);
        return sum.total();
    }

    int64_t mlpSize() const { return m_sparse ? m_config.experts.intermediateSize : m_config.intermediateSize; }
    int64_t widestInput() const { return std::max({m_config.hiddenSize, m_queries, mlpSize()}); }
    int64_t widestLinear() const { return m_config.hiddenSize + std::max(m_queries, mlpSize()); }

    const ModelConfig& m_config;
    const TrainingShape& m_shape;
    const std::vector<LinearSpec>& m_adapted;
    bool m_sparse;
    int64_t m_rank;
    bool m_dropout;
    int64_t m_queries, m_keys;
    int64_t m_inner; // columns of gate and of up, all routed copies of a token together
};

// core/model/head.cpp
int64_t headWorkspace(const ModelConfig& config, const std::vector<LinearSpec>& adapted, const TrainingShape& shape) {
    const int64_t rank = adapted.empty() ? 0 : shape.lora.rank;
    Sum all(shape, shape.maxTokens());
    Sum chunk(shape, headChunkRows(config.vocabSize, shape.maxTokens(), shape.operandType));
    for (int i = 0; i < 3; ++i)
        chunk.operands(config.hiddenSize);
    chunk.operands(config.vocabSize);
    chunk.operands(rank);
    chunk.operands(rank);
    chunk.bytes(widenedBytes(shape, config.hiddenSize + config.vocabSize));
    chunk.statistics(1);
    chunk.statistics(1);
    chunk.integers(1, 4);
    all.integers(1, 8);
    if (!adapted.empty() && shape.lora.dropout > 0) {
        all.integers(1, 8);
        chunk.integers(1, 8);
        chunk.operands(config.hiddenSize);
        chunk.operands(config.hiddenSize);
    }
    Sum chosenRows(shape, shape.maxTokens()); // Head::logits
    chosenRows.operands(config.hiddenSize);
    chosenRows.operands(rank);
    return std::max(all.total() + chunk.total(), chosenRows.total());
}

} // namespace

int64_t headChunkRows(int64_t vocabSize, int64_t numRows, DType operandType) {
    return std::clamp(kLogitsChunkBytes / (vocabSize * sizeOfType(operandType)), int64_t{1},
                      std::max(numRows, int64_t{1}));
}

int32_t firstTrainableLayer(const std::vector<std::vector<LinearSpec>>& adapted) {
    for (std::size_t l = 0; l < adapted.size(); ++l)
        if (!adapted[l].empty()) return static_cast<int32_t>(l);
    throw invalidInput("No layer of the model is trained.", "Name at least one target module for LoRA.");
}

std::vector<LayerSizes> layerSizes(const arch::ModelSpec& model, const std::vector<std::vector<LinearSpec>>& adapted,
                                   const TrainingShape& shape) {
    std::vector<LayerSizes> layers;
    for (const LayerSpec& layer : model.layers) {
        const auto l = layers.size();
        LayerSizes sizes;
        sizes.name = layer.name;
        sizes.isBlock = layer.kind == arch::LayerKind::kBlock;
        for (const LinearSpec& linear : adapted[l])
            sizes.trainedElements += shape.lora.rank * (linear.inFeatures + linear.outFeatures);
        const BaseBytes base = baseBytes(model, layer, shape);
        sizes.baseUp = base.up;
        sizes.adapterUp = sizes.trainedElements * sizeOfType(shape.operandType);
        sizes.weights = aligned(base.onDevice) + aligned(sizes.adapterUp);
        sizes.gradientsDown = sizes.trainedElements * sizeOfType(shape.statisticsType());
        sizes.gradients = aligned(sizes.gradientsDown);
        if (sizes.isBlock) {
            const bool sparse = model.config.experts.isSparse(static_cast<int64_t>(l) - 1);
            const BlockBuffers buffers(model.config, sparse, adapted[l], shape);
            sizes.saved = buffers.saved();
            sizes.workspace = buffers.workspace();
        } else if (layer.kind == arch::LayerKind::kHead) {
            sizes.workspace = headWorkspace(model.config, adapted[l], shape);
        }
        layers.push_back(std::move(sizes));
    }
    return layers;
}

int64_t batchBytes(const TrainingShape& shape) {
    return 4 * aligned(shape.maxTokens() * 4) + aligned((shape.sequences + 1) * 4) + aligned(shape.sequences * 8);
}

HostBytes hostBytes(const arch::ModelSpec& model, const std::vector<LayerSizes>& layers, const TrainingShape& shape) {
    HostBytes bytes;
    for (const LayerSpec& layer : model.layers)
        for (const TensorSpec& tensor : layer.tensors)
            if (isOwn(model, tensor)) bytes.base += aligned(travellingBytes(tensor, shape));
    int64_t elements = 0;
    for (const LayerSizes& layer : layers) {
        bytes.versions += 2 * aligned(layer.adapterUp);
        bytes.gradients += 2 * layer.gradients;
        bytes.masters += layer.gradients;
        bytes.moments += 2 * layer.gradientsDown;
        elements += layer.trainedElements;
    }
    bytes.adapterFile = elements * sizeOfType(shape.statisticsType());
    bytes.checkpoint = 3 * bytes.adapterFile;
    return bytes;
}

} // namespace roundpipe::plan
