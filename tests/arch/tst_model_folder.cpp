// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/model_folder.h"

#include "arch/safetensors_write.h"
#include "base/file.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::arch {
namespace {

namespace fs = std::filesystem;

const char* const kConfig = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "vocab_size": 512,
    "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 16, "max_position_embeddings": 256, "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": true, "torch_dtype": "float32"})";

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    writeFileAtomically(file, text);
}

TEST(ModelFolder, knowsTheDemosModel) {
    const ModelFolder folder = readModelFolder(testing::sourceFolder() / "resources" / "demo" / "model");
    EXPECT_EQ(folder.problem, "");
    EXPECT_EQ(folder.name, "model");
    ASSERT_TRUE(folder.model);
    EXPECT_TRUE(folder.hasWeights && folder.hasTokenizer && folder.hasChatTemplate);
    EXPECT_GT(folder.weightBytes, 1'000'000);
}

TEST(ModelFolder, isNamedWhetherItIsThereOrNot) {
    EXPECT_EQ(modelNameOf("/gone/Qwen3-8B"), "Qwen3-8B");
    EXPECT_EQ(modelNameOf("/gone/Qwen3-8B/"), "Qwen3-8B");
    EXPECT_EQ(modelNameOf("/gone/Qwen3-8B/config.json"), "Qwen3-8B");
    EXPECT_EQ(modelNameOf("/gone/models--Qwen--Qwen3-8B/snapshots/0123"), "Qwen/Qwen3-8B");
}

TEST(ModelFolder, saysWhyOneCannotBeTrained) {
    const testing::TemporaryFolder home;
    write(home.path() / "gemma" / "config.json", R"({"architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2"})");
    write(home.path() / "gemma" / "tokenizer.json", "{}");
    write(home.path() / "gemma" / "chat_template.jinja", "{{ messages }}");
    write(home.path() / "gemma" / "README.md", "---\nlicense: gemma\n---\n");
    const ModelFolder other = readModelFolder(home.path() / "gemma");
    EXPECT_FALSE(other.model);
    EXPECT_TRUE(other.hasTokenizer && other.hasChatTemplate) << "what is refused is described too";
    EXPECT_EQ(other.licence, "gemma");
    EXPECT_NE(other.problem.find("Gemma2"), std::string::npos) << other.problem;
    write(home.path() / "half" / "config.json", kConfig);
    const ModelFolder half = readModelFolder(home.path() / "half");
    EXPECT_TRUE(half.model);
    EXPECT_FALSE(half.hasWeights);
    EXPECT_NE(half.problem.find("safetensors"), std::string::npos) << half.problem;
    EXPECT_NE(readModelFolder(home.path() / "nowhere").problem, "");
}

TEST(ModelFolder, refusesWeightsOfBlocksThatTheConfigLeavesOut) {
    const testing::TemporaryFolder home;
    const fs::path model = home.path() / "model", demo = testing::sourceFolder() / "resources" / "demo" / "model";
    fs::copy(demo, model, fs::copy_options::recursive);
    std::string config = readTextFile(model / "config.json");
    const std::string layers = "\"num_hidden_layers\": 10";
    ASSERT_NE(config.find(layers), std::string::npos);
    writeFileAtomically(model / "config.json",
                        config.replace(config.find(layers), layers.size(), "\"num_hidden_layers\": 9"));
    const ModelFolder folder = readModelFolder(model);
    EXPECT_NE(folder.problem.find("model.layers.9.input_layernorm.weight' and"), std::string::npos) << folder.problem;
    EXPECT_NE(folder.advice.find("num_hidden_layers"), std::string::npos) << folder.advice;
}

// Some folders store a tied head all the same; of another one the run would know nothing.
TEST(ModelFolder, refusesATiedHeadThatIsAnotherOne) {
    const testing::TemporaryFolder home;
    writeFileAtomically(home.path() / "config.json", kConfig);
    writeFileAtomically(home.path() / "tokenizer.json", "{}");
    const ModelSpec model = makeModelSpec(readModelConfig(home.path()));
    std::map<std::string, std::vector<float>> values;
    std::map<std::string, std::vector<int64_t>> shapes;
    for (const LayerSpec& layer : model.layers)
        for (const TensorSpec& tensor : layer.tensors) {
            shapes[tensor.name] = tensor.shape;
            values[tensor.name].assign(static_cast<std::size_t>(tensor.numElements()), 0.25F);
        }
    shapes["lm_head.weight"] = shapes.at("model.embed_tokens.weight");
    values["lm_head.weight"] = values.at("model.embed_tokens.weight");
    const auto problem = [&] {
        std::vector<TensorToWrite> tensors;
        for (const auto& [name, data] : values)
            tensors.push_back({name, DType::kF32, shapes.at(name), std::as_bytes(std::span(data))});
        writeSafetensors(home.path() / "model.safetensors", tensors);
        return readModelFolder(home.path()).problem;
    };
    EXPECT_EQ(problem(), "");
    values["lm_head.weight"].back() = 0.5F;
    EXPECT_NE(problem().find("'lm_head.weight' that differs from 'model.embed_tokens.weight'"), std::string::npos)
        << problem();
}

TEST(ModelFolder, readsTheLicenceOfTheModelCard) {
    const testing::TemporaryFolder home;
    write(home.path() / "m" / "config.json", kConfig);
    write(home.path() / "m" / "README.md", "---\nlanguage: en\nlicense: apache-2.0\n---\n# A model\nlicense: none\n");
    EXPECT_EQ(readModelFolder(home.path() / "m").licence, "apache-2.0");
    write(home.path() / "m" / "README.md", "# A model\nlicense: none\n");
    EXPECT_EQ(readModelFolder(home.path() / "m").licence, "");
}

TEST(ModelFolder, findsFoldersAndTheNewestSnapshotOfACachedModel) {
    const testing::TemporaryFolder home;
    write(home.path() / "models" / "a" / "config.json", kConfig);
    write(home.path() / "models" / "org" / "b" / "config.json", kConfig);
    write(home.path() / "models" / "too" / "deep" / "down" / "config.json", kConfig);
    EXPECT_EQ(findModelFolders(home.path() / "models"),
              (std::vector<fs::path>{home.path() / "models" / "a", home.path() / "models" / "org" / "b"}));
    EXPECT_EQ(findModelFolders(home.path() / "models" / "a"), std::vector<fs::path>{home.path() / "models" / "a"});
    EXPECT_TRUE(findModelFolders(home.path() / "nowhere").empty());

    const fs::path snapshots = home.path() / "hub" / "models--Qwen--Tiny-1" / "snapshots";
    write(snapshots / "old" / "config.json", kConfig);
    write(snapshots / "new" / "config.json", kConfig);
    write(home.path() / "hub" / "datasets--x--y" / "snapshots" / "1" / "config.json", kConfig);
    fs::last_write_time(snapshots / "old", fs::file_time_type::clock::now() - std::chrono::hours(2));
    const std::vector<fs::path> cached = modelsInHuggingFaceCache(home.path() / "hub");
    EXPECT_EQ(cached, std::vector<fs::path>{snapshots / "new"});
    EXPECT_EQ(readModelFolder(snapshots / "new").name, "Qwen/Tiny-1");
}

} // namespace
} // namespace roundpipe::arch
