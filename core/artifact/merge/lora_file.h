// SPDX-License-Identifier: GPL-3.0-or-later
// An adapter as it stands on disk: any rank and strength of each module, and modules that were trained whole. What a
// model that it is not for would have to have is found by who asks for it.
#pragma once

#include "arch/layers.h"
#include "arch/safetensors_file.h"
#include "artifact/adapter_config.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::artifact {

// An adapter that takes part with a weight; 1: as it was trained.
struct WeightedAdapter {
    std::filesystem::path folder;
    double weight = 1;
    bool operator==(const WeightedAdapter&) const = default;
};

struct LoraModule {
    std::string module; // "model.layers.0.self_attn.q_proj"
    int64_t rank = 0;
    int64_t inFeatures = 0;
    int64_t outFeatures = 0;
    double scale = 0; // what the product of B and A is multiplied by
    // Of stacked experts: of one of so many, whose parameter's path `module` is, and what the file calls it.
    int64_t experts = 0;
    std::string wrapper = {};

    // The tensor of the base that it changes.
    std::string tensor() const { return experts > 0 ? module : module + ".weight"; }
};

class LoraFile {
public:
    // Of an adapter of `base`, which says which experts are stacked. Throws kInvalidInput naming a tensor that belongs
    // to no pair, kUnsupported for what is no plain LoRA.
    static LoraFile open(const std::filesystem::path& folder, const arch::ModelSpec& base);

    const std::filesystem::path& path() const { return m_file.path(); }
    const std::vector<LoraModule>& modules() const { return m_modules; } // by name
    const LoraModule* find(std::string_view module) const;
    bool rsLora() const { return m_rsLora; }

    // Of modules that were trained whole, by their names in the base ("lm_head.weight").
    const std::vector<std::string>& wholeTensors() const { return m_wholeTensors; }
    const arch::TensorEntry& whole(const std::string& tensor) const; // its place in the file
    const arch::SafetensorsFile& file() const { return m_file; }

    // (rank, in) and (out, rank); of stacked experts one behind the other.
    std::vector<float> readA(const LoraModule& module) const;
    std::vector<float> readB(const LoraModule& module) const;

private:
    explicit LoraFile(arch::SafetensorsFile file) : m_file(std::move(file)) {}
    void addStacks(const LoraStrengths& strengths, const arch::ModelSpec& base);

    arch::SafetensorsFile m_file;
    std::vector<LoraModule> m_modules;
    std::vector<std::string> m_wholeTensors;
    bool m_rsLora = false;
};

// Any floating tensor's elements in fp32; elements [first, first + into.size()).
void readAsFloats(const arch::SafetensorsFile& file, const arch::TensorEntry& tensor, int64_t first,
                  std::span<float> into);

} // namespace roundpipe::artifact
