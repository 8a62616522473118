// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/merge/merged_folder.h"

#include "arch/safetensors_write.h"
#include "artifact/merge/merged_pieces.h"
#include "artifact/tokenizer_files.h"
#include "base/file.h"
#include "kernels/kernels.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

constexpr int64_t kCopyBytes = 1 << 20; // read at once: what was read is still near the processors when it is written

void putCopy(const MergedTensor& tensor, PutAside& out) {
    for (int64_t done = 0; done < tensor.entry->bytes; done += kCopyBytes) {
        const int64_t count = std::min(kCopyBytes, tensor.entry->bytes - done);
        tensor.file->read(*tensor.entry, done, out.next(static_cast<std::size_t>(count)));
        out.put();
    }
}

void putMerged(const MergedTensor& tensor, PutAside& out, ThreadTeam& team) {
    const auto bytesOf = [&](int64_t rows) {
        return static_cast<std::size_t>(rows * tensor.cols()) * sizeOf(tensor.dtype);
    };
    putInPieces(tensor, out, team, bytesOf, [&](const float* values, int64_t rows, std::byte* into) {
        const int64_t cols = tensor.cols();
        kernels::convert({}, dense(values, DType::kF32, rows, cols), 1.0, dense(into, tensor.dtype, rows, cols));
    });
}

void writeShard(OutputFolder& out, const std::string& name, const std::vector<const MergedTensor*>& tensors,
                ThreadTeam& team) {
    std::vector<arch::TensorToCome> toCome;
    for (const MergedTensor* tensor : tensors)
        toCome.push_back({tensor->storedAs, tensor->dtype, tensor->shape});
    out.write(name, [&](const PutBytes& put) {
        const std::string start = arch::safetensorsStart(toCome, {{"format", "pt"}});
        put(std::as_bytes(std::span(start)));
        PutAside aside(put);
        for (const MergedTensor* tensor : tensors)
            tensor->isCopied() ? putCopy(*tensor, aside) : putMerged(*tensor, aside, team);
        aside.finish();
    });
}

void writeIndex(OutputFolder& out, const MergedModel& model) {
    OrderedJson index{{"metadata", {{"total_size", bytesOfMerged(model)}}}, {"weight_map", OrderedJson::object()}};
    for (const MergedTensor& tensor : model.tensors())
        index["weight_map"][tensor.storedAs] = tensor.shard;
    out.write("model.safetensors.index.json", index.dump(2) + "\n");
}

std::string configOf(const MergedModel& model) {
    std::string text = readTextFile(model.base() / "config.json");
    if (!model.isUntied() && !model.isUnpacked()) return text;
    OrderedJson config = OrderedJson::parse(text);
    if (model.isUnpacked()) config.erase("quantization_config");
    if (!model.isUntied()) return config.dump(2) + "\n";
    const char* key = "tie_word_embeddings";
    config[key] = false;
    if (config.contains("text_config") && config["text_config"].contains(key)) config["text_config"][key] = false;
    return config.dump(2) + "\n";
}

} // namespace

int64_t bytesOfMerged(const MergedModel& model) {
    int64_t sum = 0;
    for (const MergedTensor& tensor : model.tensors())
        sum += tensor.bytes();
    return sum;
}

void writeTextFiles(OutputFolder& out, const MergedModel& model) {
    std::set<std::string> written;
    for (const TokenizerFile& file : tokenizerFilesOf(model.textFolder(), {})) {
        out.copy(file.source, file.name);
        written.insert(file.name);
    }
    for (const char* name : {"generation_config.json", "preprocessor_config.json", "processor_config.json"})
        if (!written.contains(name) && fs::exists(model.base() / name)) out.copy(model.base() / name, name);
}

void writeMerged(OutputFolder& out, const MergedModel& model) {
    std::map<std::string, std::vector<const MergedTensor*>> shards;
    for (const MergedTensor& tensor : model.tensors())
        shards[tensor.shard].push_back(&tensor);
    ThreadTeam team(0);
    for (const auto& [name, tensors] : shards)
        writeShard(out, name, tensors, team);
    if (shards.size() > 1 || shards.begin()->first != "model.safetensors") writeIndex(out, model);
    out.write("config.json", configOf(model));
    writeTextFiles(out, model);
}

} // namespace roundpipe::artifact
