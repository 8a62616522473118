// SPDX-License-Identifier: GPL-3.0-or-later
// What other programs will refuse or do otherwise, of what lies there, before anything is written.
#pragma once

#include "artifact/export/export_job.h"
#include "session/spec/export_remark.h"

#include <vector>

namespace roundpipe::artifact {

session::AdapterFacts factsOf(const LoraFile& lora);

// session::remarksOnExports, and whether there is a GGUF file of such a model.
std::vector<session::ExportRemark> remarksOnConsumers(const arch::ModelSpec& model,
                                                      const session::AdapterFacts* adapter, int64_t tokenizerTokens);

// Those that concern an export of this kind: nobody loads a merged model's adapter, nor vLLM a GGUF file. Of a job with
// several adapters each remark once. Reads headers and the tokenizer.
std::vector<session::ExportRemark> remarksOn(const ExportJob& job);
// The same for whatever could be exported of it.
std::vector<session::ExportRemark> remarksOnAllKinds(const ExportJob& job);

} // namespace roundpipe::artifact
