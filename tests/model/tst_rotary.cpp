// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary frequencies of every scaling type against transformers, run by the Python of the set-up.
#include "arch/model_config.h"
#include "model/attention/rotary.h"
#include "testing/fixtures.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace roundpipe::testing {
namespace {

namespace fs = std::filesystem;

fs::path referencePython() {
    const char* cache = std::getenv("ROUNDPIPE_CACHE");
    const char* home = std::getenv("HOME");
    const fs::path folder = cache ? fs::path(cache) : fs::path(home ? home : "") / ".cache" / "roundpipe";
    return folder / "python" / "bin" / "python";
}

std::string outputOf(const std::string& command) {
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return {};
    std::string output;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
        output.append(buffer, count);
    return ::pclose(pipe) == 0 ? output : std::string();
}

std::string referenceCommand() {
    std::string command =
        referencePython().string() + " '" + (sourceFolder() / "tests/model/rotary_reference.py").string() + "'";
    if (!fixtures().empty())
        for (const auto& entry : fs::directory_iterator(fixtures() / "configs"))
            command += " '" + entry.path().string() + "'";
    return command;
}

void expectEqual(const arch::ModelConfig& config, int64_t length, DType type, const nlohmann::json& expected,
                 double tolerance) {
    const model::Rotary rotary = model::makeRotary(config, config.rope, length, type);
    const auto frequencies = expected.at("frequencies").get<std::vector<double>>();
    ASSERT_EQ(rotary.inverseFrequencies.size(), frequencies.size());
    for (std::size_t i = 0; i < frequencies.size(); ++i)
        EXPECT_NEAR(rotary.inverseFrequencies[i], frequencies[i], tolerance * frequencies[i]) << "frequency " << i;
    EXPECT_NEAR(rotary.scaling, expected.at("scaling").get<double>(), 1e-12);
}

TEST(Rotary, equalsTransformersForEveryScalingType) {
    if (!fs::exists(referencePython())) GTEST_SKIP() << referencePython() << " is missing: packaging/setup makes it";
    if (std::system((referencePython().string() + " -c 'import transformers' 2>/dev/null").c_str()) != 0)
        GTEST_SKIP() << referencePython() << " has no transformers";
    const std::string output = outputOf(referenceCommand() + " 2>/dev/null");
    ASSERT_FALSE(output.empty()) << "the reference script failed";
    const auto cases = nlohmann::json::parse(output);
    ASSERT_GE(cases.size(), 17u);
    for (const nlohmann::json& given : cases) {
        SCOPED_TRACE(given.at("name").get<std::string>());
        arch::ModelConfig config = arch::parseModelConfig(given.at("config").get<std::string>(), "reference");
        config.rope.partialRotaryFactor = given.at("partial");
        expectEqual(config, given.at("length"), DType::kF32, given.at("fp32"), 4e-7); // a few last bits
        expectEqual(config, given.at("length"), DType::kF64, given.at("fp64"), 1e-12);
    }
}

TEST(Rotary, dynamicFollowsTheLongestSequenceOnlyBeyondTheTrainedContext) {
    arch::ModelConfig config;
    config.headDim = 64;
    config.maxPositions = 128;
    config.rope.type = arch::RopeConfig::Type::kDynamic;
    config.rope.factor = 2;
    const auto slowest = [&](int64_t length) {
        return model::makeRotary(config, config.rope, length, DType::kF64).inverseFrequencies.back();
    };
    EXPECT_EQ(slowest(1), slowest(128));
    EXPECT_GT(slowest(128), slowest(129));
    EXPECT_GT(slowest(129), slowest(1000));
}

} // namespace
} // namespace roundpipe::testing
