// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/merge/combined_adapter.h"

#include "arch/safetensors_write.h"
#include "artifact/adapter_names.h"
#include "artifact/base_fingerprint.h"
#include "artifact/expert_stacks.h"
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

// Of a changed tensor: (out, in) of a linear, or (experts, in, out) of a stack of them.
struct Sides {
    explicit Sides(const MergedTensor& tensor)
        : isStack(tensor.shape.size() == 3)
        , matrices(isStack ? tensor.shape[0] : 1)
        , in(isStack ? tensor.shape[1] : tensor.cols())
        , out(isStack ? tensor.shape[2] : tensor.rows()) {}
    bool isStack;
    int64_t matrices, in, out;
};

std::string moduleOf(const MergedTensor& tensor) {
    if (Sides(tensor).isStack) return tensor.name;
    return tensor.name.substr(0, tensor.name.size() - std::string_view(".weight").size());
}

// As the file names it: stacks of one module by their order in it.
std::string moduleInFile(const MergedTensor& tensor, const CombinedAdapter& adapter, const MergedModel& model) {
    if (!Sides(tensor).isStack) return moduleOf(tensor);
    const auto isAdapted = [&](const arch::TensorSpec& spec) {
        return std::ranges::find(adapter.adapted(), spec.name, &MergedTensor::name) != adapter.adapted().end();
    };
    for (const arch::LayerSpec& layer : model.spec().layers) {
        std::vector<std::string> stacks;
        for (const arch::TensorSpec& spec : layer.tensors)
            if (spec.kind == arch::TensorKind::kExpertStack && isAdapted(spec)) stacks.push_back(spec.name);
        const auto place = std::ranges::find(stacks, tensor.name);
        if (place != stacks.end())
            return wrapperOf(tensor.name, static_cast<std::size_t>(place - stacks.begin()), stacks.size());
    }
    RP_CHECK(false); // one that was changed is the model's
    return {};
}

std::string configOf(const CombinedAdapter& adapter, const std::string& baseName) {
    std::set<std::string> targets, parameters;
    for (const MergedTensor* tensor : adapter.adapted()) // whole names: parts could match more than what is adapted
        (Sides(*tensor).isStack ? parameters : targets).insert(moduleOf(*tensor));
    nlohmann::ordered_json config{
        {"peft_type", "LORA"},    {"task_type", "CAUSAL_LM"},  {"base_model_name_or_path", baseName},
        {"inference_mode", true}, {"r", adapter.rank()},       {"lora_alpha", adapter.rank()},
        {"lora_dropout", 0.0},    {"use_rslora", false},       {"target_modules", targets},
        {"bias", "none"},         {"fan_in_fan_out", false},   {"init_lora_weights", true},
        {"use_dora", false},      {"modules_to_save", nullptr}};
    if (!parameters.empty()) config["target_parameters"] = parameters;
    return config.dump(2) + "\n";
}

std::vector<float> bOfFile(const CombinedModule& stack, int64_t rank) {
    std::vector<float> file(stack.b.size());
    StackedB{stack.matrices, stack.outFeatures, rank}.toFile(std::as_bytes(std::span(stack.b)),
                                                             std::as_writable_bytes(std::span(file)));
    return file;
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
    for (const MergedTensor* tensor : m_adapted) {
        const Sides sides(*tensor);
        elements += sides.matrices * m_rank * (sides.in + sides.out);
    }
    return elements * static_cast<int64_t>(sizeof(float));
}

CombinedModule CombinedAdapter::make(const MergedTensor& tensor) const {
    const Sides sides(tensor);
    CombinedModule made{moduleOf(tensor), sides.in, sides.out, sides.matrices, {}, {}};
    made.a.resize(static_cast<std::size_t>(sides.matrices * m_rank * made.inFeatures));
    made.b.resize(static_cast<std::size_t>(sides.matrices * m_rank * made.outFeatures));
    int64_t first = 0; // of its ranks
    for (const MergedTensor::Product& product : tensor.products) {
        const int64_t rank = product.module->rank;
        const std::vector<float> a = product.lora->readA(*product.module);
        for (int64_t m = 0; m < sides.matrices; ++m)
            std::copy_n(a.begin() + m * rank * sides.in, rank * sides.in,
                        made.a.begin() + (m * m_rank + first) * sides.in);
        const std::vector<float> b = product.lora->readB(*product.module);
        const double scale = product.weight * product.module->scale;
        for (int64_t row = 0; row < sides.matrices * sides.out; ++row)
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
        const std::string module = moduleInFile(*tensor, adapter, model);
        const Sides sides(*tensor);
        const int64_t ranks = sides.matrices * adapter.rank();
        toCome.push_back({tensorNameA(module), DType::kF32, {ranks, sides.in}});
        toCome.push_back({tensorNameB(module), DType::kF32, {sides.out, ranks}});
    }
    out.write(kAdapterWeightsFile, [&](const PutBytes& put) {
        const std::string start = arch::safetensorsStart(toCome, {{"format", "pt"}});
        put(std::as_bytes(std::span(start)));
        PutAside aside(put);
        for (const MergedTensor* tensor : adapter.adapted()) {
            const CombinedModule made = adapter.make(*tensor);
            putFloats(aside, made.a);
            putFloats(aside, Sides(*tensor).isStack ? bOfFile(made, adapter.rank()) : made.b);
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
