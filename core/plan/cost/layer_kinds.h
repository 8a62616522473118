// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers of a model do the same work: they cost the same, and one of them is measured for all.
#pragma once

#include "plan/cost/training_shape.h"

#include <string>
#include <vector>

namespace roundpipe::plan {

// The kind of each layer in words: "embedding", "block", "block with a window of 128", "sparse block", "head"; what is
// adapted or trained in part, and the first trained layer (which makes no gradient of its input, unless a tensor of its
// own is trained), say so. `parts`: what of each layer is trained. Throws kInvalidInput where nothing is.
std::vector<std::string> layerKinds(const arch::ModelSpec& model, const std::vector<arch::TrainedLayer>& parts);
// The first layer of which anything is trained; their number where nothing is.
int32_t firstTrained(const std::vector<arch::TrainedLayer>& parts);

} // namespace roundpipe::plan
