// SPDX-License-Identifier: GPL-3.0-or-later
// What a run leaves, made into what other programs take.
#pragma once

#include "artifact/gguf/gguf_model.h"
#include "artifact/merge/lora_file.h"
#include "artifact/output/output_folder.h"
#include "base/export_choices.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace roundpipe::artifact {

inline constexpr const char* kGgufModelFile = "model.gguf";
inline constexpr const char* kGgufAdapterFile = "adapter.gguf";

struct ExportJob {
    std::filesystem::path model;           // the base, or a model whose weights were trained
    std::vector<WeightedAdapter> adapters; // none: the model as it is
    ExportKind kind = ExportKind::kMerged;
    GgufType type = GgufType::kQ8; // of GGUF models; of GGUF adapters fp32, fp16 or bf16
    std::filesystem::path out;     // a folder
    std::string name;              // what the result is called; commands use its plainName()
    bool adapterApart = false;     // kOllama: base and adapter in a file each
    int64_t contextTokens = 0;     // kOllama: num_ctx; 0: what the model has, up to 8,192
    std::filesystem::path run;     // whose data, settings and losses the card tells; empty: none
};

struct Exported {
    std::filesystem::path folder;
    int64_t bytes = 0;
    std::string weightsFile; // the first file of weights
    std::string weightsHash; // its SHA-256
    FolderLock lock;         // while it lives no other export replaces this one
};

// Bytes written and, about, in all; false cancels.
using ExportProgress = std::function<bool(int64_t done, int64_t all)>;

// Throws what writeExport() would before it writes anything: adapters of another base, types that a kind does not have,
// a place or a disk that will not do, names with secrets. Without job.out the place is not looked at. Gives the bytes
// that it will take.
int64_t requireExportable(const ExportJob& job);

// Whole or not at all: see OutputFolder. Throws Error; kCancelled.
Exported writeExport(const ExportJob& job, const ExportProgress& progress = {});

} // namespace roundpipe::artifact
