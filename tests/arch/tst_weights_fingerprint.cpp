// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/weights_fingerprint.h"

#include "arch/safetensors_write.h"
#include "base/error.h"
#include "base/file.h"
#include "tensor_files.h"
#include "testing/fixtures.h"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace roundpipe::arch {
namespace {

namespace fs = std::filesystem;

class WeightsFingerprint : public ::testing::Test {
protected:
    WeightsFingerprint() {
        ::setenv("XDG_CACHE_HOME", (m_folder.path() / "cache").c_str(), 1);
        fs::create_directories(m_model);
        write("model.safetensors", {{"a", kLarge}, {"b", 3}});
    }
    struct Named {
        std::string name;
        std::size_t elements;
    };
    // Element i of a tensor is i.
    void write(const char* file, const std::vector<Named>& tensors) {
        std::vector<std::vector<float>> values;
        std::vector<TensorToWrite> toWrite;
        for (const Named& tensor : tensors) {
            std::vector<float>& each = values.emplace_back(tensor.elements);
            for (std::size_t i = 0; i < each.size(); ++i)
                each[i] = static_cast<float>(i);
            toWrite.push_back(
                {tensor.name, DType::kF32, {static_cast<int64_t>(each.size())}, std::as_bytes(std::span(each))});
        }
        writeSafetensors(m_model / file, toWrite, {});
    }
    void changeByteAt(std::size_t fromEnd) {
        std::string bytes = readTextFile(m_model / "model.safetensors", int64_t{1} << 26);
        bytes[bytes.size() - fromEnd] ^= 1;
        writeFileAtomically(m_model / "model.safetensors", bytes);
    }
    std::string print() const { return fingerprintOfWeights(m_model); }

    static constexpr std::size_t kLarge = (std::size_t{5} << 20) + 7; // of more pieces than one, the last one short
    testing::TemporaryFolder m_folder;
    fs::path m_model = m_folder.path() / "model";
};

// transformers stores the text of models with pictures under either.
TEST_F(WeightsFingerprint, isTheSameUnderOlderNames) {
    write("model.safetensors", {{"model.language_model.norm.weight", 9}, {"model.vision_tower.a", 5}});
    const std::string before = print();
    write("model.safetensors", {{"language_model.model.norm.weight", 9}, {"vision_tower.a", 5}});
    EXPECT_EQ(print(), before);
    write("model.safetensors", {{"language_model.model.norm.weight", 9}, {"vision_tower.b", 5}});
    EXPECT_NE(print(), before);
}

TEST_F(WeightsFingerprint, seesEveryByte) {
    const std::string before = print();
    EXPECT_EQ(before.size(), 32U);
    for (const std::size_t fromEnd : {std::size_t{1}, std::size_t{1000}, 2 * kLarge + 99, 4 * kLarge - 1}) {
        changeByteAt(fromEnd);
        EXPECT_NE(print(), before) << fromEnd;
        changeByteAt(fromEnd);
        EXPECT_EQ(print(), before) << fromEnd;
    }
}

TEST_F(WeightsFingerprint, seesNamesAndNotTheCutIntoFiles) {
    const std::string before = print();
    write("model.safetensors", {{"a", kLarge}, {"c", 3}});
    EXPECT_NE(print(), before);
    fs::remove(m_model / "model.safetensors");
    write("m-1.safetensors", {{"b", 3}});
    write("m-2.safetensors", {{"a", kLarge}});
    writeBytes(m_model / "model.safetensors.index.json",
               R"({"metadata":{},"weight_map":{"b":"m-1.safetensors","a":"m-2.safetensors"}})");
    EXPECT_EQ(print(), before);
}

TEST_F(WeightsFingerprint, isKeptUntilAFileIsTouched) {
    const fs::path kept = m_folder.path() / "cache/roundpipe/fingerprints";
    const std::string before = print();
    EXPECT_FALSE(fs::exists(kept)) << "what was written a moment ago may be written again";
    std::this_thread::sleep_for(std::chrono::milliseconds(3200));
    EXPECT_EQ(print(), before);
    ASSERT_TRUE(fs::exists(kept));
    const fs::path file = fs::directory_iterator(kept)->path();
    EXPECT_EQ(readTextFile(file), before);
    const std::string other(32, '0');
    writeFileAtomically(file, other);
    EXPECT_EQ(print(), other) << "it is not read again";
    writeFileAtomically(file, "half");
    EXPECT_EQ(print(), before) << "nor is half a one taken";
    writeFileAtomically(file, other);
    changeByteAt(1);
    EXPECT_NE(print(), other);
    EXPECT_NE(print(), before);
}

TEST_F(WeightsFingerprint, endsWhenNobodyWantsIt) {
    try {
        fingerprintOfWeights(m_model, true);
        FAIL() << "went on";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kCancelled);
    }
}

} // namespace
} // namespace roundpipe::arch
