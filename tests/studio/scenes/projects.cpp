// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/projects.h"

#include "studio/model_weights.h"

#include <QAction>

#include <fstream>

namespace roundpipe::testing {
namespace {

namespace fs = std::filesystem;

// The shape of Qwen3-8B and of a model four times as deep and wide.
constexpr const char* kConfig = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "vocab_size": 151936,
  "hidden_size": %1, "intermediate_size": %2, "num_hidden_layers": %3, "num_attention_heads": 32,
  "num_key_value_heads": 8, "head_dim": 128, "max_position_embeddings": 40960, "rms_norm_eps": 1e-6,
  "rope_theta": 1000000, "hidden_act": "silu", "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";

// Rows of some hundred to some thousand tokens.
std::string longRows() {
    std::string rows;
    for (int i = 0; i < 240; ++i) {
        std::string answer;
        for (int word = 0; word < 20 + 7 * i % 130; ++word)
            answer += "Squawk, the parrot flies over sea number " + std::to_string(word) + ". ";
        rows += R"({"messages":[{"role":"user","content":"Tell me story )" + std::to_string(i) +
                R"("},{"role":"assistant","content":")" + answer + "\"}]}\n";
    }
    return rows;
}

} // namespace

fs::path writeModel(Studio& studio, const char* name, int hidden, int numBlocks) {
    const fs::path folder = studio.services().home.path() / "models" / name;
    fs::create_directories(folder);
    writeFileAtomically(folder / "config.json",
                        QString::fromLatin1(kConfig).arg(hidden).arg(3 * hidden).arg(numBlocks).toStdString());
    for (const char* file : {"tokenizer.json", "tokenizer_config.json"})
        fs::copy_file(sourceFolder() / "resources" / "demo" / "model" / file, folder / file,
                      fs::copy_options::overwrite_existing);
    writeHollowWeights(folder);
    return folder;
}

void change(Studio& studio, const std::function<void(session::RunSpec&)>& edit) {
    studio.services().document.change(QStringLiteral("scene"), edit);
}

void openDemo(Studio& studio) {
    studio.services().document.openCopy(studio.services().demo);
    change(studio, [](session::RunSpec& spec) {
        spec.data.cache = false;
        spec.engine.devices = {"auto"};
    });
    studio.settle();
}

void useRows(Studio& studio, const char* name, const std::string& content) {
    const fs::path file = studio.services().home.path() / name;
    std::ofstream(file, std::ios::binary) << content;
    change(studio, [&](session::RunSpec& spec) { spec.data.datasets.front().files = {file.string()}; });
    studio.settle();
}

void openLarge(Studio& studio, int hidden, int numBlocks) {
    openDemo(studio);
    change(studio, [&](session::RunSpec& spec) {
        spec.name = "Qwen3-8B on the parrot's rows";
        spec.model.path = writeModel(studio, "Qwen3-8B", hidden, numBlocks).string();
        spec.data.maxLength = 2048;
        spec.batch.microbatchSize = 4;
        spec.batch.microbatches = 8;
        spec.duration.maxSteps = 400;
        spec.engine.replicas = Replicas::kNever; // cuts, packets and waits are what pictures show
    });
    useRows(studio, "stories.jsonl", longRows());
}

void openRemarkable(Studio& studio) {
    openDemo(studio);
    std::string rows;
    for (int i = 0; i < 60; ++i) {
        std::string answer;
        for (int word = 0; word < 40 + 15 * i; ++word)
            answer += "cracker ";
        rows += R"({"messages":[{"role":"user","content":"Row )" + std::to_string(i) +
                R"("},{"role":"assistant","content":")" + answer + "\"}]}\n";
    }
    useRows(studio, "long.jsonl", rows);
    change(studio, [](session::RunSpec& spec) {
        spec.method = Method::kFull;
        spec.data.maxLength = 1024;
    });
    studio.settle();
}

void show(Studio& studio, const char* page) {
    studio.page(page);
    studio.settle();
}

void start(Studio& studio) {
    studio.services().commands.start()->trigger();
}

void untilStep(Studio& studio, int64_t step) {
    studio.waitFor(
        "steps", [&] { return studio.services().run.snapshot().step >= step; }, 60);
}

} // namespace roundpipe::testing
