#include "base/error.h"
#include "model/linear.h"

namespace roundpipe::model {

Embedding::Embedding(const arch::ModelConfig& config, LayerLayout layout) : m_layout(std::move(layout)) {
    const TensorPlace* table = m_layout.base.find(arch::TensorRole::kEmbedTokens);
    RP_CHECK(table != nullptr && table->spec.shape == std::vector<int64_t>({config.vocabSize, config.hiddenSize}));
}

void Embedding::forward(Compute& compute, const BatchView& batch, const LayerWeights& weights,
                        std::byte* out_TD) const {
    const kernels::Matrix table = matrixOf(weights, *m_layout.base.find(arch::TensorRole::kEmbedTokens));
    kernels::embed(compute.target, table, batch.ids, dense(out_TD, table.dtype, batch.numTokens, table.cols));
}

} // namespace roundpipe::model
