// SPDX-License-Identifier: GPL-3.0-or-later
// What a model that is loaded to answer takes of memory, before it is loaded.
#pragma once

#include "arch/layers.h"
#include "base/choices.h"

#include <cstdint>

namespace roundpipe::session {

struct ChatMemory {
    int64_t hostBytes = 0;   // weights; on the CPU twice, as workers compute with a copy, and the conversation's cache
    int64_t deviceBytes = 0; // of a GPU that holds all layers; where it has less, layers stream to it with every token
    int64_t cacheBytes = 0;  // of it, or on the CPU of the host's: keys and values of `contextTokens`
};

// Adapters, workspace and what LibTorch itself takes are not counted: they are small beside the weights of all but
// the smallest models.
ChatMemory chatMemoryOf(const arch::ModelSpec& model, Precision precision, bool onGpu, int64_t contextTokens);

// The room for a conversation that a model is given where nobody says otherwise, in tokens.
inline constexpr int64_t kUsualChatTokens = 8192;
// Of this model: longrope turns all of a text by the room that there is for it, and rows to train on are seldom longer
// than its original length, so that it gets no more than that. Of no room (0: as each question needs) none.
int64_t usualChatTokens(const arch::ModelConfig& config, int64_t otherwise = kUsualChatTokens);

} // namespace roundpipe::session
