// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters of experts that lie in one tensor, as PEFT's files have them, and merged.
#include "arch/safetensors_file.h"
#include "arch/safetensors_write.h"
#include "artifact/adapter.h"
#include "artifact/adapter_config.h"
#include "artifact/checkpoint_folder.h"
#include "artifact/merge/combined_adapter.h"
#include "artifact/merge/merged_folder.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mxfp4.h"
#include "geometry/trained_block.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kExperts = 3, kHidden = 32, kInner = 32, kRank = 2;
constexpr const char* kExpertsOf = "model.layers.0.mlp.experts";

std::string configOf(bool mxfp4) {
    return std::string(R"({"architectures": ["GptOssForCausalLM"], "vocab_size": 6, "hidden_size": 32, "head_dim": 8,
        "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
        "max_position_embeddings": 64, "num_local_experts": 3, "num_experts_per_tok": 1, "torch_dtype": "bfloat16",
        "tie_word_embeddings": false)") +
           (mxfp4 ? R"(, "quantization_config": {"quant_method": "mxfp4"}})" : "}");
}

class ExpertStacks : public ::testing::Test {
protected:
    testing::TemporaryFolder folder;
    arch::ModelSpec model = arch::makeModelSpec(arch::parseModelConfig(configOf(false), "config.json"));
    arch::LoraConfig lora{kRank, 6, 0, false, {"q_proj", "gate_up_proj", "down_proj"}};
    std::vector<geometry::LayerLayout> layouts;
    std::vector<std::vector<float>> values; // counting up

    void SetUp() override { makeValues(); }

    void makeValues() {
        layouts = geometry::makeLayouts(model, lora, DType::kF32);
        values.clear();
        for (const geometry::TrainedBlock& block : geometry::trainedBlocks(layouts)) {
            values.emplace_back(static_cast<std::size_t>(block.numElements));
            for (std::size_t i = 0; i < values.back().size(); ++i)
                values.back()[i] = static_cast<float>(i + 1) / 4096;
        }
    }
    AdapterSpans<const std::byte> spans() const {
        AdapterSpans<const std::byte> all{DType::kF32, {}};
        for (const auto& layer : values)
            all.layers.push_back(std::as_bytes(std::span(layer)));
        return all;
    }
    fs::path write(const std::string& name) {
        const fs::path place = folder.path() / name;
        fs::create_directories(place);
        writeAdapter(place, layouts, lora, spans(), {folder.path(), {}, "base", ""});
        return place;
    }
    // Of the first block.
    float a(const std::string& stack, int64_t expert, int64_t rank, int64_t in) const {
        return at(stack, expert, true, rank, in);
    }
    float b(const std::string& stack, int64_t expert, int64_t out, int64_t rank) const {
        return at(stack, expert, false, out, rank);
    }
    float at(const std::string& stack, int64_t expert, bool isA, int64_t row, int64_t col) const {
        const std::string name = std::string(kExpertsOf) + '.' + stack + '.' + std::to_string(expert);
        for (const geometry::AdapterPlace& place : layouts[1].adapter.linears)
            if (place.linear.fullName == name)
                return values[1][static_cast<std::size_t>(isA ? place.offsetA + row * place.linear.inFeatures + col
                                                              : place.offsetB + row * kRank + col)];
        ADD_FAILURE() << name;
        return 0;
    }

    // A base whose elements count up, experts in MXFP4 or not.
    fs::path writeBase(bool mxfp4) {
        const fs::path base = folder.path() / (mxfp4 ? "packed" : "base");
        fs::create_directories(base);
        writeFileAtomically(base / "config.json", configOf(mxfp4));
        const arch::ModelSpec spec = arch::makeModelSpec(arch::readModelConfig(base));
        std::vector<std::vector<uint8_t>> data;
        std::vector<arch::TensorToWrite> tensors;
        for (const arch::LayerSpec& layer : spec.layers)
            for (const arch::TensorSpec& tensor : layer.tensors)
                for (const arch::StoredTensor& stored : arch::storedTensors(tensor)) {
                    std::size_t bytes = stored.packed ? 1 : 2;
                    for (const int64_t size : stored.shape)
                        bytes *= static_cast<std::size_t>(size);
                    std::vector<uint8_t>& raw = data.emplace_back(bytes);
                    for (std::size_t i = 0; i < bytes; ++i) // values around 1, codes of all kinds, scales around 1
                        raw[i] = static_cast<uint8_t>(!stored.packed                     ? (i % 2 == 0 ? i * 7 : 0x3f)
                                                      : stored.name.ends_with("_scales") ? 125 + i % 5
                                                                                         : i * 37);
                    tensors.push_back({stored.name, stored.packed ? DType::kU8 : DType::kBF16, stored.shape, {}});
                }
        for (std::size_t i = 0; i < tensors.size(); ++i)
            tensors[i].data = std::as_bytes(std::span(data[i]));
        arch::writeSafetensors(base / "model.safetensors", tensors);
        return base;
    }
    static std::vector<float> valuesOf(const MergedModel& merged, const std::string& name) {
        const MergedTensor* tensor = merged.find(name);
        if (tensor == nullptr) return {};
        std::vector<float> all(static_cast<std::size_t>(tensor->rows() * tensor->cols()));
        MergedRows(*tensor).read(0, tensor->rows(), all);
        return all;
    }
};

// Two of one module: the first within, the last with the module's own name.
TEST_F(ExpertStacks, areNamedAndOrderedAsPeftsWrappers) {
    const auto file = arch::SafetensorsFile::open(write("both") / "adapter_model.safetensors");
    const auto valuesIn = [&](const std::string& module, const char* half, std::vector<int64_t> shape) {
        const arch::TensorEntry* tensor = file.find("base_model.model." + module + half + ".weight");
        EXPECT_TRUE(tensor != nullptr && tensor->shape == shape) << module;
        std::vector<float> all(static_cast<std::size_t>(shape[0] * shape[1]));
        if (tensor != nullptr) file.read(*tensor, 0, std::as_writable_bytes(std::span(all)));
        return all;
    };
    const auto compare = [&](const std::string& stack, const std::string& module, int64_t in, int64_t out) {
        SCOPED_TRACE(stack);
        const std::vector<float> fileA = valuesIn(module, ".lora_A", {kExperts * kRank, in});
        const std::vector<float> fileB = valuesIn(module, ".lora_B", {out, kRank * kExperts});
        for (int64_t e = 0; e < kExperts; ++e)
            for (int64_t k = 0; k < kRank; ++k) {
                for (int64_t i = 0; i < in; ++i)
                    ASSERT_EQ(fileA[static_cast<std::size_t>((e * kRank + k) * in + i)], a(stack, e, k, i));
                for (int64_t o = 0; o < out; ++o)
                    ASSERT_EQ(fileB[static_cast<std::size_t>((o * kRank + k) * kExperts + e)], b(stack, e, o, k));
            }
    };
    compare("gate_up_proj", std::string(kExpertsOf) + ".base_layer", kHidden, 2 * kInner);
    compare("down_proj", kExpertsOf, kInner, kHidden);
    EXPECT_EQ(file.tensors().size(), 2u * 2 * 3);
}

TEST_F(ExpertStacks, comeBackFromAdaptersAndCheckpoints) {
    for (const std::vector<std::string>& targets :
         std::vector<std::vector<std::string>>{{"down_proj", "gate_up_proj", "q_proj"},
                                               {"gate_up_proj"},
                                               {"down_proj", "v_proj"},
                                               {"layers.1.mlp.experts.down_proj"}}) {
        SCOPED_TRACE(targets.front());
        lora.targets = targets;
        makeValues();
        const fs::path place = write(targets.front());
        const arch::LoraConfig read = readAdapterConfig(place);
        EXPECT_EQ(arch::adaptedLinears(model, read).size(), layouts.size());
        const auto again = geometry::makeLayouts(model, read, DType::kF32);
        for (std::size_t l = 0; l < layouts.size(); ++l)
            EXPECT_EQ(again[l].adapter.numElements, layouts[l].adapter.numElements);
        const auto wanted = values;
        const fs::path checkpoint = folder.path() / "checkpoint";
        writeCheckpoint(checkpoint, layouts, lora, {spans(), spans(), spans()}, {folder.path(), {}, "base", ""}, {});
        AdapterSpans<std::byte> into{DType::kF32, {}};
        for (auto& layer : values)
            into.layers.push_back(std::as_writable_bytes(std::span(layer)));
        for (auto& layer : values)
            std::ranges::fill(layer, 0.0f);
        readAdapterWeights(place, layouts, into);
        EXPECT_EQ(values, wanted);
        for (auto& layer : values)
            std::ranges::fill(layer, 0.0f);
        readMoments(checkpoint, layouts, into, into);
        EXPECT_EQ(values, wanted);
    }
}

TEST_F(ExpertStacks, standInTheConfigAsTargetParameters) {
    const auto texts = [&](const std::string& name) { return readTextFile(write(name) / "adapter_config.json"); };
    const std::string both = texts("both");
    EXPECT_NE(both.find("\"mlp.experts.gate_up_proj\""), std::string::npos) << both;
    EXPECT_NE(both.find("\"q_proj\""), std::string::npos) << both;
    EXPECT_EQ(readAdapterConfig(folder.path() / "both").targets,
              (std::vector<std::string>{"q_proj", "mlp.experts.down_proj", "mlp.experts.gate_up_proj"}));
    lora.targets = {"q_proj"};
    makeValues();
    EXPECT_EQ(texts("none").find("target_parameters"), std::string::npos); // which older versions of PEFT do not know
    // A pattern's modules are read off the tensors, among which wrappers are none.
    lora.targets = {"q_proj", "down_proj"};
    makeValues();
    std::string text = texts("pattern");
    const std::size_t begin = text.find('[', text.find("target_modules")), end = text.find(']', begin);
    writeFileAtomically(folder.path() / "pattern" / "adapter_config.json",
                        text.replace(begin, end + 1 - begin, "\".*q_proj\""));
    EXPECT_EQ(readAdapterConfig(folder.path() / "pattern").targets,
              (std::vector<std::string>{"model.layers.0.self_attn.q_proj", "model.layers.1.self_attn.q_proj",
                                        "mlp.experts.down_proj"}));
}

TEST_F(ExpertStacks, areMergedExpertByExpert) {
    const fs::path place = write("both");
    for (const bool mxfp4 : {false, true}) {
        SCOPED_TRACE(mxfp4);
        const fs::path base = writeBase(mxfp4);
        const MergedModel merged(base, std::vector<WeightedAdapter>{{place, 0.5}});
        EXPECT_EQ(merged.isUnpacked(), mxfp4);
        const std::string name = std::string(kExpertsOf) + ".gate_up_proj";
        const std::vector<float> found = valuesOf(merged, name);
        const auto file = arch::SafetensorsFile::open(base / "model.safetensors");
        const auto bytesOf = [&](const std::string& tensor) {
            std::vector<uint8_t> bytes(static_cast<std::size_t>(file.find(tensor)->bytes));
            file.read(*file.find(tensor), 0, std::as_writable_bytes(std::span(bytes)));
            return bytes;
        };
        const std::vector<uint8_t> codes = bytesOf(mxfp4 ? name + "_blocks" : name);
        const std::vector<uint8_t> scales = mxfp4 ? bytesOf(name + "_scales") : std::vector<uint8_t>();
        constexpr int64_t out = 2 * kInner;
        ASSERT_EQ(found.size(), static_cast<std::size_t>(kExperts * kHidden * out));
        for (int64_t e = 0; e < kExperts; ++e)
            for (int64_t i = 0; i < kHidden; ++i)
                for (int64_t o = 0; o < out; ++o) {
                    const auto inFile = static_cast<std::size_t>((e * kHidden + i) * out + o);
                    const auto inCodes = static_cast<std::size_t>((e * out + o) * kHidden + i);
                    double wanted = 0;
                    for (int64_t k = 0; k < kRank; ++k) // half of 6 / 2
                        wanted += 1.5 * static_cast<double>(b("gate_up_proj", e, o, k)) *
                                  static_cast<double>(a("gate_up_proj", e, k, i));
                    if (mxfp4)
                        wanted += static_cast<double>(kE2m1Values[codes[inCodes / 2] >> (inCodes % 2 * 4) & 15]) *
                                  static_cast<double>(fromE8m0(scales[inCodes / 32]));
                    else
                        wanted += static_cast<double>(
                            fromBf16(static_cast<uint16_t>(codes[2 * inFile] | codes[2 * inFile + 1] << 8)));
                    ASSERT_NEAR(static_cast<double>(found[inFile]), wanted, 1e-5) << e << ' ' << i << ' ' << o;
                }
    }
}

// What is read back of the files is what was merged; experts that nothing changes stay as they are.
TEST_F(ExpertStacks, ofMxfp4AreUnpackedOnlyWhereSomeChange) {
    const fs::path base = writeBase(true);
    for (const bool changes : {true, false}) {
        lora.targets = changes ? std::vector<std::string>{"down_proj"} : std::vector<std::string>{"q_proj"};
        makeValues();
        const std::string name = changes ? "changed" : "kept";
        const MergedModel merged(base, std::vector<WeightedAdapter>{{write(name), 1}});
        OutputFolder out(folder.path() / (name + "-merged"), 0);
        writeMerged(out, merged);
        out.commit();
        const std::string config = readTextFile(folder.path() / (name + "-merged") / "config.json");
        EXPECT_EQ(config.find("quantization_config") == std::string::npos, changes);
        const MergedModel again(folder.path() / (name + "-merged"), {}); // all of a model's tensors, or an error
        const std::string gateUp = std::string(kExpertsOf) + ".gate_up_proj";
        EXPECT_EQ(again.find(gateUp) != nullptr, changes);
        if (!changes) continue;
        EXPECT_EQ(valuesOf(again, gateUp), valuesOf(merged, gateUp)); // 4 bits fit into 16
    }
}

TEST_F(ExpertStacks, ofSeveralAdaptersAreOneCombined) {
    const fs::path base = writeBase(true), one = write("one");
    lora.rank = kRank + 1;
    lora.targets = {"gate_up_proj"};
    makeValues();
    const MergedModel merged(base, std::vector<WeightedAdapter>{{one, 0.5}, {write("two"), 2}});
    OutputFolder out(folder.path() / "combined", 0);
    writeCombined(out, merged, "base");
    out.commit();
    const MergedModel again(base, std::vector<WeightedAdapter>{{folder.path() / "combined", 1}});
    for (const char* stack : {".gate_up_proj", ".down_proj"}) {
        const std::vector<float> wanted = valuesOf(merged, kExpertsOf + std::string(stack));
        const std::vector<float> found = valuesOf(again, kExpertsOf + std::string(stack));
        ASSERT_EQ(found.size(), wanted.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(static_cast<double>(found[i]), static_cast<double>(wanted[i]), 1e-4) << stack << i;
    }
}

} // namespace
} // namespace roundpipe::artifact
