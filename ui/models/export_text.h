// SPDX-License-Identifier: GPL-3.0-or-later
// Exports and their proofs, as the window words them.
#pragma once

#include "base/export_choices.h"
#include "runs/exports_file.h"
#include "session/spec/export_remark.h"

#include <QString>

namespace roundpipe::ui::models {

QString exportName(ExportKind kind);                     // "Model for Ollama"
QString exportUse(ExportKind kind);                      // "Ollama: a model in one file, and its Modelfile"
QString remarkText(const session::ExportRemark& remark); // "Refused. vLLM: takes no adapter of rank 1024 …. Train …"
QString ggufTypeText(GgufType type);                     // "q4_k_m: what most people run, 4.8 bits a weight"
QString exportName(const runs::ExportRecord& made);      // "Model for Ollama, q4_k_m, checkpoint best"
QString proofText(const runs::ExportRecord& made);       // "32 of 32 tokens agree; gap 1.8 %, 40 % allowed"
QString proofInFull(const runs::ExportProof& proof);

} // namespace roundpipe::ui::models
