// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/gguf/gguf_adapter.h"

#include "arch/safetensors_write.h"
#include "artifact/adapter_names.h"
#include "artifact/gguf/gguf_names.h"
#include "artifact/output/put_aside.h"
#include "base/error.h"
#include "base/file.h"

#include <algorithm>

namespace roundpipe::artifact {
namespace {

constexpr const char* kAlpha = "adapter.lora.alpha";

// A linear layer that is adapted, and what the file calls it.
struct Adapted {
    const MergedTensor* tensor = nullptr;
    std::string name;
    HeadOrder order; // of the rows of B
};

std::vector<Adapted> adaptedOf(const MergedModel& model) {
    std::vector<Adapted> all;
    for (const arch::LayerSpec& layer : model.spec().layers)
        for (const arch::TensorSpec& tensor : layer.tensors) {
            const bool isHead = tensor.role == arch::TensorRole::kLmHead;
            const MergedTensor* merged = model.find(isHead ? "lm_head.weight" : tensor.name);
            if (merged == nullptr || merged->products.empty()) continue;
            if (isHead && model.isUntied())
                throw unsupported(
                    "The adapter changes the head, which is the embedding in this model: llama.cpp has no "
                    "tensor to lay it over.",
                    "Export the merged model instead (--to gguf), where the head gets a table of its own.");
            all.push_back({merged, ggufName(layer, tensor), headOrderOf(model.spec().config, tensor.role)});
        }
    return all;
}

// A and B of one layer as they go into the file, with rows of B in its order.
struct Pair {
    int64_t rank = 0;
    std::vector<float> a, b;
};

double strengthOf(const MergedTensor::Product& product) {
    return product.weight * product.module->scale * static_cast<double>(product.module->rank);
}

class AdapterPairs {
public:
    explicit AdapterPairs(const MergedModel& model) : m_combined(model), m_adapted(adaptedOf(model)) {
        m_isSingle =
            std::ranges::all_of(m_adapted, [](const Adapted& one) { return one.tensor->products.size() == 1; });
    }
    const std::vector<Adapted>& adapted() const { return m_adapted; }
    int64_t rankOf(const Adapted& one) const {
        return m_isSingle ? one.tensor->products.front().module->rank : m_combined.rank();
    }
    // The strength of a single adapter's first module times its rank; of several, which are made one of scale 1, its
    // rank.
    double alpha() const {
        return m_isSingle ? strengthOf(m_adapted.front().tensor->products.front())
                          : static_cast<double>(m_combined.rank());
    }
    Pair make(const Adapted& one) const {
        Pair pair;
        pair.rank = rankOf(one);
        std::vector<float> b;
        float factor = 1;
        if (m_isSingle) {
            const MergedTensor::Product& product = one.tensor->products.front();
            pair.a = product.lora->readA(*product.module);
            b = product.lora->readB(*product.module);
            factor = static_cast<float>(strengthOf(product) / alpha()); // 1 where all modules are alike
        } else {
            CombinedModule made = m_combined.make(*one.tensor);
            pair.a = std::move(made.a);
            b = std::move(made.b);
        }
        pair.b.resize(b.size());
        for (int64_t row = 0; row < one.tensor->rows(); ++row)
            for (int64_t k = 0; k < pair.rank; ++k)
                pair.b[static_cast<std::size_t>(row * pair.rank + k)] =
                    factor * b[static_cast<std::size_t>(one.order.rowInCheckpoint(row) * pair.rank + k)];
        return pair;
    }

private:
    CombinedAdapter m_combined; // refuses what is no product
    std::vector<Adapted> m_adapted;
    bool m_isSingle = true;
};

GgufHeader headerOf(const AdapterPairs& pairs, const MergedModel& model, GgmlType type, const std::string& name) {
    GgufHeader header;
    header.set("general.architecture", ggufArchitecture(model.spec().config));
    header.set("general.type", std::string("adapter"));
    header.set("general.name", name);
    header.set("adapter.type", std::string("lora"));
    header.set(kAlpha, static_cast<float>(pairs.alpha()));
    for (const Adapted& one : pairs.adapted()) {
        header.tensors.push_back({one.name + ".lora_a", type, {pairs.rankOf(one), one.tensor->cols()}, 0});
        header.tensors.push_back({one.name + ".lora_b", type, {one.tensor->rows(), pairs.rankOf(one)}, 0});
    }
    header.placeTensors();
    return header;
}

void putMatrix(PutAside& out, const GgufTensor& tensor, std::span<const float> values) {
    const auto bytes = static_cast<std::size_t>(tensor.bytes());
    const std::size_t padded = (bytes + kGgufAlignment - 1) / kGgufAlignment * kGgufAlignment;
    const std::span<std::byte> into = out.next(padded);
    std::ranges::fill(into.subspan(bytes), std::byte{0});
    if (!encodeRows(tensor.type, values.data(), tensor.rows(), tensor.cols(), into.data()))
        throw invalidInput("The adapter's '" + tensor.name + "' has values that are no numbers, or too large for " +
                               toString(tensor.type) + ".",
                           "Look at the run's loss: where it is not finite, the adapter is broken.");
    out.put();
}

} // namespace

int64_t bytesOfGgufAdapter(const MergedModel& model, GgmlType type) {
    GgufHeader header = headerOf(AdapterPairs(model), model, type, "");
    return header.placeTensors() + static_cast<int64_t>(header.bytes().size());
}

void writeGgufAdapter(OutputFolder& out, const std::string& fileName, const MergedModel& model, GgmlType type,
                      const std::string& name) {
    const AdapterPairs pairs(model);
    const GgufHeader header = headerOf(pairs, model, type, name);
    out.write(fileName, [&](const PutBytes& put) {
        const std::string start = header.bytes();
        put(std::as_bytes(std::span(start)));
        PutAside aside(put);
        for (std::size_t i = 0; i < pairs.adapted().size(); ++i) {
            const Pair pair = pairs.make(pairs.adapted()[i]);
            putMatrix(aside, header.tensors[2 * i], pair.a);
            putMatrix(aside, header.tensors[2 * i + 1], pair.b);
        }
        aside.finish();
    });
}

void readGgufAdapter(const GgufFile& file, const MergedModel& model, const std::filesystem::path& folder) {
    const float* alpha = file.header().get<float>(kAlpha);
    if (alpha == nullptr || *alpha == 0)
        throw invalidInput("'" + file.path().string() + "' does not say its alpha.", "Export it again.");
    std::vector<arch::TensorToWrite> tensors;
    std::vector<std::vector<float>> values; // of the tensors
    std::string targets;
    int64_t largestRank = 0;
    const std::vector<Adapted> adapted = adaptedOf(model);
    values.reserve(2 * adapted.size());
    for (const Adapted& one : adapted)
        largestRank = std::max(largestRank, file.require(one.name + ".lora_a").rows());
    for (const Adapted& one : adapted) {
        const GgufTensor& a = file.require(one.name + ".lora_a");
        const GgufTensor& b = file.require(one.name + ".lora_b");
        const int64_t rank = a.rows();
        std::vector<float> readA(static_cast<std::size_t>(rank * a.cols())),
            readB(static_cast<std::size_t>(b.rows() * rank));
        file.read(a, 0, rank, readA);
        file.read(b, 0, b.rows(), readB);
        readA.resize(static_cast<std::size_t>(largestRank * a.cols())); // our engine has one rank for all: zeros below
        std::vector<float> orderedB(static_cast<std::size_t>(b.rows() * largestRank));
        const float scale = *alpha / static_cast<float>(rank);
        for (int64_t row = 0; row < b.rows(); ++row)
            for (int64_t k = 0; k < rank; ++k)
                orderedB[static_cast<std::size_t>(row * largestRank + k)] =
                    scale * readB[static_cast<std::size_t>(one.order.rowInGguf(row) * rank + k)];
        const std::string module = one.tensor->name.substr(0, one.tensor->name.rfind('.'));
        targets += (targets.empty() ? "\"" : ", \"") + module + "\"";
        values.push_back(std::move(readA));
        tensors.push_back(
            {tensorNameA(module), DType::kF32, {largestRank, a.cols()}, std::as_bytes(std::span(values.back()))});
        values.push_back(std::move(orderedB));
        tensors.push_back(
            {tensorNameB(module), DType::kF32, {b.rows(), largestRank}, std::as_bytes(std::span(values.back()))});
    }
    arch::writeSafetensors(folder / kAdapterWeightsFile, tensors, {{"format", "pt"}});
    const std::string rank = std::to_string(largestRank);
    writeFileAtomically(folder / kAdapterConfigFile, R"({"peft_type": "LORA", "r": )" + rank + R"(, "lora_alpha": )" +
                                                         rank + R"(, "target_modules": [)" + targets + "]}\n");
}

} // namespace roundpipe::artifact
