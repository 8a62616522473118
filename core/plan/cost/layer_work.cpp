#include "plan/cost/layer_work.h"

#include "geometry/head.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace roundpipe::plan {
namespace {

using arch::LinearSpec;
using arch::ModelConfig;
using arch::TensorRole;

// Query-key pairs of one causal sequence.
double pairsOf(double length, double window) {
    if (window <= 0 || length <= window) return length * (length + 1) / 2;
    return window * (window + 1) / 2 + (length - window) * window;
}

// Appends kernels, with the sizes of the run at hand.
class Issue {
public:
    Issue(std::vector<KernelWork>& kernels, const TrainingShape& shape)
        : m_kernels(kernels)
        , m_operand(static_cast<double>(sizeOf(shape.operandType)))
        , m_statistics(static_cast<double>(sizeOf(shape.statisticsType()))) {}

    double operand() const { return m_operand; }
    double statistics() const { return m_statistics; }

    void pass(double bytes) { m_kernels.push_back({KernelWork::Kind::kPass, 0, bytes}); }
    void heavyPass(double bytes) { m_kernels.push_back({KernelWork::Kind::kHeavyPass, 0, bytes}); }
    // A pass over `elements` values of the operand type.
    void touch(double elements) { pass(elements * m_operand); }
    void drop(double elements) { heavyPass(2 * elements * m_operand); }

    // (rows, inner) times (inner, cols); `adds`: to what is there.
    void product(double rows, double cols, double inner, bool adds = false, double groups = 1) {
        if (rows <= 0) return;
        const double elements = rows * inner + inner * cols + (adds ? 2 : 1) * rows * cols;
        m_kernels.push_back({KernelWork::Kind::kProduct, 2 * groups * rows * cols * inner,
                             groups * elements * m_operand, rows, cols, inner, groups});
    }
    // A gradient of a weight: 16-bit operands summed over `inner` rows into the statistics type.
    void gradient(double rows, double cols, double inner, double groups = 1) {
        if (inner <= 0) return;
        const double bytes = (rows + cols) * inner * m_operand + 2 * rows * cols * m_statistics;
        m_kernels.push_back(
            {KernelWork::Kind::kProduct, 2 * groups * rows * cols * inner, groups * bytes, rows, cols, inner, groups});
    }
    void attention(KernelWork::Kind kind, double flops, double bytes) { m_kernels.push_back({kind, flops, bytes}); }

private:
    std::vector<KernelWork>& m_kernels;
    double m_operand, m_statistics;
};

// One linear with its adapter (core/model/linear.cpp), or the same linear of every expert in grouped products.
struct Linear {
    double in = 0, out = 0;
    double rows = 0; // of each group
    double groups = 1;
    double rank = 0; // 0: not adapted
    double dropout = 0;

    double elements(double cols) const { return groups * rows * cols; }

    void forward(Issue& issue) const {
        issue.product(rows, out, in, false, groups);
        if (rank == 0) return;
        if (dropout > 0) issue.drop(elements(in));
        issue.product(rows, rank, in, false, groups);
        issue.product(rows, out, rank, true, groups);
    }
    void inputGradient(Issue& issue, bool wanted, bool adds) const {
        if (wanted) issue.product(rows, in, out, adds, groups);
        if (rank == 0) return;
        issue.product(rows, rank, out, false, groups);
        if (!wanted) return;
        issue.product(rows, in, rank, dropout == 0, groups);
        if (dropout == 0) return;
        issue.drop(elements(in));
        issue.touch(3 * elements(in));
    }
    void adapterGradient(Issue& issue) const {
        if (rank == 0) return;
        issue.gradient(out, rank, rows, groups);
        if (dropout > 0) issue.drop(elements(in));
        issue.gradient(rank, in, rows, groups);
    }
    void backward(Issue& issue, bool wanted, bool adds) const {
        inputGradient(issue, wanted, adds);
        adapterGradient(issue);
    }
};

class BlockWork {
public:
    BlockWork(const ModelConfig& config, const arch::LayerSpec& layer, const std::vector<LinearSpec>& adapted,
              const TrainingShape& shape)
        : m_config(config)
        , m_shape(shape)
        , m_adapted(adapted)
        , m_tokens(shape.tokens())
        , m_hidden(static_cast<double>(config.hiddenSize))
        , m_queries(static_cast<double>(config.numHeads * config.headDim))
        , m_keys(static_cast<double>(config.numKvHeads * config.headDim))
        , m_sparse(layer.type == arch::BlockType::kSparse) {
        if (const std::size_t block = layer.id.index() - 1; block < config.slidingWindow.size())
            m_window = static_cast<double>(config.slidingWindow[block]);
        if (!m_sparse) return;
        m_experts = static_cast<double>(config.experts.count);
        m_routed = m_tokens * static_cast<double>(config.experts.perToken);
    }

    void forward(Issue& issue) const {
        positions(issue);
        issue.touch(2 * m_tokens * m_hidden);
        for (const TensorRole role : {TensorRole::kQ, TensorRole::kK, TensorRole::kV})
            linear(role).forward(issue);
        rotate(issue, 2);
        attentionForward(issue);
        linear(TensorRole::kO).forward(issue);
        issue.touch(3 * m_tokens * m_hidden);
        issue.touch(2 * m_tokens * m_hidden);
        if (m_sparse) routeForward(issue);
        mlpLinear(Part::kGate).forward(issue);
        mlpLinear(Part::kUp).forward(issue);
        issue.touch(3 * mlpElements());
        mlpLinear(Part::kDown).forward(issue);
        if (m_sparse) issue.touch((m_routed + m_tokens) * m_hidden); // weighted and brought together
        issue.touch(3 * m_tokens * m_hidden);
    }

    void backward(Issue& issue, bool wantsInputGradient) const {
        if (m_sparse) issue.touch((m_routed + m_tokens) * m_hidden); // handed out to the experts
        mlpLinear(Part::kDown).inputGradient(issue, true, false);
        issue.touch((isAdapted(mlpRole(Part::kDown)) ? 6 : 5) * mlpElements());
        mlpLinear(Part::kDown).adapterGradient(issue);
        issue.touch(2 * m_tokens * m_hidden);
        if (m_sparse) issue.touch(2 * m_routed * m_hidden); // gathered again
        mlpLinear(Part::kGate).backward(issue, true, false);
        mlpLinear(Part::kUp).backward(issue, true, true);
        if (m_sparse) routeBackward(issue);
        issue.touch(4 * m_tokens * m_hidden);

        positions(issue);
        const bool goesOn =
            wantsInputGradient || isAdapted(TensorRole::kQ) || isAdapted(TensorRole::kK) || isAdapted(TensorRole::kV);
        linear(TensorRole::kO).backward(issue, goesOn, false);
        if (!goesOn) return;
        if (m_config.qkNorm) rotate(issue, 2);
        attentionBackward(issue);
        rotate(issue, m_config.qkNorm ? 3 : 2);
        issue.touch(2 * m_tokens * m_hidden);
        linear(TensorRole::kQ).backward(issue, wantsInputGradient, false);
        linear(TensorRole::kK).backward(issue, wantsInputGradient, true);
        linear(TensorRole::kV).backward(issue, wantsInputGradient, true);
        if (wantsInputGradient) issue.touch(4 * m_tokens * m_hidden);
    }

private:
    enum class Part { kGate, kUp, kDown };

    bool isAdapted(TensorRole role) const {
        return std::ranges::any_of(m_adapted, [&](const LinearSpec& linear) { return linear.role == role; });
    }
    bool drops() const { return !m_adapted.empty() && m_shape.lora.dropout > 0; }

    Linear adapted(Linear linear, TensorRole role) const {
        if (!isAdapted(role)) return linear;
        linear.rank = static_cast<double>(m_shape.lora.rank);
        linear.dropout = m_shape.lora.dropout;
        return linear;
    }
    Linear linear(TensorRole role) const {
        const double width = role == TensorRole::kK || role == TensorRole::kV ? m_keys : m_queries;
        const bool output = role == TensorRole::kO;
        return adapted({output ? m_queries : m_hidden, output ? m_hidden : width, m_tokens}, role);
    }
    TensorRole mlpRole(Part part) const {
        using enum TensorRole;
        constexpr std::array kDense{kGate, kUp, kDown};
        constexpr std::array kExperts{kExpertGate, kExpertUp, kExpertDown};
        return (m_sparse ? kExperts : kDense)[static_cast<std::size_t>(part)];
    }
    // Every expert's weights are read, however few rows it gets: with thousands of tokens each one gets some.
    Linear mlpLinear(Part part) const {
        const double inner =
            static_cast<double>(m_sparse ? m_config.experts.intermediateSize : m_config.intermediateSize);
        Linear linear{part == Part::kDown ? inner : m_hidden, part == Part::kDown ? m_hidden : inner, m_tokens};
        if (m_sparse) {
            linear.rows = m_routed / m_experts;
            linear.groups = m_experts;
        }
        return adapted(linear, mlpRole(part));
    }
    double mlpElements() const { // of gate, of up and of what follows
        return m_sparse ? m_routed * static_cast<double>(m_config.experts.intermediateSize)
                        : m_tokens * static_cast<double>(m_config.intermediateSize);
    }

    void positions(Issue& issue) const {
        issue.pass(static_cast<double>(m_config.headDim) * 4); // frequencies
        issue.pass(m_tokens * static_cast<double>(m_config.headDim) * issue.statistics());
        if (drops()) issue.pass(m_tokens * 12);
    }
    // q and k, each touched `times`, and the table of cosines and sines.
    void rotate(Issue& issue, double times) const {
        const double table = m_tokens * static_cast<double>(m_config.headDim) * issue.statistics();
        issue.heavyPass(times * m_tokens * m_queries * issue.operand() + table);
        issue.heavyPass(times * m_tokens * m_keys * issue.operand() + table);
    }
    double pairs() const { return m_shape.usualSequences() * pairsOf(m_shape.lengthOfSequences(), m_window); }
    // Results come from the library's own memory and are copied (core/model/flash_attention.cpp).
    void attentionForward(Issue& issue) const {
        const double sums = m_tokens * static_cast<double>(m_config.numHeads) * issue.statistics();
        issue.attention(KernelWork::Kind::kAttentionForward, 4 * pairs() * m_queries,
                        2 * m_tokens * (m_queries + m_keys) * issue.operand() + sums);
        issue.touch(2 * m_tokens * m_queries);
        issue.pass(2 * sums);
    }
    void attentionBackward(Issue& issue) const {
        issue.attention(KernelWork::Kind::kAttentionBackward, 10 * pairs() * m_queries,
                        4 * m_tokens * (m_queries + m_keys) * issue.operand());
        issue.touch(2 * m_tokens * m_queries);
        issue.touch(2 * m_tokens * m_keys);
        issue.touch(2 * m_tokens * m_keys);
    }
    // Router, softmax with top-k, sorting, and copies of the rows side by side for each expert.
    void routeForward(Issue& issue) const {
        issue.product(m_tokens, m_experts, m_hidden);
        issue.pass(3 * m_tokens * m_experts * issue.statistics());
        issue.pass(4 * m_routed * 4);
        issue.touch(2 * m_routed * m_hidden);
    }
    // Copies added up per token, and the gradient by way of the routing weights.
    void routeBackward(Issue& issue) const {
        issue.touch((m_routed + m_tokens) * m_hidden);
        issue.touch(2 * mlpElements());
        issue.pass(3 * m_tokens * m_experts * issue.statistics());
        issue.product(m_tokens, m_hidden, m_experts, true);
    }

    const ModelConfig& m_config;
    const TrainingShape& m_shape;
    const std::vector<LinearSpec>& m_adapted;
    double m_tokens, m_hidden, m_queries, m_keys;
    bool m_sparse;
    double m_window = 0;
    double m_experts = 0;
    double m_routed = 0; // rows that the experts compute, all together
};

// Chunk by chunk, as core/model/head.cpp: every chunk reads the whole table.
LayerWork headWork(const ModelConfig& config, bool isAdapted, const TrainingShape& shape, bool wantsInputGradient) {
    LayerWork work;
    Issue forward(work.forward, shape), backward(work.backward, shape);
    const double hidden = static_cast<double>(config.hiddenSize);
    const double vocab = static_cast<double>(config.vocabSize);
    const double rows = shape.tokens() * shape.trainedShare;
    const double chunk = static_cast<double>(
        geometry::headChunkRows(config.vocabSize, std::llround(std::ceil(rows)), shape.operandType));
    if (wantsInputGradient) backward.touch(shape.tokens() * hidden);
    for (double first = 0; first < rows; first += chunk) {
        Linear linear{hidden, vocab, std::min(chunk, rows - first)};
        if (isAdapted) linear.rank = static_cast<double>(shape.lora.rank);
        if (isAdapted) linear.dropout = shape.lora.dropout;
        forward.touch(2 * linear.rows * hidden);
        forward.pass(8 * linear.rows);
        forward.touch(2 * linear.rows * hidden);
        linear.forward(forward);
        forward.heavyPass(2 * linear.rows * vocab * forward.operand());
        forward.pass(4 * linear.rows);
        linear.backward(backward, wantsInputGradient, false);
        if (!wantsInputGradient) continue;
        backward.touch(3 * linear.rows * hidden);
        backward.touch(2 * linear.rows * hidden);
    }
    return work;
}

} // namespace

double totalFlops(const std::vector<KernelWork>& kernels) {
    double sum = 0;
    for (const KernelWork& kernel : kernels)
        sum += kernel.flops;
    return sum;
}

double totalBytes(const std::vector<KernelWork>& kernels) {
    double sum = 0;
    for (const KernelWork& kernel : kernels)
        sum += kernel.bytes;
    return sum;
}

LayerWork layerWork(const arch::ModelSpec& model, LayerId layer, const std::vector<LinearSpec>& adapted,
                    const TrainingShape& shape, bool wantsInputGradient) {
    const arch::LayerKind kind = model.layers[layer.index()].kind;
    if (kind == arch::LayerKind::kHead) return headWork(model.config, !adapted.empty(), shape, wantsInputGradient);
    LayerWork work;
    Issue forward(work.forward, shape), backward(work.backward, shape);
    if (kind == arch::LayerKind::kEmbedding) {
        forward.touch(2 * shape.tokens() * static_cast<double>(model.config.hiddenSize));
        return work;
    }
    const BlockWork block(model.config, model.layers[layer.index()], adapted, shape);
    block.forward(forward);
    block.backward(backward, wantsInputGradient);
    return work;
}

} // namespace roundpipe::plan
