// SPDX-License-Identifier: GPL-3.0-or-later
// The frequencies of rotary position embeddings, for every scaling type that the supported architectures use.
//
// Definitions: transformers, modeling_rope_utils.py (linear, dynamic, llama3, yarn, longrope). Rounding follows it too:
// a model was trained with frequencies computed in fp32, and at position 30,000 the last bit of a frequency is a
// visible angle.
#pragma once

#include "arch/model_config.h"
#include "base/dtype.h"

#include <cstdint>
#include <vector>

namespace roundpipe::model {

struct Rotary {
    std::vector<double> inverseFrequencies; // [R]: radians per position; the first 2 R columns of a head are rotated
    double scaling = 1.0;                   // of cosines and sines (the attention factor of yarn and longrope)
};

// `rope`: of the model, or of some of its blocks. `statistics`: kF32 rounds each step to fp32 as transformers does,
// kF64 doesn't round (fp64 tests). `sequenceLength`: the longest position + 1; only dynamic and longrope depend on it.
// Unlike transformers, which keeps the largest length it has met, the frequencies are a function of this length alone.
Rotary makeRotary(const arch::ModelConfig& config, const arch::RopeConfig& rope, int64_t sequenceLength,
                  DType statistics);

} // namespace roundpipe::model
