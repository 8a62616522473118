// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/safetensors_file.h"
#include "artifact/adapter.h"
#include "artifact/adapter_config.h"
#include "artifact/checkpoint_folder.h"
#include "base/error.h"
#include "base/file.h"
#include "base/half_bits.h"
#include "geometry/trained_block.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cstring>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

arch::ModelSpec smallModel() {
    return arch::makeModelSpec(arch::parseModelConfig(
        R"({"architectures": ["LlamaForCausalLM"], "vocab_size": 32, "hidden_size": 8, "intermediate_size": 12,
            "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1, "max_position_embeddings": 64})",
        "config.json"));
}

// Blocks whose elements count up, so that every one of them is told from all others.
struct Blocks {
    std::vector<std::vector<float>> values;

    explicit Blocks(std::span<const geometry::LayerLayout> layouts, float start) {
        for (const geometry::TrainedBlock& block : geometry::trainedBlocks(layouts)) {
            values.emplace_back(static_cast<std::size_t>(block.numElements));
            for (float& value : values.back())
                value = start++;
        }
    }
    AdapterSpans<const std::byte> read() const {
        AdapterSpans<const std::byte> blocks{DType::kF32, {}};
        for (const auto& layer : values)
            blocks.layers.push_back(std::as_bytes(std::span(layer)));
        return blocks;
    }
    AdapterSpans<std::byte> write() {
        AdapterSpans<std::byte> blocks{DType::kF32, {}};
        for (auto& layer : values)
            blocks.layers.push_back(std::as_writable_bytes(std::span(layer)));
        return blocks;
    }
};

class Adapter : public ::testing::Test {
protected:
    arch::LoraConfig lora{4, 8, 0.1, true, {"q_proj", "down_proj"}};
    std::vector<geometry::LayerLayout> layouts = geometry::makeLayouts(smallModel(), lora, DType::kF32);
    Blocks written{layouts, 1};
    testing::TemporaryFolder folder;

    void writeIt() {
        writeAdapter(folder.path(), layouts, lora, written.read(), {folder.path(), {}, "base/model", "main"});
    }
    void replaceInConfig(const std::string& from, const std::string& to) {
        std::string text = readTextFile(folder.path() / "adapter_config.json");
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        writeFileAtomically(folder.path() / "adapter_config.json", text.replace(at, from.size(), to));
    }
    std::string refusal() {
        try {
            readAdapterConfig(folder.path());
        } catch (const Error& error) {
            return std::string(toString(error.kind())) + ": " + error.what();
        }
        return "accepted";
    }
};

TEST_F(Adapter, comesBackAsItWasWritten) {
    writeIt();
    const arch::LoraConfig read = readAdapterConfig(folder.path());
    EXPECT_EQ(read.rank, 4);
    EXPECT_EQ(read.alpha, 8);
    EXPECT_TRUE(read.rsLora);
    EXPECT_EQ(read.targets, (std::vector<std::string>{"down_proj", "q_proj"}));
    Blocks back(layouts, -1000);
    readAdapterWeights(folder.path(), layouts, back.write());
    EXPECT_EQ(back.values, written.values);
}

TEST_F(Adapter, refusesWhatCannotBeTrainedByName) {
    writeIt();
    replaceInConfig("\"use_dora\": false", "\"use_dora\": true");
    EXPECT_NE(refusal().find("DoRA"), std::string::npos) << refusal();
    writeIt();
    replaceInConfig("\"rank_pattern\": {}", "\"rank_pattern\": {\"q_proj\": 2}");
    EXPECT_NE(refusal().find("rank_pattern"), std::string::npos) << refusal();
    writeIt();
    replaceInConfig("\"bias\": \"none\"", "\"bias\": \"all\"");
    EXPECT_NE(refusal().find("unsupported"), std::string::npos) << refusal();
    writeIt();
    replaceInConfig("\"LORA\"", "\"IA3\"");
    EXPECT_NE(refusal().find("IA3"), std::string::npos) << refusal();
}

// Who asks a model is not told of training.
TEST_F(Adapter, isRefusedInWordsOfWhatItIsFor) {
    writeIt();
    replaceInConfig("\"use_dora\": false", "\"use_dora\": true");
    EXPECT_NE(refusal().find("can't be trained on"), std::string::npos) << refusal();
    try {
        readAdapterConfig(folder.path(), AdapterUse::kAnswering);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ((error.message() + error.advice()).find("train"), std::string::npos) << error.message();
        EXPECT_NE(error.advice().find("merge_and_unload"), std::string::npos) << error.advice();
    }
}

TEST_F(Adapter, readsThePatternOfAConfigOffItsTensors) {
    writeIt();
    const std::string text = readTextFile(folder.path() / "adapter_config.json");
    const std::size_t begin = text.find('[', text.find("target_modules"));
    const std::size_t end = text.find(']', begin);
    replaceInConfig(text.substr(begin, end + 1 - begin), "\".*(q_proj|down_proj)\"");
    const arch::LoraConfig read = readAdapterConfig(folder.path());
    EXPECT_EQ(geometry::makeLayouts(smallModel(), read, DType::kF32)[1].adapter.numElements,
              layouts[1].adapter.numElements);
}

TEST_F(Adapter, namesTheTensorOfAnotherRank) {
    writeIt();
    const arch::LoraConfig other{2, 8, 0, false, lora.targets};
    const auto otherLayouts = geometry::makeLayouts(smallModel(), other, DType::kF32);
    Blocks back(otherLayouts, 0);
    try {
        readAdapterWeights(folder.path(), otherLayouts, back.write());
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kInvalidInput);
        EXPECT_NE(std::string(error.what()).find("lora_A.weight"), std::string::npos) << error.what();
    }
}

// A table that is one in the model stands in the file under both names, as PEFT's modules have one each.
TEST_F(Adapter, holdsWholeModulesAsPeftDoes) {
    for (const bool tied : {true, false}) {
        arch::ModelConfig config = smallModel().config;
        config.tiedEmbeddings = tied;
        const arch::ModelSpec model = arch::makeModelSpec(config);
        lora.modulesToSave = {"embed_tokens", "lm_head", "norm"};
        layouts = geometry::makeLayouts(model, lora, DType::kF32);
        written = Blocks(layouts, 1);
        writeIt();
        const auto file = arch::SafetensorsFile::open(folder.path() / "adapter_model.safetensors");
        const auto valuesOf = [&](const std::string& name) {
            std::vector<std::byte> bytes(static_cast<std::size_t>(file.find(name)->bytes));
            file.read(*file.find(name), 0, bytes);
            return bytes;
        };
        for (const char* name :
             {"base_model.model.model.embed_tokens.weight", "base_model.model.lm_head.weight",
              "base_model.model.model.norm.weight", "base_model.model.model.layers.1.post_attention_layernorm.weight"})
            ASSERT_NE(file.find(name), nullptr) << name;
        EXPECT_EQ(valuesOf("base_model.model.model.embed_tokens.weight") == valuesOf("base_model.model.lm_head.weight"),
                  tied);
        EXPECT_EQ(readAdapterConfig(folder.path()).modulesToSave, lora.modulesToSave);
        Blocks back(layouts, 0);
        readAdapterWeights(folder.path(), layouts, back.write());
        for (std::size_t l = 0; l < layouts.size(); ++l)
            for (int64_t i = 0; i < layouts[l].adapter.numElements; ++i)
                ASSERT_EQ(back.values[l][static_cast<std::size_t>(i)], written.values[l][static_cast<std::size_t>(i)]);
        EXPECT_EQ(back.values.front(), written.values.front());
    }
    // An adapter of the untied model has two tables, which the tied one can't hold.
    arch::ModelConfig config = smallModel().config;
    config.tiedEmbeddings = true;
    layouts = geometry::makeLayouts(arch::makeModelSpec(config), lora, DType::kF32);
    Blocks back(layouts, 0);
    EXPECT_THROW(readAdapterWeights(folder.path(), layouts, back.write()), Error);
}

TEST_F(Adapter, checkpointKeepsMomentsAndState) {
    const Blocks first(layouts, 5000), second(layouts, 9000);
    const fs::path target = folder.path() / "last";
    const runs::TrainingState state{17, 42, 1.25};
    for (int i = 0; i < 2; ++i) { // the second one replaces the first
        const std::string seal = writeCheckpoint(target, layouts, lora, {written.read(), first.read(), second.read()},
                                                 {folder.path(), {}, "", ""}, state);
        EXPECT_EQ(seal, runs::sealOf(target));
    }
    const runs::TrainingState read = runs::readTrainingState(target);
    EXPECT_EQ(read.step, 17);
    EXPECT_EQ(read.bestValidationLoss, 1.25);
    Blocks firstBack(layouts, 0), secondBack(layouts, 0);
    EXPECT_EQ(readMoments(target, layouts, firstBack.write(), secondBack.write()), DType::kF32);
    EXPECT_EQ(firstBack.values, first.values);
    EXPECT_EQ(secondBack.values, second.values);
    EXPECT_FALSE(fs::exists(target.string() + ".part"));
    EXPECT_FALSE(fs::exists(target.string() + ".old"));
}

// It is passed on.
TEST_F(Adapter, namesItsBaseWithoutSecrets) {
    writeAdapter(folder.path(), layouts, lora, written.read(),
                 {folder.path(), {}, "https://me:SECRET@host/base?token=SECRET", "main"});
    const std::string config = readTextFile(folder.path() / "adapter_config.json");
    EXPECT_EQ(config.find("SECRET"), std::string::npos) << config;
    EXPECT_NE(config.find("https://(hidden)@host/base"), std::string::npos) << config;
}

// Both ways: nearest bf16 of fp32, and fp32 that says the same as bf16.
TEST_F(Adapter, momentsAreConvertedAndTheirTypeSaid) {
    const Blocks moments(layouts, 5000);
    std::vector<std::vector<uint16_t>> halves;
    AdapterSpans<std::byte> half{DType::kBF16, {}};
    for (const auto& layer : moments.values)
        half.layers.push_back(std::as_writable_bytes(std::span(halves.emplace_back(layer.size()))));
    const fs::path target = folder.path() / "last";
    writeCheckpoint(target, layouts, lora, {written.read(), moments.read(), moments.read()},
                    {folder.path(), {}, "", ""}, {});
    EXPECT_EQ(readMoments(target, layouts, half, half), DType::kF32);
    AdapterSpans<const std::byte> writtenHalf{DType::kBF16, {}};
    for (std::size_t l = 0; l < halves.size(); ++l) {
        for (std::size_t i = 0; i < halves[l].size(); ++i)
            ASSERT_EQ(halves[l][i], toBf16(moments.values[l][i]));
        writtenHalf.layers.push_back(std::as_bytes(std::span(halves[l])));
    }
    writeCheckpoint(target, layouts, lora, {written.read(), writtenHalf, writtenHalf}, {folder.path(), {}, "", ""}, {});
    Blocks back(layouts, 0);
    EXPECT_EQ(readMoments(target, layouts, back.write(), back.write()), DType::kBF16);
    for (std::size_t l = 0; l < halves.size(); ++l)
        for (std::size_t i = 0; i < halves[l].size(); ++i)
            ASSERT_EQ(back.values[l][i], fromBf16(halves[l][i]));
}

// Of a run whose updates are one step stale, and of no other.
TEST_F(Adapter, checkpointKeepsTheVersionBeforeWhereThereIsOne) {
    const Blocks moments(layouts, 5000), before(layouts, 700);
    const fs::path target = folder.path() / "last";
    Blocks back(layouts, 0);
    CheckpointBlocks blocks{written.read(), moments.read(), moments.read()};
    writeCheckpoint(target, layouts, lora, blocks, {folder.path(), {}, "", ""}, {});
    EXPECT_FALSE(readVersionBefore(target, layouts, back.write()));
    blocks.versionBefore = before.read();
    writeCheckpoint(target, layouts, lora, blocks, {folder.path(), {}, "", ""}, {});
    EXPECT_TRUE(readVersionBefore(target, layouts, back.write()));
    EXPECT_EQ(back.values, before.values);
}

} // namespace
} // namespace roundpipe::artifact
