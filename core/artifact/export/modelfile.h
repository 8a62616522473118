// SPDX-License-Identifier: GPL-3.0-or-later
// Ollama's recipe of a model. Format: ollama docs/modelfile, templates as Go's text/template.
#pragma once

#include "artifact/merge/merged_model.h"

#include <cstdint>
#include <string>

namespace roundpipe::artifact {

struct Modelfile {
    std::string text;
    std::string form; // of the chat, "ChatML"; empty: none that is known, and Ollama takes what the GGUF file says
};

struct ModelfileOptions {
    bool adapterApart = false; // model.gguf is the base, and adapter.gguf lies over it
    int64_t contextTokens = 0; // 0: what the model has, up to 8,192
};
Modelfile modelfileOf(const MergedModel& model, const ModelfileOptions& options);

} // namespace roundpipe::artifact
