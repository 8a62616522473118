// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers of a model do the same work: they cost the same, and one of them is measured for all.
#pragma once

#include "plan/cost/training_shape.h"

#include <string>
#include <vector>

namespace roundpipe::plan {

// The kind of each layer in words: "embedding", "block", "block with a window of 128", "sparse block", "head"; what is
// adapted in part, and the first trained layer (which makes no gradient of its input), say so. `adapted`:
// arch::adaptedLinears of the model. `trainsBase`: all weights are trained. Throws kInvalidInput where nothing is.
std::vector<std::string> layerKinds(const arch::ModelSpec& model,
                                    const std::vector<std::vector<arch::LinearSpec>>& adapted, bool trainsBase = false);

} // namespace roundpipe::plan
