// SPDX-License-Identifier: GPL-3.0-or-later
// Random starting values: whole models made from a config alone, and fresh adapters. Values are a function of seed and
// tensor name, never of call order.
#pragma once

#include "geometry/layout.h"

#include <cstddef>
#include <cstdint>

namespace roundpipe::model {

// Fills a base blob: normal(0, 0.02) weights (65,536 quantiles of it, cut at 4.3 sigma), norms one, biases zero. A tied
// head gets the values of the embedding. Any thread.
void fillRandom(const geometry::LayerLayout& layout, uint64_t seed, std::byte* base);

// One tensor of it; `data` is where its first row begins.
void fillRandom(const geometry::TensorPlace& place, uint64_t seed, std::byte* data);
// Rows [first, first + count) of a matrix of it (a stack of matrices has the rows of all); `data` is where the first of
// these begins.
void fillRandomRows(const geometry::TensorPlace& place, uint64_t seed, int64_t first, int64_t count, std::byte* data);

// Fresh fp32 or fp64 masters as PEFT makes them: A uniform in ±1 / sqrt(in), B zero. masters [adapter.numElements].
template <class T>
void initAdapter(const geometry::LayerLayout& layout, uint64_t seed, T* masters);

extern template void initAdapter<float>(const geometry::LayerLayout&, uint64_t, float*);
extern template void initAdapter<double>(const geometry::LayerLayout&, uint64_t, double*);

} // namespace roundpipe::model
