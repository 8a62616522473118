// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/merge/combined_adapter.h"

#include "arch/safetensors_write.h"
#include "artifact/adapter_names.h"
#include "artifact/base_fingerprint.h"
#include "artifact/merge/merged_folder.h"
#include "artifact/output/put_aside.h"
#include "artifact/tokenizer_files.h"
#include "base/error.h"
#include "base/file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <set>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

std::string moduleOf(const MergedTensor& tensor) {
    return tensor.name.substr(0, tensor.name.size() - std::string_view(".weight").size());
}

std::string configOf(const CombinedAdapter& adapter, const std::string& baseName) {
    std::set<std::string> targets;
    for (const MergedTensor* tensor : adapter.adapted())
        targets.insert(moduleOf(*tensor)); // whole names: parts could match more than what is adapted
    nlohmann::ordered_json config{
        {"peft_type", "LORA"},    {"task_type", "CAUSAL_LM"},  {"base_model_name_or_path", baseName},
        {"inference_mode", true}, {"r", adapter.rank()},       {"lora_alpha", adapter.rank()},
        {"lora_dropout", 0.0},    {"use_rslora", false},       {"target_modules", targets},
        {"bias", "none"},         {"fan_in_fan_out", false},   {"init_lora_weights", true},
        {"use_dora", false},      {"modules_to_save", nullptr}};
    return config.dump(2) + "\n";
}

void putFloats(PutAside& out, std::span<const float> values) {
    std::memcpy(out.next(values.size_bytes()).data(), values.data(), values.size_bytes());
    out.put();
}

} // namespace

CombinedAdapter::CombinedAdapter(const MergedModel& model) {
    for (const MergedTensor& tensor : model.tensors()) {
        int64_t rank = 0;
        for (const MergedTensor::Product& product : tensor.products)
            rank += product.module->rank;
        m_rank = std::max(m_rank, rank);
        if (rank > 0) m_adapted.push_back(&tensor);
        if (tensor.entry->name.starts_with(kPrefix))
            throw unsupported("'" + moduleOf(tensor) + "' was trained whole, which is no product of two matrices.",
                              "Export the merged model (--to merged, gguf or ollama).");
    }
    if (m_adapted.empty()) throw invalidInput("There is no adapter to export.", "Name one or more with --adapter.");
}

int64_t CombinedAdapter::bytes() const {
    int64_t elements = 0;
    for (const MergedTensor* tensor : m_adapted)
        elements += m_rank * (tensor->rows() + tensor->cols());
    return elements * static_cast<int64_t>(sizeof(float));
}

CombinedModule CombinedAdapter::make(const MergedTensor& tensor) const {
    CombinedModule made{moduleOf(tensor), tensor.cols(), tensor.rows(), {}, {}};
    made.a.resize(static_cast<std::size_t>(m_rank * made.inFeatures));
    made.b.resize(static_cast<std::size_t>(m_rank * made.outFeatures));
    int64_t first = 0; // of its ranks
    for (const MergedTensor::Product& product : tensor.products) {
        const int64_t rank = product.module->rank;
        std::ranges::copy(product.lora->readA(*product.module), made.a.begin() + first * made.inFeatures);
        const std::vector<float> b = product.lora->readB(*product.module);
        const double scale = product.weight * product.module->scale;
        for (int64_t row = 0; row < made.outFeatures; ++row)
            for (int64_t k = 0; k < rank; ++k)
                made.b[static_cast<std::size_t>(row * m_rank + first + k)] =
                    static_cast<float>(scale * static_cast<double>(b[static_cast<std::size_t>(row * rank + k)]));
        first += rank;
    }
    return made;
}

void writeCombined(OutputFolder& out, const MergedModel& model, const std::string& baseName) {
    const CombinedAdapter adapter(model);
    std::vector<arch::TensorToCome> toCome;
    for (const MergedTensor* tensor : adapter.adapted()) {
        toCome.push_back({tensorNameA(moduleOf(*tensor)), DType::kF32, {adapter.rank(), tensor->cols()}});
        toCome.push_back({tensorNameB(moduleOf(*tensor)), DType::kF32, {tensor->rows(), adapter.rank()}});
    }
    out.write(kAdapterWeightsFile, [&](const PutBytes& put) {
        const std::string start = arch::safetensorsStart(toCome, {{"format", "pt"}});
        put(std::as_bytes(std::span(start)));
        PutAside aside(put);
        for (const MergedTensor* tensor : adapter.adapted()) {
            const CombinedModule made = adapter.make(*tensor);
            putFloats(aside, made.a);
            putFloats(aside, made.b);
        }
        aside.finish();
    });
    out.write(kAdapterConfigFile, configOf(adapter, baseName));
    if (!model.baseWeights().empty()) out.write(kBaseFile, baseJson(model.baseWeights()));
    writeTextFiles(out, model);
}

void copyAdapter(OutputFolder& out, const fs::path& adapter) {
    out.copy(adapter / kAdapterWeightsFile, kAdapterWeightsFile);
    out.copy(adapter / kAdapterConfigFile, kAdapterConfigFile);
    for (const TokenizerFile& file : tokenizerFilesOf(adapter, {}))
        out.copy(file.source, file.name);
    if (fs::exists(adapter / kBaseFile)) out.copy(adapter / kBaseFile, kBaseFile);
}

} // namespace roundpipe::artifact
