// SPDX-License-Identifier: GPL-3.0-or-later
// Why no loss is a number from a run's first step on: the model's own weights.
#pragma once

#include "transfer/host_weight_store.h"

#include <string>

namespace roundpipe::engine {

// The name of a tensor of the base that holds a NaN or an infinite value, the first in the model's order; empty where
// all are numbers. Packed ones are not looked at: loading refuses a value, or a scale, that is no number, by name.
// Reads what it looks at once, with every processor: some 0.1 s a GiB.
std::string brokenTensor(const transfer::HostWeightStore& store);

} // namespace roundpipe::engine
