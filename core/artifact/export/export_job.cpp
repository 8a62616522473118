// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/export/export_job.h"

#include "artifact/export/model_card.h"
#include "artifact/export/modelfile.h"
#include "artifact/gguf/gguf_adapter.h"
#include "artifact/merge/combined_adapter.h"
#include "artifact/merge/merged_folder.h"
#include "base/error.h"
#include "base/plain_words.h"
#include "base/secrets.h"
#include "session/spec/no_secret.h"

#include <algorithm>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

// Of which the adapter is as it stands there, to be copied.
bool isOnePlain(const ExportJob& job) {
    return job.adapters.size() == 1 && job.adapters.front().weight == 1;
}

GgmlType adapterType(GgufType type) {
    if (type == GgufType::kF32) return GgmlType::kF32;
    if (type == GgufType::kF16) return GgmlType::kF16;
    if (type == GgufType::kBF16) return GgmlType::kBF16;
    throw invalidInput(std::string("A GGUF adapter can't be of type ") + spellingOf(type) + ".",
                       "Take f32, f16 or bf16: an adapter is small.");
}

void requireAdapter(const ExportJob& job) {
    if (job.adapters.empty())
        throw invalidInput("There is no adapter to export.",
                           "Name one with --adapter, or export the model itself (--to merged, gguf or ollama).");
}

// They go into a card and a command line each.
void requirePlainNames(const ExportJob& job) {
    if (hasControlCharacters(job.name))
        throw invalidInput("The name of the export has a line feed or another control character.",
                           "Give it another one (--name).");
    if (!job.out.empty() && hasControlCharacters(fs::absolute(job.out / "").parent_path().filename().string()))
        throw invalidInput("The name of the export's folder has a line feed or another control character.",
                           "Give another folder (--out).");
}

// Card, weights and the run's list of exports name them, and are passed on. A run of an older version may lie in a
// folder that has one.
void requireNoSecrets(const ExportJob& job) {
    const auto nameOf = [](const fs::path& folder) {
        return fs::absolute(folder / "").parent_path().filename().string();
    };
    session::requireNoSecret("The name of the export", job.name);
    session::requireNoSecret("The name of the model's folder", nameOf(job.model));
    for (const WeightedAdapter& adapter : job.adapters)
        session::requireNoSecret("The name of the adapter's folder", nameOf(adapter.folder));
    if (job.out.empty()) return;
    const fs::path inRun = job.run.empty() ? ".." : fs::relative(job.out, job.run);
    session::requireNoSecret("The folder of the export", *inRun.begin() == ".." ? job.out.string() : inRun.string());
}

int64_t bytesOfFolder(const fs::path& folder) {
    int64_t bytes = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file()) bytes += static_cast<int64_t>(entry.file_size());
    return bytes;
}

// One kind of export: how large it will be, and its files.
struct Writer {
    int64_t bytes = 0;
    std::function<void(OutputFolder&)> write;
};

Writer ggufWriter(const ExportJob& job, const MergedModel& model) {
    auto plan = std::make_shared<GgufPlan>(planGguf(model, job.type, job.name));
    return {plan->bytes, [&model, plan](OutputFolder& out) { writeGguf(out, kGgufModelFile, model, *plan); }};
}

Writer ggufAdapterWriter(const ExportJob& job, const MergedModel& model, GgmlType type) {
    requireAdapter(job);
    return {bytesOfGgufAdapter(model, type), [&job, &model, type](OutputFolder& out) {
                writeGgufAdapter(out, kGgufAdapterFile, model, type, job.name);
            }};
}

Writer adapterWriter(const ExportJob& job, const MergedModel& model) {
    requireAdapter(job);
    const fs::path& first = job.adapters.front().folder;
    if (isOnePlain(job)) return {bytesOfFolder(first), [first](OutputFolder& out) { copyAdapter(out, first); }};
    return {CombinedAdapter(model).bytes(),
            [&job, &model](OutputFolder& out) { writeCombined(out, model, fs::absolute(job.model).string()); }};
}

Writer ollamaWriter(const ExportJob& job, const MergedModel& model, const MergedModel& base) {
    Writer weights = ggufWriter(job, job.adapterApart ? base : model);
    Writer adapter;
    if (job.adapterApart) adapter = ggufAdapterWriter(job, model, GgmlType::kF16);
    return {weights.bytes + adapter.bytes, [=, &job, &model](OutputFolder& out) {
                weights.write(out);
                if (adapter.write) adapter.write(out);
                out.write("Modelfile", modelfileOf(model, {job.adapterApart, job.contextTokens}).text);
            }};
}

Writer writerOf(const ExportJob& job, const MergedModel& model, const MergedModel& base) {
    switch (job.kind) {
    case ExportKind::kAdapter:
        return adapterWriter(job, model);
    case ExportKind::kMerged:
        return {bytesOfMerged(model), [&model](OutputFolder& out) { writeMerged(out, model); }};
    case ExportKind::kGguf:
        return ggufWriter(job, model);
    case ExportKind::kGgufAdapter:
        return ggufAdapterWriter(job, model, adapterType(job.type));
    case ExportKind::kOllama:
        return ollamaWriter(job, model, base);
    }
    return {};
}

// The one that the card's hash is of.
std::string weightsFileOf(const OutputFolder& out) {
    for (const auto& [name, sum] : out.checksums())
        if (name.ends_with(".safetensors") || name == kGgufModelFile) return name;
    return kGgufAdapterFile;
}

} // namespace

int64_t requireExportable(const ExportJob& job) {
    requirePlainNames(job);
    requireNoSecrets(job);
    const MergedModel model(job.model, job.adapters);
    const MergedModel base(job.model, {});
    const int64_t bytes = writerOf(job, model, base).bytes;
    if (!job.out.empty()) OutputFolder::requirePlace(fs::absolute(job.out / "").parent_path(), bytes);
    return bytes;
}

Exported writeExport(const ExportJob& job, const ExportProgress& progress) {
    requirePlainNames(job);
    requireNoSecrets(job);
    const MergedModel model(job.model, job.adapters);
    const MergedModel base(job.model, {});
    const Writer writer = writerOf(job, model, base);
    OutputFolder out(job.out, writer.bytes,
                     [&](int64_t bytes) { return !progress || progress(std::min(bytes, writer.bytes), writer.bytes); });
    writer.write(out);
    const std::string weights = weightsFileOf(out), hash = out.checksums().at(weights);
    out.write("README.md", withoutSecrets(modelCardOf(job, model, weights, hash)));
    FolderLock lock = out.commit();
    return {fs::absolute(job.out / "").parent_path(), out.bytes(), weights, hash, std::move(lock)};
}

} // namespace roundpipe::artifact
