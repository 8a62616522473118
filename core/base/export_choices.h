// SPDX-License-Identifier: GPL-3.0-or-later
// The closed choices of an export: what is made of a run's result for other programs.
#pragma once

#include "base/spelling.h"

#include <array>

namespace roundpipe {

enum class ExportKind {
    kAdapter,     // an adapter as PEFT reads it
    kMerged,      // a model folder of safetensors
    kGguf,        // a model in one file, for llama.cpp
    kGgufAdapter, // an adapter in one file, for llama.cpp
    kOllama,      // a GGUF model and its Modelfile
};
constexpr std::array<const char*, 5> spellings(ExportKind) {
    return {"adapter", "merged", "gguf", "gguf-adapter", "ollama"};
}

// Of the weights of a GGUF file, under llama.cpp's names; the "m" mixes give the layers that matter most more bits.
enum class GgufType { kF32, kF16, kBF16, kQ8, kQ4KM, kQ5KM, kQ6K };
constexpr std::array<const char*, 7> spellings(GgufType) {
    return {"f32", "f16", "bf16", "q8_0", "q4_k_m", "q5_k_m", "q6_k"};
}

// Whether such an export is a GGUF file, or holds one: else its weights keep the type that they have.
constexpr bool hasGgufType(ExportKind kind) {
    return kind == ExportKind::kGguf || kind == ExportKind::kGgufAdapter || kind == ExportKind::kOllama;
}

} // namespace roundpipe
