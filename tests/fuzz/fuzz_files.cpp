// SPDX-License-Identifier: GPL-3.0-or-later
// One kind of foreign file of any bytes: refused in words, or within its own bounds and, where we write it, too, read
// as written. FUZZ_FILE (safetensors, config, …) says which.
#include "arch/checkpoint.h"
#include "arch/model_config.h"
#include "arch/safetensors_file.h"
#include "artifact/adapter_config.h"
#include "artifact/gguf/gguf_file.h"
#include "file_target.h"
#include "fuzz_target.h"
#include "plan/rig/rig_file.h"
#include "runs/answers_file.h"
#include "runs/checkpoint_manifest.h"
#include "runs/exports_file.h"
#include "runs/journal.h"
#include "runs/metrics_file.h"
#include "runs/run_status.h"
#include "runs/training_state.h"
#include "session/spec/run_spec.h"
#include "text/tokenizer.h"
#include "text/utf8.h"
#include "trace/files/trace_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

using namespace roundpipe;
namespace fs = std::filesystem;

namespace {

const fs::path& fileWith(Bytes bytes, const char* ending) {
    return writtenFile(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), ending);
}

namespace kinds {

[[maybe_unused]] void safetensors(Bytes bytes) {
    const auto file = arch::SafetensorsFile::open(fileWith(bytes, ".safetensors"));
    for (const arch::TensorEntry& tensor : file.tensors()) {
        require(tensor.offset >= 0 && tensor.bytes >= 0 &&
                    tensor.offset + tensor.bytes <= static_cast<int64_t>(bytes.size()),
                "a tensor lies within its file");
        require(file.find(tensor.name) != nullptr, "a tensor is found by its name");
        std::vector<std::byte> into(static_cast<std::size_t>(tensor.bytes));
        file.read(tensor, 0, into);
    }
}

// The index of shards, beside two that there are.
[[maybe_unused]] void shards(Bytes bytes) {
    constexpr Bytes kHeader = R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
    for (const char name : {'a', 'b'}) {
        std::string shard(8, '\0');
        shard[0] = static_cast<char>(kHeader.size());
        shard += kHeader;
        shard[shard.find('w')] = name;
        folderWith((std::string(1, name) + ".safetensors").c_str(), shard + "x");
    }
    const auto read = arch::Checkpoint::open(folderWith("model.safetensors.index.json", bytes));
    require(!read.files().empty() && read.files().size() <= 2, "its shards are those that lie there");
    require(std::cmp_equal(read.totalBytes(), read.names().size()), "each tensor has its byte");
    for (const auto& file : read.files())
        require(file.path().string().starts_with(scratchFile(".folder").string()), "no shard lies outside the folder");
}

[[maybe_unused]] void config(Bytes bytes) {
    const arch::ModelConfig read = arch::readModelConfig(fileWith(bytes, ".json"));
    require(read.numLayers > 0 && read.hiddenSize > 0 && read.vocabSize > 0, "a model has layers, a width, words");
}

[[maybe_unused]] void adapter(Bytes bytes) {
    const arch::LoraConfig read = artifact::readAdapterConfig(folderWith("adapter_config.json", bytes));
    require(read.rank > 0, "an adapter has a rank");
}

[[maybe_unused]] void tokenizer(Bytes bytes) {
    const auto read = text::Tokenizer::open(folderWith("tokenizer.json", bytes));
    const text::Encoding encoded = read.encode("Polly wants a cracker. \xC3\xA4\xE2\x82\xAC", true);
    for (const int32_t id : encoded.ids)
        require(id >= 0, "ids count from 0");
    require(!text::firstInvalidUtf8(read.decode(encoded.ids, false)), "what is decoded is UTF-8");
}

[[maybe_unused]] void trace(Bytes bytes) {
    const trace::TraceFile file(fileWith(bytes, ".rptrace"));
    require(file.numRecords() >= 0 && file.numRecords() <= static_cast<int64_t>(bytes.size()),
            "records lie in the file");
    (void)trace::readTrace(file, {}, int64_t{64} << 20);
}

[[maybe_unused]] void rig(Bytes bytes) {
    const std::string written = plan::rigToJson(plan::parseRigFile(bytes, "the input"));
    require(plan::rigToJson(plan::parseRigFile(written, "written")) == written, "a rig is read as written");
}

[[maybe_unused]] void run(Bytes bytes) {
    const std::string written = session::toJson(session::parseRunSpec(bytes, "the input"));
    require(session::toJson(session::parseRunSpec(written, "written")) == written, "a run is read as written");
}

[[maybe_unused]] void gguf(Bytes bytes) {
    const auto file = artifact::GgufFile::open(fileWith(bytes, ".gguf"));
    for (const artifact::GgufTensor& tensor : file.header().tensors) {
        require(file.find(tensor.name) != nullptr, "a tensor is found by its name");
        if (tensor.cols() > 4096 || tensor.rows() < 1) continue;
        std::vector<float> row(static_cast<std::size_t>(tensor.cols()));
        file.read(tensor, 0, 1, row);
    }
}

// What a run's folder holds beside: the first byte says which of its files the others are.
[[maybe_unused]] void records(Bytes bytes) {
    constexpr std::array kFiles{"state.json",    "metrics.jsonl", "journal.jsonl", "status.json",
                                "answers.jsonl", "exports.jsonl", "manifest.json"};
    if (bytes.empty()) return;
    const std::size_t which = static_cast<unsigned char>(bytes.front()) % kFiles.size();
    const fs::path& folder = folderWith(kFiles[which], bytes.substr(1));
    const fs::path file = folder / kFiles[which];
    switch (which) {
    case 0:
        (void)runs::readTrainingState(folder);
        break;
    case 1:
        (void)runs::readMetrics(file);
        break;
    case 2:
        (void)runs::readJournal(file);
        break;
    case 3:
        (void)runs::readStatus(folder);
        break;
    case 4:
        (void)runs::readAnswers(file);
        break;
    case 5:
        (void)runs::readExports(file);
        break;
    default:
        (void)runs::damageOf(folder, runs::LookAt::kBytes);
        break;
    }
}

} // namespace kinds
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return takenOrRefused(kinds::FUZZ_FILE, data, size);
}
