// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/safetensors_write.h"
#include "arch/weights_fingerprint.h"
#include "artifact/base_fingerprint.h"
#include "artifact/export/consumers.h"
#include "artifact/merge/combined_adapter.h"
#include "artifact/merge/merged_folder.h"
#include "artifact/merge/rank_product.h"
#include "base/error.h"
#include "base/file.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

constexpr const char* kQuery = "model.layers.0.self_attn.q_proj";

struct Tensor {
    std::string name;
    std::vector<int64_t> shape;
    std::vector<float> values;
};

void writeTensors(const fs::path& file, const std::vector<Tensor>& tensors) {
    std::vector<arch::TensorToWrite> all;
    for (const Tensor& tensor : tensors)
        all.push_back({tensor.name, DType::kF32, tensor.shape, std::as_bytes(std::span(tensor.values))});
    arch::writeSafetensors(file, all);
}

std::vector<float> counting(std::size_t count, float start, float step) {
    std::vector<float> values(count);
    for (float& value : values)
        value = std::exchange(start, start + step);
    return values;
}

class MergedModelTest : public ::testing::Test {
protected:
    testing::TemporaryFolder folder;
    fs::path base = folder.path() / "base";

    void SetUp() override { writeBase(true); }

    void writeBase(bool tied) {
        fs::create_directories(base);
        writeFileAtomically(base / "config.json",
                            std::string(R"({"architectures": ["LlamaForCausalLM"], "vocab_size": 6,
            "hidden_size": 4, "intermediate_size": 6, "num_hidden_layers": 1, "num_attention_heads": 2,
            "num_key_value_heads": 1, "max_position_embeddings": 64, "torch_dtype": "float32", "tie_word_embeddings": )") +
                                (tied ? "true}" : "false}"));
        std::vector<Tensor> tensors;
        const auto add = [&](const std::string& name, std::vector<int64_t> shape) {
            std::size_t count = 1;
            for (const int64_t size : shape)
                count *= static_cast<std::size_t>(size);
            tensors.push_back({name, std::move(shape), counting(count, static_cast<float>(tensors.size()), 0.125f)});
        };
        add("model.embed_tokens.weight", {6, 4});
        add("model.norm.weight", {4});
        const std::string block = "model.layers.0.";
        for (const char* norm : {"input_layernorm", "post_attention_layernorm"})
            add(block + norm + ".weight", {4});
        for (const char* square : {"q_proj", "o_proj"})
            add(block + "self_attn." + square + ".weight", {4, 4});
        for (const char* narrow : {"k_proj", "v_proj"})
            add(block + "self_attn." + narrow + ".weight", {2, 4});
        for (const char* wide : {"gate_proj", "up_proj"})
            add(block + "mlp." + wide + ".weight", {6, 4});
        add(block + "mlp.down_proj.weight", {4, 6});
        if (!tied) add("lm_head.weight", {6, 4});
        writeTensors(base / "model.safetensors", tensors);
    }
    fs::path adapter(const std::string& name, const std::string& config, std::vector<Tensor> tensors) {
        const fs::path place = folder.path() / name;
        fs::create_directories(place);
        for (Tensor& tensor : tensors)
            tensor.name = "base_model.model." + tensor.name;
        writeTensors(place / "adapter_model.safetensors", tensors);
        writeFileAtomically(place / "adapter_config.json",
                            R"({"peft_type": "LORA", "target_modules": ["q_proj"], )" + config + "}");
        return place;
    }
    std::vector<Tensor> pair(const std::string& module, int64_t out, int64_t in, int64_t rank, float start) {
        return {{module + ".lora_A.weight", {rank, in}, counting(static_cast<std::size_t>(rank * in), start, 0.25f)},
                {module + ".lora_B.weight", {out, rank}, counting(static_cast<std::size_t>(out * rank), -start, 0.5f)}};
    }
    std::vector<float> valuesOf(const MergedModel& model, const std::string& name) {
        const MergedTensor& tensor = *model.find(name);
        std::vector<float> values(static_cast<std::size_t>(tensor.rows() * tensor.cols()));
        MergedRows(tensor).read(0, tensor.rows(), values);
        return values;
    }
    // Base and `factor` times B A, in double.
    std::vector<double> wanted(const std::string& name, const std::vector<Tensor>& ab, double factor) {
        const std::vector<float> start = valuesOf(MergedModel(base, {}), name);
        std::vector<double> values(start.begin(), start.end());
        const auto rank = static_cast<std::size_t>(ab[0].shape[0]), in = static_cast<std::size_t>(ab[0].shape[1]);
        for (std::size_t i = 0; i < values.size(); ++i)
            for (std::size_t k = 0; k < rank; ++k)
                values[i] += factor * static_cast<double>(ab[1].values[i / in * rank + k]) *
                             static_cast<double>(ab[0].values[k * in + i % in]);
        return values;
    }
    void expectNear(const std::vector<float>& found, const std::vector<double>& expected) {
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(static_cast<double>(found[i]), expected[i], 1e-4) << i;
    }
    std::string refusal(const std::vector<WeightedAdapter>& adapters) {
        try {
            const MergedModel model(base, adapters);
        } catch (const Error& error) {
            return std::string(toString(error.kind())) + ": " + error.what();
        }
        return "accepted";
    }
};

TEST(RankProduct, isTheSumInItsOrder) {
    constexpr int64_t rows = 3, cols = 1030, rank = 5;
    const std::vector<float> a = counting(rank * cols, -2, 0.001f), b = counting(rows * rank, 0.1f, 0.3f);
    std::vector<float> out = counting(rows * cols, 1, 0.01f), expected = out;
    addRankProduct(out.data(), b.data(), a.data(), rows, cols, rank, 0.5f);
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < cols; ++c) {
            float sum = 0;
            for (int64_t k = 0; k < rank; ++k)
                sum =
                    std::fma(b[static_cast<std::size_t>(r * rank + k)], a[static_cast<std::size_t>(k * cols + c)], sum);
            float& value = expected[static_cast<std::size_t>(r * cols + c)];
            value += 0.5f * sum;
        }
    EXPECT_EQ(out, expected);
}

TEST_F(MergedModelTest, addsScaledProductsOfEveryStrength) {
    const std::string name = std::string(kQuery) + ".weight";
    const std::vector<Tensor> ab = pair(kQuery, 4, 4, 2, 0.5f);
    const fs::path plain = adapter("plain", R"("r": 2, "lora_alpha": 6)", ab);
    expectNear(valuesOf(MergedModel(base, std::vector<WeightedAdapter>{{plain, 1}}), name), wanted(name, ab, 3));
    expectNear(valuesOf(MergedModel(base, std::vector<WeightedAdapter>{{plain, -0.5}}), name), wanted(name, ab, -1.5));
    const fs::path stabilised = adapter("rs", R"("r": 2, "lora_alpha": 6, "use_rslora": true)", ab);
    expectNear(valuesOf(MergedModel(base, std::vector<WeightedAdapter>{{stabilised, 1}}), name),
               wanted(name, ab, 6 / std::sqrt(2.0)));
    // The rank of the tensors counts, and the first pattern that fits.
    const fs::path pattern = adapter(
        "pattern",
        R"("r": 8, "lora_alpha": 6, "rank_pattern": {"q_proj": 2}, "alpha_pattern": {"_proj": 1, "q_proj": 10})", ab);
    expectNear(valuesOf(MergedModel(base, std::vector<WeightedAdapter>{{pattern, 1}}), name), wanted(name, ab, 5));
}

TEST_F(MergedModelTest, severalAreOneCombined) {
    const std::string down = "model.layers.0.mlp.down_proj";
    const fs::path one = adapter("one", R"("r": 2, "lora_alpha": 4)", pair(kQuery, 4, 4, 2, 0.5f));
    std::vector<Tensor> both = pair(kQuery, 4, 4, 3, 0.25f);
    std::ranges::move(pair(down, 4, 6, 3, 0.125f), std::back_inserter(both));
    const fs::path two = adapter("two", R"("r": 3, "lora_alpha": 3)", both);
    const std::vector<WeightedAdapter> adapters = {{one, 0.5}, {two, 2}};
    const MergedModel model(base, adapters);
    OutputFolder out(folder.path() / "combined", 0);
    writeCombined(out, model, "base");
    out.commit();
    EXPECT_EQ(CombinedAdapter(model).rank(), 5);
    const MergedModel again(base, std::vector<WeightedAdapter>{{folder.path() / "combined", 1}});
    for (const std::string& name : {std::string(kQuery) + ".weight", down + ".weight"}) {
        const std::vector<float> wantedValues = valuesOf(model, name);
        expectNear(valuesOf(again, name), {wantedValues.begin(), wantedValues.end()});
    }
}

TEST_F(MergedModelTest, wholeModulesTakeTheirPlace) {
    std::vector<Tensor> tensors = pair(kQuery, 4, 4, 2, 0.5f);
    tensors.push_back({"model.norm.weight", {4}, {9, 8, 7, 6}});
    const fs::path whole = adapter("whole", R"("r": 2, "lora_alpha": 2, "modules_to_save": ["norm"])", tensors);
    EXPECT_EQ(valuesOf(MergedModel(base, std::vector<WeightedAdapter>{{whole, 1}}), "model.norm.weight"),
              (std::vector<float>{9, 8, 7, 6}));
    EXPECT_NE(refusal({{whole, 0.5}}).find("no weight other than 1"), std::string::npos);
    EXPECT_NE(refusal({{whole, 1}, {whole, 1}}).find("Two adapters have 'model.norm.weight'"), std::string::npos);
}

// The embedding stays; the head gets a table of its own, and the config says so.
TEST_F(MergedModelTest, anAdapterOfATiedHeadUntiesIt) {
    const std::vector<Tensor> ab = pair("lm_head", 6, 4, 2, 0.5f);
    const fs::path head = adapter("head", R"("r": 2, "lora_alpha": 2)", ab);
    const MergedModel model(base, std::vector<WeightedAdapter>{{head, 1}});
    EXPECT_TRUE(model.isUntied());
    expectNear(valuesOf(model, "lm_head.weight"), wanted("model.embed_tokens.weight", ab, 1));
    EXPECT_EQ(valuesOf(model, "model.embed_tokens.weight"),
              valuesOf(MergedModel(base, {}), "model.embed_tokens.weight"));
    OutputFolder out(folder.path() / "merged", 0);
    writeMerged(out, model);
    out.commit();
    const MergedModel again(folder.path() / "merged", {});
    EXPECT_FALSE(again.spec().config.tiedEmbeddings);
    EXPECT_EQ(valuesOf(again, "lm_head.weight"), valuesOf(model, "lm_head.weight"));
}

TEST_F(MergedModelTest, refusesAnAdapterOfAnotherBaseInWords) {
    const fs::path other =
        adapter("other", R"("r": 2, "lora_alpha": 2)", pair("model.layers.7.self_attn.q_proj", 4, 4, 2, 1));
    EXPECT_NE(refusal({{other, 1}}).find("it changes 'model.layers.7.self_attn.q_proj.weight', which is not in it"),
              std::string::npos)
        << refusal({{other, 1}});
    const fs::path larger = adapter("larger", R"("r": 2, "lora_alpha": 2)", pair(kQuery, 8, 4, 2, 1));
    EXPECT_NE(refusal({{larger, 1}}).find("8 outputs and 4 inputs"), std::string::npos) << refusal({{larger, 1}});
    std::vector<Tensor> half = pair(kQuery, 4, 4, 2, 1);
    half.pop_back();
    const fs::path broken = adapter("broken", R"("r": 2, "lora_alpha": 2)", half);
    EXPECT_NE(refusal({{broken, 1}}).find("lora_B.weight' is missing"), std::string::npos) << refusal({{broken, 1}});
    const fs::path dora = adapter("dora", R"("r": 2, "lora_alpha": 2, "use_dora": true)", pair(kQuery, 4, 4, 2, 1));
    EXPECT_NE(refusal({{dora, 1}}).find("DoRA"), std::string::npos) << refusal({{dora, 1}});
}

TEST_F(MergedModelTest, knowsOtherWeightsOfTheSameShapes) {
    const fs::path own = adapter("own", R"("r": 2, "lora_alpha": 2)", pair(kQuery, 4, 4, 2, 1));
    writeFileAtomically(own / kBaseFile, baseJson(arch::fingerprintOfWeights(base)));
    EXPECT_EQ(refusal({{own, 1}}), "accepted");
    std::string weights = readTextFile(base / "model.safetensors");
    weights.back() = static_cast<char>(weights.back() ^ 1);
    writeFileAtomically(base / "model.safetensors", weights);
    EXPECT_NE(refusal({{own, 1}}).find("trained on other weights"), std::string::npos) << refusal({{own, 1}});
}

TEST_F(MergedModelTest, lintSaysWhoWillRefuseWhat) {
    const arch::ModelSpec model = MergedModel(base, {}).spec();
    const auto said = [&](const session::AdapterFacts& facts, const std::string& words) {
        for (const session::ExportRemark& remark : remarksOnConsumers(model, &facts, 6))
            if (remark.text().find(words) != std::string::npos) return remark.refuses ? 2 : 1;
        return 0;
    };
    session::AdapterFacts facts;
    facts.rank = 12;
    EXPECT_EQ(said(facts, "--max-lora-rank 16"), 1);
    facts.rank = 513;
    EXPECT_EQ(said(facts, "vLLM takes no adapter of rank 513"), 2);
    EXPECT_EQ(said(facts, "lm_head"), 0);
    facts.adaptsHead = true;
    EXPECT_EQ(said(facts, "llama.cpp and Ollama take no adapter of lm_head"), 2);
    facts.wholeNames = {"norm"};
    EXPECT_EQ(said(facts, "vLLM takes no adapter with modules that are trained whole (norm)"), 2);
    EXPECT_EQ(said(facts, "rank-stabilised"), 0);
    facts.rsLora = true;
    EXPECT_EQ(said(facts, "rank-stabilised"), 1);
    EXPECT_EQ(remarksOnConsumers(model, nullptr, 6).size(), 0U);
    EXPECT_TRUE(remarksOnConsumers(model, nullptr, 7).front().refuses);  // a token without a row
    EXPECT_FALSE(remarksOnConsumers(model, nullptr, 5).front().refuses); // a row without a token
}

} // namespace
} // namespace roundpipe::artifact
