// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/chat_memory.h"

#include "base/dtype.h"

#include <algorithm>

namespace roundpipe::session {

ChatMemory chatMemoryOf(const arch::ModelSpec& model, Precision precision, bool onGpu, int64_t contextTokens) {
    const auto elementBytes = static_cast<int64_t>(sizeOf(operandTypeOf(precision, onGpu)));
    const arch::ModelConfig& config = model.config;
    const int64_t weights = model.numParameters() * elementBytes;
    ChatMemory memory;
    memory.cacheBytes = 2 * config.numLayers * std::min(contextTokens, config.maxPositions) * config.numKvHeads *
                        config.headDim * elementBytes;
    memory.hostBytes = onGpu ? weights : 2 * weights + memory.cacheBytes;
    memory.deviceBytes = onGpu ? weights + memory.cacheBytes : 0;
    return memory;
}

int64_t usualChatTokens(const arch::ModelConfig& config, int64_t otherwise) {
    const bool isLongRope = config.rope.type == arch::RopeConfig::Type::kLongRope;
    return isLongRope ? std::min(otherwise, config.rope.originalMaxPositions) : otherwise;
}

} // namespace roundpipe::session
