// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dataset_reader.h"

#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace roundpipe::engine {
namespace {

using namespace std::chrono_literals;
using testing::expectError;

const std::string kModel = (testing::sourceFolder() / "resources/demo/model").string();

class DatasetReaderTest : public ::testing::Test {
protected:
    session::RunSpec specOf(const std::filesystem::path& file) {
        session::RunSpec spec;
        spec.model.path = kModel;
        spec.data.datasets.front().files = {file.string()};
        spec.data.cache = false;
        return spec;
    }

    std::filesystem::path manyRows(int count) {
        const std::filesystem::path path = m_folder.path() / "rows.jsonl";
        std::ofstream file(path);
        for (int i = 0; i < count; ++i)
            file << R"({"instruction":"Say the number )" << i << R"(.","output":"It is the number )" << i << ".\"}\n";
        return path;
    }

    testing::TemporaryFolder m_folder;
    const ModelText m_text = openModelText(kModel, {});
};

TEST_F(DatasetReaderTest, readsWhatReadingAtOnceGives) {
    const session::RunSpec spec = specOf(testing::sourceFolder() / "resources/demo/data/instructions.jsonl");
    const data::Dataset expected = loadDataset(spec, m_text, [](const session::Activity&) { return true; });
    DatasetReader reader(spec, m_text);
    const data::Dataset dataset = reader.take([](const session::Activity&) { return true; });
    EXPECT_GT(dataset.training().size(), 0);
    EXPECT_EQ(dataset.training().size(), expected.training().size());
    EXPECT_EQ(dataset.training().numTokens(), expected.training().numTokens());
    EXPECT_EQ(dataset.training().numTrained(), expected.training().numTrained());
    EXPECT_TRUE(reader.activity().empty());
}

TEST_F(DatasetReaderTest, tellsOfABadFile) {
    const std::filesystem::path path = m_folder.path() / "bad.jsonl";
    std::ofstream(path) << "{\"instruction\": \n";
    const session::RunSpec spec = specOf(path);
    DatasetReader reader(spec, m_text);
    expectError(ErrorKind::kInvalidInput, {"bad.jsonl"},
                [&] { reader.take([](const session::Activity&) { return true; }); });
}

TEST_F(DatasetReaderTest, stopsWhereItIsToldTo) {
    const session::RunSpec spec = specOf(manyRows(400'000));
    DatasetReader reader(spec, m_text);
    expectError(ErrorKind::kCancelled, {}, [&] { reader.take([](const session::Activity&) { return false; }); });
}

TEST_F(DatasetReaderTest, stopsWithItsObject) {
    const session::RunSpec spec = specOf(manyRows(400'000));
    std::string seen;
    {
        DatasetReader reader(spec, m_text);
        while (reader.activity().code != session::ActivityCode::kRowsRead)
            std::this_thread::sleep_for(1ms);
        seen = reader.activity().text();
    }
    EXPECT_EQ(seen.find("100 %"), std::string::npos) << seen; // not all was read
}

} // namespace
} // namespace roundpipe::engine
