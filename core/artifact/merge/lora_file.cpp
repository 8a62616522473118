// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/merge/lora_file.h"

#include "artifact/adapter_config.h"
#include "artifact/adapter_names.h"
#include "artifact/expert_stacks.h"
#include "base/error.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <utility>

namespace roundpipe::artifact {
namespace {

Error damaged(const arch::SafetensorsFile& file, const std::string& tensor, const std::string& what) {
    return invalidInput("'" + file.path().string() + "': the tensor '" + tensor + "' " + what + ".",
                        "Save the adapter again with PEFT's save_pretrained.");
}

const arch::TensorEntry& requireMatrix(const arch::SafetensorsFile& file, const std::string& name) {
    const arch::TensorEntry* tensor = file.find(name);
    if (tensor == nullptr) throw damaged(file, name, "is missing, and its other half is there");
    if (tensor->shape.size() != 2 || !isFloating(tensor->dtype)) throw damaged(file, name, "is no floating matrix");
    return *tensor;
}

LoraModule moduleOf(const arch::SafetensorsFile& file, const std::string& name, const LoraStrengths& strengths) {
    const arch::TensorEntry& a = requireMatrix(file, tensorNameA(name));
    const arch::TensorEntry& b = requireMatrix(file, tensorNameB(name));
    if (a.shape[0] != b.shape[1] || a.shape[0] < 1)
        throw damaged(file, b.name,
                      "has a rank of " + std::to_string(b.shape[1]) + ", its A one of " + std::to_string(a.shape[0]));
    return {name, a.shape[0], a.shape[1], b.shape[0], strengths.scaleOf(name, a.shape[0])};
}

bool isNamedBy(const std::vector<std::string>& targets, const std::string& parameter) {
    return std::ranges::any_of(
        targets, [&](const std::string& target) { return parameter == target || parameter.ends_with("." + target); });
}

// Those of a layer that the adapter changes, in the order of their module.
std::vector<arch::TensorSpec> stacksOf(const arch::LayerSpec& layer, const LoraStrengths& strengths) {
    std::vector<arch::TensorSpec> stacks;
    for (const arch::TensorSpec& tensor : layer.tensors)
        if (tensor.kind == arch::TensorKind::kExpertStack && isNamedBy(strengths.targetParameters, tensor.name))
            stacks.push_back(tensor);
    return stacks;
}

std::vector<float> readAll(const arch::SafetensorsFile& file, const std::string& name) {
    const arch::TensorEntry& tensor = *file.find(name);
    std::vector<float> values(static_cast<std::size_t>(tensor.bytes) / sizeOf(tensor.dtype));
    readAsFloats(file, tensor, 0, values);
    return values;
}

} // namespace

void readAsFloats(const arch::SafetensorsFile& file, const arch::TensorEntry& tensor, int64_t first,
                  std::span<float> into) {
    const auto elementBytes = static_cast<int64_t>(sizeOf(tensor.dtype));
    const auto count = static_cast<int64_t>(into.size());
    if (count == 0) return;
    std::vector<std::byte> raw(into.size() * static_cast<std::size_t>(elementBytes));
    file.read(tensor, first * elementBytes, raw);
    kernels::convert({}, dense(raw.data(), tensor.dtype, 1, count), 1.0, dense(into.data(), DType::kF32, 1, count));
}

// Their tensors have the names of wrappers, and so were read as modules of their own.
void LoraFile::addStacks(const LoraStrengths& strengths, const arch::ModelSpec& base) {
    for (const arch::LayerSpec& layer : base.layers) {
        const std::vector<arch::TensorSpec> stacks = stacksOf(layer, strengths);
        for (std::size_t i = 0; i < stacks.size(); ++i) {
            const std::string wrapper = wrapperOf(stacks[i].name, i, stacks.size());
            const auto read = std::ranges::find(m_modules, wrapper, &LoraModule::module);
            if (read == m_modules.end()) continue; // PEFT's layers_to_transform
            LoraModule& module = *read;
            const int64_t experts = stacks[i].shape[0];
            if (module.rank % experts != 0)
                throw damaged(m_file, tensorNameA(wrapper), "has no whole rank for each expert");
            module.wrapper = std::exchange(module.module, stacks[i].name);
            module.experts = experts;
            module.rank /= experts;
            module.scale = strengths.scaleOf(module.module, module.rank);
        }
    }
}

LoraFile LoraFile::open(const std::filesystem::path& folder, const arch::ModelSpec& base) {
    const LoraStrengths strengths = readLoraStrengths(folder);
    LoraFile lora(arch::SafetensorsFile::open(folder / kAdapterWeightsFile));
    lora.m_rsLora = strengths.rsLora;
    for (const arch::TensorEntry& tensor : lora.m_file.tensors()) {
        if (const auto module = moduleOfTensor(tensor.name)) {
            if (!lora.find(*module)) lora.m_modules.push_back(moduleOf(lora.m_file, *module, strengths));
            continue;
        }
        if (!tensor.name.starts_with(kPrefix) || tensor.name.find("lora_") != std::string::npos ||
            !isFloating(tensor.dtype))
            throw unsupported("'" + lora.path().string() + "' has a tensor '" + tensor.name +
                                  "', which is no part of a LoRA that can be merged or exported here.",
                              "Merge it with PEFT (merge_and_unload), and export the model that comes of it.");
        lora.m_wholeTensors.push_back(tensor.name.substr(kPrefix.size()));
    }
    if (lora.m_modules.empty() && lora.m_wholeTensors.empty())
        throw invalidInput("'" + lora.path().string() + "' has no tensors.", "Choose the folder of an adapter.");
    lora.addStacks(strengths, base);
    std::ranges::sort(lora.m_modules, {}, &LoraModule::module);
    return lora;
}

const LoraModule* LoraFile::find(std::string_view module) const {
    const auto found = std::ranges::find(m_modules, module, &LoraModule::module);
    return found == m_modules.end() ? nullptr : &*found;
}

const arch::TensorEntry& LoraFile::whole(const std::string& tensor) const {
    const arch::TensorEntry* entry = m_file.find(tensorNameWhole(tensor));
    RP_CHECK(entry != nullptr);
    return *entry;
}

std::vector<float> LoraFile::readA(const LoraModule& module) const {
    return readAll(m_file, tensorNameA(module.experts > 0 ? module.wrapper : module.module));
}

std::vector<float> LoraFile::readB(const LoraModule& module) const {
    if (module.experts == 0) return readAll(m_file, tensorNameB(module.module));
    const std::vector<float> file = readAll(m_file, tensorNameB(module.wrapper));
    std::vector<float> values(file.size());
    const StackedB stack{module.experts, module.outFeatures, module.rank};
    stack.fromFile(std::as_bytes(std::span(file)), std::as_writable_bytes(std::span(values)));
    return values;
}

} // namespace roundpipe::artifact
