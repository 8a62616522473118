// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/parameters.h"

namespace roundpipe::pipeline {

std::vector<optim::LayerParameters> parametersOf(const transfer::AdapterBlocks& trained) {
    std::vector<optim::LayerParameters> layers;
    for (const geometry::TrainedBlock& shape : trained.shapes()) {
        optim::LayerParameters& layer = layers.emplace_back();
        layer.count = shape.numElements;
        for (const geometry::ElementRange& range : shape.undecayed)
            layer.undecayed.push_back({range.begin, range.end});
    }
    return layers;
}

} // namespace roundpipe::pipeline
