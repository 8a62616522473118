// SPDX-License-Identifier: GPL-3.0-or-later
// Against the reference implementation: the safetensors package of the test environment.
#include "arch/safetensors_file.h"
#include "arch/safetensors_write.h"
#include "tensor_files.h"
#include "testing/fixtures.h"

#include <array>
#include <cstdlib>
#include <gtest/gtest.h>

namespace roundpipe::arch {
namespace {

bool runPython(const std::string& arguments) {
    const char* python = std::getenv("ROUNDPIPE_PYTHON");
    return python != nullptr && std::system((std::string(python) + " " + arguments).c_str()) == 0;
}

class SafetensorsReference : public ::testing::Test {
protected:
    void SetUp() override {
        if (!runPython("-c 'import safetensors.torch' 2>/dev/null"))
            GTEST_SKIP() << "no Python with safetensors and torch; set ROUNDPIPE_PYTHON to run this";
    }
    bool runScript(const std::string& script) {
        writeBytes(m_folder.path() / "script.py", script);
        return runPython("'" + (m_folder.path() / "script.py").string() + "' '" + m_file.string() + "'");
    }

    testing::TemporaryFolder m_folder;
    std::filesystem::path m_file = m_folder.path() / "reference.safetensors";
};

TEST_F(SafetensorsReference, readsWhatPythonWrote) {
    ASSERT_TRUE(runScript(R"(
import sys, torch
from safetensors.torch import save_file
save_file({"half": torch.tensor([1.5, -2.0], dtype=torch.bfloat16),
           "scalar": torch.tensor(7, dtype=torch.int64),
           "none": torch.zeros(0, 3),
           "matrix": torch.arange(6, dtype=torch.float64).reshape(2, 3)}, sys.argv[1], {"format": "pt", "naïve": "✓"})
)"));
    const SafetensorsFile file = SafetensorsFile::open(m_file);
    EXPECT_EQ(file.metadata().at("naïve"), "✓");
    EXPECT_EQ(file.tensors().size(), 4u);
    EXPECT_EQ(file.find("half")->dtype, DType::kBF16);
    EXPECT_EQ(file.find("none")->shape, (std::vector<int64_t>{0, 3}));
    std::array<double, 6> matrix{};
    file.read(*file.find("matrix"), 0, std::as_writable_bytes(std::span(matrix)));
    EXPECT_EQ(matrix, (std::array<double, 6>{0, 1, 2, 3, 4, 5}));
    std::array<int64_t, 1> scalar{};
    file.read(*file.find("scalar"), 0, std::as_writable_bytes(std::span(scalar)));
    EXPECT_EQ(scalar[0], 7);
}

TEST_F(SafetensorsReference, writesWhatPythonReads) {
    const std::array<float, 6> values{0, 1, 2, 3, 4, 5};
    const std::array<uint16_t, 2> half{0x3fc0, 0xc000}; // bfloat16 1.5, -2
    const std::vector<TensorToWrite> tensors = {
        {"base_model.model.x.lora_A.weight", DType::kF32, {2, 3}, std::as_bytes(std::span(values))},
        {"half", DType::kBF16, {2}, std::as_bytes(std::span(half))},
        {"none", DType::kF32, {0, 3}, {}},
    };
    writeSafetensors(m_file, tensors, {{"format", "pt"}, {"quote", "\"\\\n✓"}});
    EXPECT_TRUE(runScript(R"(
import sys, torch
from safetensors import safe_open
with safe_open(sys.argv[1], "pt") as f:
    assert f.metadata() == {"format": "pt", "quote": "\"\\\n✓"}, f.metadata()
    assert set(f.keys()) == {"base_model.model.x.lora_A.weight", "half", "none"}, f.keys()
    assert torch.equal(f.get_tensor("base_model.model.x.lora_A.weight"), torch.arange(6.).reshape(2, 3))
    assert torch.equal(f.get_tensor("half"), torch.tensor([1.5, -2.0], dtype=torch.bfloat16))
    assert f.get_tensor("none").shape == (0, 3)
)"));
}

} // namespace
} // namespace roundpipe::arch
