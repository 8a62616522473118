// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/safetensors_file.h"
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

class Safetensors : public ::testing::Test {
protected:
    void expectDamaged(const std::string& header, std::size_t dataBytes, std::initializer_list<std::string> words,
                       ErrorKind kind = ErrorKind::kInvalidInput) {
        SCOPED_TRACE(header);
        writeBytes(m_file, safetensorsBytes(header, dataBytes));
        expectError(kind, words, [&] { SafetensorsFile::open(m_file); });
        expectError(kind, {m_file.string()}, [&] { SafetensorsFile::open(m_file); });
    }

    testing::TemporaryFolder m_folder;
    std::filesystem::path m_file = m_folder.path() / "model.safetensors";
};

TEST_F(Safetensors, readsBackWhatItWrote) {
    const std::array<float, 3> floats{1.5f, -2, 3};
    const std::array<uint8_t, 4> bytes{1, 2, 3, 4};
    const std::vector<TensorToWrite> tensors = {
        {"z", DType::kF32, {3}, std::as_bytes(std::span(floats))},
        {"empty", DType::kBF16, {0, 4}, {}},
        {"a", DType::kU8, {2, 2}, std::as_bytes(std::span(bytes))},
        {"scalar", DType::kF32, {}, std::as_bytes(std::span(floats)).first(4)},
    };
    writeSafetensors(m_file, tensors, {{"format", "pt"}});
    const SafetensorsFile file = SafetensorsFile::open(m_file);
    EXPECT_EQ(file.metadata().at("format"), "pt");
    ASSERT_EQ(file.tensors().size(), 4u);
    EXPECT_EQ(file.tensors().front().name, "z");
    EXPECT_EQ(file.tensors().front().offset % 8, 0);
    EXPECT_EQ(file.find("a")->shape, (std::vector<int64_t>{2, 2}));
    EXPECT_TRUE(file.find("scalar")->shape.empty());
    EXPECT_EQ(file.find("absent"), nullptr);
    std::array<float, 2> back{};
    file.read(*file.find("z"), 4, std::as_writable_bytes(std::span(back)));
    EXPECT_EQ(back, (std::array<float, 2>{-2, 3}));
    expectError(ErrorKind::kInternal, {},
                [&] { file.read(*file.find("z"), 8, std::as_writable_bytes(std::span(back))); });
}

TEST_F(Safetensors, namesWhatIsDamaged) {
    const auto one = [](const std::string& fields) { return R"({"w":{)" + fields + "}}"; };
    expectDamaged("{", 0, {"JSON"});
    expectDamaged("[]", 0, {"object"});
    expectDamaged(
        R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"w":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}})",
        4, {"'w'", "twice"});
    expectDamaged(one(R"("dtype":"F32","shape":[2])"), 8, {"'w'", "data_offsets"});
    expectDamaged(one(R"("dtype":5,"shape":[2],"data_offsets":[0,8])"), 8, {"'w'", "dtype"});
    expectDamaged(one(R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])"), 8, {"'w'", "shape"});
    expectDamaged(one(R"("dtype":"F32","shape":[2.0],"data_offsets":[0,8])"), 8, {"'w'", "shape"});
    expectDamaged(one(R"("dtype":"F32","shape":2,"data_offsets":[0,8])"), 8, {"'w'", "shape"});
    expectDamaged(one(R"("dtype":"F32","shape":[2],"data_offsets":[0,8,9])"), 8, {"'w'", "data_offsets"});
    expectDamaged(one(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])"), 8, {"'w'", "end before start"});
    expectDamaged(one(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])"), 8, {"'w'", "8", "12", "F32", "[3]"});
    expectDamaged(one(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8])"), 8, {"'w'", "64 bits"});
    expectDamaged(one(R"("dtype":"F32","shape":[2],"data_offsets":[4,12])"), 12, {"'w'", "gap"});
    expectDamaged(one(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])"), 9, {"after its last tensor"});
    expectDamaged(R"({"__metadata__":{"a":1}})", 0, {"__metadata__", "'a'"});
    expectDamaged(
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
        12, {"'b'", "overlaps"});
    expectDamaged(one(R"("dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8])"), 8, {"'w'", "F8_E4M3"},
                  ErrorKind::kUnsupported);
    expectDamaged(one(R"("dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551615])"), 8, {"'w'"});
    expectDamaged(one(R"("dtype":"F32","shape":[2305843009213693951],"data_offsets":[0,9223372036854775804])"), 8,
                  {"'w'", "truncated"}, ErrorKind::kIo);
}

TEST_F(Safetensors, tellsATruncatedFile) {
    expectDamaged(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 7, {"truncated", "'w'"}, ErrorKind::kIo);
    writeBytes(m_file, "abc");
    expectError(ErrorKind::kIo, {m_file.string(), "truncated"}, [&] { SafetensorsFile::open(m_file); });
    writeBytes(m_file, std::string("\x10\0\0\0\0\0\0\0{}", 10));
    expectError(ErrorKind::kIo, {"truncated", "24"}, [&] { SafetensorsFile::open(m_file); });
    writeBytes(m_file, std::string(16, '\xff'));
    expectError(ErrorKind::kInvalidInput, {"not a safetensors file"}, [&] { SafetensorsFile::open(m_file); });
    writeBytes(m_file, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n");
    expectError(ErrorKind::kInvalidInput, {"Git LFS"}, [&] { SafetensorsFile::open(m_file); });
}

TEST_F(Safetensors, meetsEveryPrefixOfAFileWithAnError) {
    writeTensors(m_file, {"model.a", "model.b"});
    const std::string whole = readTextFile(m_file);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        writeBytes(m_file, whole.substr(0, length));
        EXPECT_THROW(SafetensorsFile::open(m_file), Error) << length;
    }
}

TEST_F(Safetensors, meetsEveryChangedByteOfTheHeaderWithAnErrorOrAValidFile) {
    writeTensors(m_file, {"a", "b"});
    const std::string whole = readTextFile(m_file);
    for (std::size_t at = 0; at < whole.size() - 48; ++at)
        for (const char byte : {'\0', '\xff', '9', '"', '}', ','}) {
            std::string changed = whole;
            changed[at] = byte;
            writeBytes(m_file, changed);
            try {
                const SafetensorsFile file = SafetensorsFile::open(m_file);
                for (const TensorEntry& tensor : file.tensors())
                    EXPECT_LE(tensor.offset + tensor.bytes, static_cast<int64_t>(whole.size()));
            } catch (const Error&) { // any other exception fails the test
            }
        }
}

} // namespace
} // namespace roundpipe::arch
