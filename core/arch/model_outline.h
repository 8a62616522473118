// SPDX-License-Identifier: GPL-3.0-or-later
// A model in a line, as numbers: the window words it in its user's language.
#pragma once

#include "arch/layers.h"

#include <cstdint>
#include <string>

namespace roundpipe::arch {

struct ModelOutline {
    std::string family; // "Qwen3"
    int64_t numBlocks = 0;
    int64_t numExperts = 0; // 0: it has none
    int64_t expertsPerToken = 0;
    int64_t hiddenSize = 0;
    int64_t numParameters = 0; // a tied tensor counts once
    int64_t maxPositions = 0;  // of a sequence; 0: not known

    std::string text() const; // "Qwen3, 28 blocks, hidden 2048, 1.72 B parameters"
    bool operator==(const ModelOutline&) const = default;
};
ModelOutline outlineOf(const ModelSpec& model);

} // namespace roundpipe::arch
