// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/checkpoint.h"
#include "arch/layers.h"
#include "arch/safetensors_write.h"
#include "base/file.h"
#include "tensor_files.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <array>
#include <gtest/gtest.h>

namespace roundpipe::arch {
namespace {

using testing::expectError;

class CheckpointFolder : public ::testing::Test {
protected:
    void writeIndex(const std::string& weightMap) {
        writeBytes(m_path / "model.safetensors.index.json", R"({"metadata":{},"weight_map":)" + weightMap + "}");
    }
    void expectRefused(ErrorKind kind, std::initializer_list<std::string> words) {
        expectError(kind, words, [&] { Checkpoint::open(m_path); });
    }

    testing::TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder.path();
};

TEST_F(CheckpointFolder, joinsShards) {
    writeTensors(m_path / "m-1.safetensors", {"a", "b"});
    writeTensors(m_path / "m-2.safetensors", {"c"});
    writeIndex(R"({"a":"m-1.safetensors","b":"m-1.safetensors","c":"m-2.safetensors"})");
    const Checkpoint checkpoint = Checkpoint::open(m_path);
    EXPECT_EQ(checkpoint.names(), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(checkpoint.totalBytes(), 72);
    EXPECT_TRUE(checkpoint.has("c"));
    EXPECT_FALSE(checkpoint.has("d"));
    std::array<float, 1> value{};
    checkpoint.read("c", 8, std::as_writable_bytes(std::span(value)));
    EXPECT_EQ(value[0], 3);
}

TEST_F(CheckpointFolder, prefersTheSingleFile) {
    writeTensors(m_path / "model.safetensors", {"a"});
    writeIndex(R"({"a":"absent.safetensors"})");
    EXPECT_EQ(Checkpoint::open(m_path).names(), (std::vector<std::string>{"a"}));
}

TEST_F(CheckpointFolder, findsParametersOfModelsWithPicturesUnderTheirOlderNames) {
    writeTensors(m_path / "model.safetensors",
                 {"language_model.model.embed_tokens.weight", "language_model.lm_head.weight", "vision_tower.a",
                  "multi_modal_projector.b"});
    const Checkpoint checkpoint = Checkpoint::open(m_path);
    EXPECT_EQ(checkpoint.names(),
              (std::vector<std::string>{"lm_head.weight", "model.language_model.embed_tokens.weight",
                                        "model.multi_modal_projector.b", "model.vision_tower.a"}));
    const std::array<int64_t, 2> shape = {2, 3};
    EXPECT_EQ(checkpoint.require("model.language_model.embed_tokens.weight", shape).name,
              "language_model.model.embed_tokens.weight");
    EXPECT_EQ(checkpoint.require("lm_head.weight", shape).name, "language_model.lm_head.weight");

    const auto layersOf = [](const std::string& name) {
        LayerSpec layer;
        layer.tensors = {{TensorRole::kEmbedTokens, name, {2, 3}}};
        return std::vector<LayerSpec>{layer};
    };
    checkpoint.requireNoOthers(layersOf("model.language_model.embed_tokens.weight"));
    expectError(ErrorKind::kInvalidInput, {"model.language_model.embed_tokens.weight", "2 more", "no place"},
                [&] { checkpoint.requireNoOthers(layersOf("model.embed_tokens.weight")); });
}

TEST_F(CheckpointFolder, refusesAParameterUnderTwoNames) {
    writeTensors(m_path / "model.safetensors",
                 {"language_model.model.norm.weight", "model.language_model.norm.weight"});
    expectRefused(ErrorKind::kInvalidInput, {"language_model.norm.weight", "both"});
}

// Some folders store a tied head all the same; another one would be left out without a word.
TEST_F(CheckpointFolder, refusesATiedHeadThatIsAnotherOne) {
    const auto head = [](const std::string& name) {
        LayerSpec layer;
        layer.tensors = {{TensorRole::kLmHead, name, {2, 3}, false, TensorKind::kLinear}};
        return std::vector<LayerSpec>{layer};
    };
    const auto tied = head("model.embed_tokens.weight"), apart = head("lm_head.weight");
    writeTensors(m_path / "m-1.safetensors", {"model.embed_tokens.weight"});
    writeTensors(m_path / "m-2.safetensors", {"lm_head.weight"});
    writeIndex(R"({"model.embed_tokens.weight":"m-1.safetensors","lm_head.weight":"m-2.safetensors"})");
    EXPECT_NO_THROW(Checkpoint::open(m_path).requireTiedHead(tied));
    std::string bytes = readTextFile(m_path / "m-2.safetensors", 1 << 20);
    ++bytes.back();
    writeBytes(m_path / "m-2.safetensors", bytes);
    expectError(ErrorKind::kInvalidInput, {"'lm_head.weight'", "'model.embed_tokens.weight'", "tie_word_embeddings"},
                [&] { Checkpoint::open(m_path).requireTiedHead(tied); });
    EXPECT_NO_THROW(Checkpoint::open(m_path).requireTiedHead(apart));
    // Of three rows of eight bytes, the last one differs, then one that lies between the ends.
    const auto refuses = [&](std::optional<int64_t> bytesOfEnds) {
        try {
            Checkpoint::open(m_path).requireTiedHead(tied, bytesOfEnds);
            return false;
        } catch (const Error&) {
            return true;
        }
    };
    EXPECT_TRUE(refuses(8));
    --bytes.back();
    ++bytes[bytes.size() - 9];
    writeBytes(m_path / "m-2.safetensors", bytes);
    EXPECT_FALSE(refuses(8));
    EXPECT_TRUE(refuses(12));
    EXPECT_TRUE(refuses(1 << 20)) << "more than there is";
    EXPECT_TRUE(refuses(std::nullopt));
}

TEST_F(CheckpointFolder, namesTheTensorThatDoesNotFit) {
    writeTensors(m_path / "model.safetensors", {"a"});
    const Checkpoint checkpoint = Checkpoint::open(m_path);
    const std::array<int64_t, 2> shape{2, 3}, other{3, 2};
    EXPECT_EQ(checkpoint.require("a", shape).bytes, 24);
    expectError(ErrorKind::kInvalidInput, {"'a'", "[2, 3]", "[3, 2]", "model.safetensors"},
                [&] { checkpoint.require("a", other); });
    expectError(ErrorKind::kInvalidInput, {"'b'", "missing", m_path.string()}, [&] { checkpoint.require("b", shape); });
}

TEST_F(CheckpointFolder, namesTheDtypeThatDoesNotFit) {
    const std::array<int8_t, 4> bytes{};
    const TensorToWrite tensor{"a", DType::kI8, {4}, std::as_bytes(std::span(bytes))};
    writeSafetensors(m_path / "model.safetensors", std::span(&tensor, 1));
    const std::array<int64_t, 1> shape{4};
    expectError(ErrorKind::kInvalidInput, {"'a'", "I8", "BF16"}, [&] { Checkpoint::open(m_path).require("a", shape); });
}

TEST_F(CheckpointFolder, namesAMissingOrTruncatedShard) {
    writeTensors(m_path / "m-1.safetensors", {"a"});
    writeIndex(R"({"a":"m-1.safetensors","b":"m-2.safetensors"})");
    expectRefused(ErrorKind::kIo, {"m-2.safetensors", "missing", "'b'"});
    writeTensors(m_path / "m-2.safetensors", {"b"});
    std::filesystem::resize_file(m_path / "m-2.safetensors",
                                 std::filesystem::file_size(m_path / "m-2.safetensors") - 1);
    expectRefused(ErrorKind::kIo, {"m-2.safetensors", "truncated", "'b'"});
}

TEST_F(CheckpointFolder, refusesAnIndexThatPointsOutside) {
    writeTensors(m_path / "secret.safetensors", {"a"});
    std::filesystem::create_directory(m_path / "model");
    m_path /= "model";
    const std::vector<std::string> names = {"../secret.safetensors", "sub/../../secret.safetensors",
                                            (m_path.parent_path() / "secret.safetensors").string(), ""};
    for (const std::string& name : names) {
        SCOPED_TRACE(name);
        writeIndex(R"({"a":")" + name + R"("})");
        expectRefused(ErrorKind::kInvalidInput, {"'a'", "'" + name + "'", "outside", "index.json"});
    }
}

TEST_F(CheckpointFolder, followsLinksAsTheHuggingFaceCacheHasThem) {
    const auto blobs = m_path / "blobs", snapshot = m_path / "snapshots";
    std::filesystem::create_directory(blobs);
    std::filesystem::create_directory(snapshot);
    writeTensors(blobs / "0123", {"a"});
    std::filesystem::create_symlink("../blobs/0123", snapshot / "model.safetensors");
    EXPECT_TRUE(Checkpoint::open(snapshot).has("a"));
}

TEST_F(CheckpointFolder, refusesAnIndexThatDoesNotMatchItsShards) {
    writeTensors(m_path / "m-1.safetensors", {"a"});
    writeIndex(R"({"a":"m-1.safetensors","b":"m-1.safetensors"})");
    expectRefused(ErrorKind::kInvalidInput, {"'b'", "m-1.safetensors"});
    writeTensors(m_path / "m-2.safetensors", {"a", "b"});
    writeIndex(R"({"a":"m-1.safetensors","b":"m-2.safetensors"})");
    expectRefused(ErrorKind::kInvalidInput, {"'a'", "m-1.safetensors", "m-2.safetensors"});
    for (const char* broken : {"[]", "{}", R"({"a":7})"}) {
        writeIndex(broken);
        expectRefused(ErrorKind::kInvalidInput, {"weight_map", "index.json"});
    }
    writeBytes(m_path / "model.safetensors.index.json", "{");
    expectRefused(ErrorKind::kInvalidInput, {"index.json", "JSON"});
}

TEST_F(CheckpointFolder, saysWhatIsMissingAndNeverOpensPickles) {
    expectRefused(ErrorKind::kIo, {m_path.string(), "model.safetensors"});
    writeBytes(m_path / "pytorch_model.bin", "x");
    expectRefused(ErrorKind::kUnsupported, {"pytorch_model.bin", "safetensors"});
}

TEST_F(CheckpointFolder, fitsARealModel) {
    RP_REQUIRE_FIXTURES();
    const auto folder = testing::fixtures() / "weights" / "stories260K-hf";
    const Checkpoint checkpoint = Checkpoint::open(folder);
    const ModelSpec model = makeModelSpec(readModelConfig(folder));
    int64_t bytes = 0;
    for (const LayerSpec& layer : model.layers)
        for (const TensorSpec& tensor : layer.tensors) {
            const TensorEntry& entry = checkpoint.require(tensor.name, tensor.shape);
            if (layer.kind != LayerKind::kHead || tensor.role == TensorRole::kFinalNorm) bytes += entry.bytes;
        }
    EXPECT_EQ(bytes, checkpoint.totalBytes()); // nothing is left over
    EXPECT_EQ(model.numParameters(), 260'032);
}

} // namespace
} // namespace roundpipe::arch
