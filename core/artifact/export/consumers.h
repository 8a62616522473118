// SPDX-License-Identifier: GPL-3.0-or-later
// What other programs will refuse or do otherwise, before anything is written.
#pragma once

#include "arch/layers.h"
#include "artifact/export/export_job.h"

#include <string>
#include <vector>

namespace roundpipe::artifact {

struct ConsumerRemark {
    std::string consumer; // "vLLM", "llama.cpp and Ollama"
    bool refuses = false; // else: it takes it, and something is to be known
    std::string what;
    std::string advice;
    bool operator==(const ConsumerRemark&) const = default;
};

// What is known of an adapter before it is trained, and of one that lies there.
struct AdapterFacts {
    int64_t rank = 0; // the largest
    bool rsLora = false;
    bool hasStrengths = false;           // alphas or ranks of their own for some modules
    bool adaptsHead = false;             // a pair of matrices
    std::vector<std::string> wholeNames; // of modules that are trained whole
};
AdapterFacts factsOf(const LoraFile& lora);
AdapterFacts factsOf(const arch::ModelSpec& model, const arch::LoraConfig& lora);

// All remarks on a base with such an adapter; null: a model without one. `tokenizerTokens`: of its tokenizer, 0 for not
// known.
std::vector<ConsumerRemark> remarksOnConsumers(const arch::ModelSpec& model, const AdapterFacts* adapter,
                                               int64_t tokenizerTokens);

// Those that concern an export of this kind: nobody loads a merged model's adapter, nor vLLM a GGUF file. Of a job with
// several adapters each remark once. Reads headers and the tokenizer.
std::vector<ConsumerRemark> remarksOn(const ExportJob& job);
// The same for whatever could be exported of it.
std::vector<ConsumerRemark> remarksOnAllKinds(const ExportJob& job);

} // namespace roundpipe::artifact
