// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer_case.h"

#include "base/error.h"

#include <map>
#include <new>

namespace roundpipe::testing {
namespace {

void store(const std::vector<double>& values, DType dtype, std::byte* to) {
    const auto size = static_cast<int64_t>(values.size());
    kernels::convert({}, {const_cast<double*>(values.data()), DType::kF64, 1, size, size}, 1.0,
                     {to, dtype, 1, size, size});
}

std::vector<double> normal(int64_t count, double mean, double deviation, std::mt19937& engine) {
    std::normal_distribution<double> distribution(mean, deviation);
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& value : values)
        value = distribution(engine);
    return values;
}

} // namespace

Buffer::Buffer(int64_t bytes) : m_bytes(bytes) {
    const auto rounded = static_cast<std::size_t>((bytes + 511) / 256 * 256);
    m_data.reset(static_cast<std::byte*>(std::aligned_alloc(256, rounded)));
    if (!m_data) throw std::bad_alloc();
}

arch::ModelConfig tinyConfig(arch::Family family) {
    arch::ModelConfig config;
    config.family = family;
    config.vocabSize = 37;
    config.hiddenSize = 24;
    config.intermediateSize = 40;
    config.numLayers = 2;
    config.numHeads = 4;
    config.numKvHeads = 2;
    config.headDim = 6;
    config.maxPositions = 16;
    config.rope.theta = 100;
    config.slidingWindow = {0, 0};
    switch (family) {
    case arch::Family::kLlama:
        config.architecture = "LlamaForCausalLM";
        config.rope.type = arch::RopeConfig::Type::kLlama3;
        config.rope.factor = 8;
        config.rope.originalMaxPositions = 16;
        break;
    case arch::Family::kMistral:
        config.architecture = "MistralForCausalLM";
        config.slidingWindow = {3, 3};
        config.rope.type = arch::RopeConfig::Type::kDynamic;
        config.rope.factor = 2;
        config.maxPositions = 8; // the longest test sequence stretches it
        break;
    case arch::Family::kQwen2:
        config.architecture = "Qwen2ForCausalLM";
        config.qkvBias = true;
        config.tiedEmbeddings = true;
        config.slidingWindow = {0, 5};
        break;
    case arch::Family::kQwen3:
        config.architecture = "Qwen3ForCausalLM";
        config.qkNorm = true;
        config.headDim = 10; // not hidden / heads
        config.rope.type = arch::RopeConfig::Type::kYarn;
        config.rope.factor = 4;
        config.rope.originalMaxPositions = 16;
        break;
    case arch::Family::kMixtral:
        config.architecture = "MixtralForCausalLM";
        config.experts.count = 5;
        config.experts.perToken = 2;
        config.experts.intermediateSize = config.intermediateSize;
        config.experts.normalised = true;
        config.experts.sparse = {true, true};
        config.slidingWindow = {4, 4};
        break;
    case arch::Family::kQwen2Moe:
        config.architecture = "Qwen2MoeForCausalLM";
        config.qkvBias = true;
        config.experts.count = 6;
        config.experts.perToken = 2;
        config.experts.intermediateSize = 12;
        config.experts.sharedSize = 28;
        config.experts.sparse = {true, true};
        break;
    case arch::Family::kQwen3Moe:
        config.architecture = "Qwen3MoeForCausalLM";
        config.qkNorm = true;
        config.experts.count = 7;
        config.experts.perToken = 3;
        config.experts.intermediateSize = 20;
        config.experts.normalised = true;
        config.experts.sparse = {true, true};
        break;
    case arch::Family::kSmolLm3:
        config.architecture = "SmolLM3ForCausalLM";
        config.tiedEmbeddings = true;
        config.withoutRotary = {true, true};
        break;
    case arch::Family::kGranite:
        config.architecture = "GraniteForCausalLM";
        config.multipliers = {.embedding = 12, .residual = 0.22, .logits = 0.125, .attention = 0.3};
        break;
    case arch::Family::kPhi3:
        config.architecture = "Phi3ForCausalLM";
        config.fusedLinears = true;
        config.rope.type = arch::RopeConfig::Type::kLongRope;
        config.rope.partialRotaryFactor = 0.67; // 4 of 6 columns
        config.rope.originalMaxPositions = 8;   // the longest test sequence is longer
        config.rope.attentionFactor = 1.1;
        config.rope.shortFactors = {1, 1.5};
        config.rope.longFactors = {1.25, 3};
        break;
    case arch::Family::kOlmo2:
        config.architecture = "Olmo2ForCausalLM";
        config.qkNorm = config.qkNormIsWide = true;
        config.inputNorms = false;
        config.outputNorms = true;
        break;
    case arch::Family::kGemma3:
        config.architecture = "Gemma3ForCausalLM";
        config.tiedEmbeddings = true;
        config.headDim = 10; // not hidden / heads
        config.qkNorm = config.outputNorms = config.normsAddOne = config.geluGate = true;
        config.multipliers = {.embedding = 4.875, .attention = 0.3};
        config.rope.type = arch::RopeConfig::Type::kLinear;
        config.rope.factor = 8;
        config.windowRope.emplace().theta = 10;
        config.slidingWindow = {4, 0};
        break;
    case arch::Family::kGptOss:
        config.architecture = "GptOssForCausalLM";
        config.qkvBias = config.outputBias = config.attentionSinks = true;
        config.experts.count = 5;
        config.experts.perToken = 2;
        config.experts.intermediateSize = 14;
        config.experts.normalised = config.experts.stacked = true;
        config.experts.gateLimit = 1.5; // beyond which some lie
        config.experts.sparse = {true, true};
        config.slidingWindow = {0, 4};
        config.rope.type = arch::RopeConfig::Type::kYarn;
        config.rope.factor = 8;
        config.rope.originalMaxPositions = 16;
        config.rope.truncate = false;
        break;
    }
    return config;
}

std::vector<NamedConfig> wholeConfigs() {
    std::vector<NamedConfig> configs = tinyConfigs();
    std::erase_if(configs, [](const NamedConfig& named) { return named.config.experts.stacked; });
    return configs;
}

std::vector<NamedConfig> tinyConfigs() {
    std::vector<NamedConfig> configs = {{"Llama", tinyConfig(arch::Family::kLlama)},
                                        {"Mistral", tinyConfig(arch::Family::kMistral)},
                                        {"Qwen2", tinyConfig(arch::Family::kQwen2)},
                                        {"Qwen3", tinyConfig(arch::Family::kQwen3)},
                                        {"Mixtral", tinyConfig(arch::Family::kMixtral)},
                                        {"Qwen2Moe", tinyConfig(arch::Family::kQwen2Moe)},
                                        {"Qwen3Moe", tinyConfig(arch::Family::kQwen3Moe)},
                                        {"Qwen3MoeWithPlainWeights", tinyConfig(arch::Family::kQwen3Moe)},
                                        {"SmolLM3", tinyConfig(arch::Family::kSmolLm3)},
                                        {"Granite", tinyConfig(arch::Family::kGranite)},
                                        {"Phi3", tinyConfig(arch::Family::kPhi3)},
                                        {"Olmo2", tinyConfig(arch::Family::kOlmo2)},
                                        {"Gemma3", tinyConfig(arch::Family::kGemma3)},
                                        {"GptOss", tinyConfig(arch::Family::kGptOss)},
                                        {"LlamaWithBiases", tinyConfig(arch::Family::kLlama)}};
    configs[7].config.experts.normalised = false;
    arch::ModelConfig& biased = configs.back().config;
    biased.qkvBias = biased.outputBias = biased.mlpBias = true;
    biased.rope.partialRotaryFactor = 0.67; // 4 of 6 columns
    return configs;
}

arch::LoraConfig tinyLora(double dropout, std::vector<std::string> targets) {
    arch::LoraConfig lora;
    lora.rank = 3;
    lora.alpha = 5;
    lora.dropout = dropout;
    lora.targets = std::move(targets);
    return lora;
}

arch::Trained spelledFor(arch::Family family, arch::Trained trained) {
    std::map<std::string, std::string> spellings;
    if (family == arch::Family::kMixtral) spellings = {{"gate_proj", "w1"}, {"up_proj", "w3"}, {"down_proj", "w2"}};
    if (family == arch::Family::kGptOss && trained.lora.dropout > 0) // which adapters of stacked experts do not know
        spellings = {{"gate_proj", "q_proj"}, {"up_proj", "v_proj"}, {"down_proj", "o_proj"}};
    else if (family == arch::Family::kGptOss)
        spellings = {{"gate_proj", "gate_up_proj"}, {"up_proj", "gate_up_proj"}};
    if (family == arch::Family::kPhi3)
        spellings = {{"q_proj", "qkv_proj"},
                     {"k_proj", "qkv_proj"},
                     {"v_proj", "qkv_proj"},
                     {"gate_proj", "gate_up_proj"},
                     {"up_proj", "gate_up_proj"}};
    for (std::string& target : trained.lora.targets)
        if (const auto found = spellings.find(target); found != spellings.end()) target = found->second;
    return trained;
}

TokenBatch randomBatch(const std::vector<int32_t>& lengths, int64_t vocabSize) {
    std::mt19937 engine(7);
    std::uniform_int_distribution<int32_t> token(0, static_cast<int32_t>(vocabSize) - 1);
    TokenBatch batch;
    batch.starts.push_back(0);
    for (std::size_t s = 0; s < lengths.size(); ++s) {
        for (int32_t position = 0; position < lengths[s]; ++position) {
            batch.ids.push_back(token(engine));
            batch.labels.push_back(batch.ids.size() % 3 == 0 ? kIgnoredLabel : token(engine));
            batch.positions.push_back(position);
        }
        batch.starts.push_back(static_cast<int32_t>(batch.ids.size()));
        batch.exampleIds.push_back(static_cast<int64_t>(100 + 3 * s));
    }
    return batch;
}

BatchOnHost::BatchOnHost(TokenBatch tokens, bool training) : batch(std::move(tokens)), rows(model::trainedRows(batch)) {
    view.numTokens = batch.numTokens();
    view.numSequences = batch.numSequences();
    view.maxLength = batch.maxLength();
    view.ids = batch.ids.data();
    view.labels = batch.labels.data();
    view.positions = batch.positions.data();
    view.starts = batch.starts.data();
    view.exampleIds = batch.exampleIds.data();
    view.trainedRows = rows.data();
    view.startsHost = batch.starts;
    view.trainedRowsHost = rows;
    view.seed = 42;
    view.step = 5;
    view.training = training;
    view.gradientScale = rows.empty() ? 1.0 : 1.0 / static_cast<double>(rows.size());
}

geometry::LayerLayout withWidePitch(geometry::LayerLayout layout) {
    constexpr int64_t kExtraColumns = 5;
    layout.base.bytes = 0;
    bool movesGradients = false;
    for (geometry::TensorPlace& place : layout.base.tensors) {
        const int64_t cols = place.spec.shape.back();
        const int64_t rows = place.spec.numElements() / cols;
        if (place.spec.shape.size() > 1) place.pitchElements = cols + place.spareColumns + kExtraColumns;
        place.offsetBytes = layout.base.bytes;
        const int64_t bytes = rows * place.pitchElements * static_cast<int64_t>(sizeOf(place.dtype));
        layout.base.bytes += (bytes + 255) / 256 * 256;
        if (!place.isTrained()) continue;
        if (!movesGradients) layout.gradientElements = layout.adapter.numElements;
        movesGradients = true;
        const auto aligned = [&](int64_t elements) {
            const auto size = static_cast<int64_t>(sizeOf(place.dtype));
            return (elements * size + 255) / 256 * 256 / size;
        };
        place.gradientOffset = aligned(layout.gradientElements);
        layout.gradientElements = aligned(place.gradientOffset + rows * place.pitchElements);
    }
    return layout;
}

RandomWeights::RandomWeights(const geometry::LayerLayout& layout, DType dtype, uint32_t seed)
    : base(layout.base.bytes), adapter(layout.adapter.numElements * static_cast<int64_t>(sizeOf(dtype))) {
    std::mt19937 engine(seed);
    const auto elementBytes = static_cast<int64_t>(sizeOf(dtype));
    store(normal(layout.base.bytes / elementBytes, 0, 1e6, engine), dtype, base.data()); // what lies between rows
    for (const geometry::TensorPlace& place : layout.base.tensors) {
        const int64_t cols = place.spec.shape.back();
        const bool isNorm = place.spec.name.find("norm") != std::string::npos;
        const std::vector<double> values = normal(place.spec.numElements(), isNorm ? 1 : 0, 0.3, engine);
        for (std::size_t i = 0; i < values.size(); i += static_cast<std::size_t>(cols)) {
            const auto row = static_cast<int64_t>(i) / cols;
            store({values.begin() + static_cast<std::ptrdiff_t>(i),
                   values.begin() + static_cast<std::ptrdiff_t>(i) + cols},
                  dtype, base.data() + place.offsetBytes + row * place.pitchElements * elementBytes);
        }
    }
    // Linear by linear, wherever their parts lie.
    const std::vector<double> values = normal(layout.adapter.numElements, 0, 0.3, engine);
    auto next = values.begin();
    const auto storeNext = [&](int64_t offset, int64_t count) {
        store({next, next + count}, dtype, adapter.data() + offset * elementBytes);
        next += count;
    };
    for (const geometry::AdapterPlace& place : layout.adapter.linears) {
        storeNext(place.offsetA, layout.adapter.rank * place.linear.inFeatures);
        storeNext(place.offsetB, layout.adapter.rank * place.linear.outFeatures);
    }
}

CpuCompute::CpuCompute(DType dtype, int64_t workspaceBytes) : workspace(workspaceBytes) {
    compute.dtype = dtype;
    compute.workspace = geometry::Workspace(workspace.data(), workspaceBytes);
}

Buffer randomValues(int64_t count, DType dtype, double deviation, uint32_t seed) {
    std::mt19937 engine(seed);
    Buffer buffer(count * static_cast<int64_t>(sizeOf(dtype)));
    store(normal(count, 0, deviation, engine), dtype, buffer.data());
    return buffer;
}

} // namespace roundpipe::testing
