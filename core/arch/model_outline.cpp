// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/model_outline.h"

#include "base/units.h"

#include <fmt/format.h>

namespace roundpipe::arch {

std::string ModelOutline::text() const {
    const std::string ofExperts =
        numExperts > 0 ? fmt::format(" of {} experts ({} a token)", numExperts, expertsPerToken) : "";
    return fmt::format("{}, {} blocks{}, hidden {}, {} parameters", family, numBlocks, ofExperts, hiddenSize,
                       formatCount(static_cast<double>(numParameters)));
}

} // namespace roundpipe::arch
