// SPDX-License-Identifier: GPL-3.0-or-later
// A merged model as Hugging Face's folders hold it.
#pragma once

#include "artifact/merge/merged_model.h"
#include "artifact/output/output_folder.h"

namespace roundpipe::artifact {

// Of the weights; the other files are small.
int64_t bytesOfMerged(const MergedModel& model);

// Weights in the base's files and types, each value rounded once; config.json, tokenizer, template and generation
// settings. A few tens of megabytes of memory beside the adapter of one layer.
void writeMerged(OutputFolder& out, const MergedModel& model);
// All but the weights and config.json.
void writeTextFiles(OutputFolder& out, const MergedModel& model);

} // namespace roundpipe::artifact
