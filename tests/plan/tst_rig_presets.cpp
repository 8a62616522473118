// SPDX-License-Identifier: GPL-3.0-or-later
// What core/plan/rig/rig_presets.cpp says of a card in its comment, against the rates that it gives that card.
#include "plan/rig/rig_presets.h"

#include "arch/layers.h"
#include "plan/cost/step_flops.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>

namespace roundpipe::plan {
namespace {

// [key]: the comment that stands over a preset, as one line.
std::map<std::string, std::string> commentsOfPresets() {
    std::ifstream file(testing::sourceFolder() / "core/plan/rig/rig_presets.cpp");
    const std::regex comment(R"(^\s*// (.*)$)"), preset(R"rx(presets\.push_back\(.*gpu\("(\w+)")rx");
    std::map<std::string, std::string> comments;
    std::string text;
    for (std::string line; std::getline(file, line);) {
        std::smatch found;
        if (std::regex_match(line, found, comment)) {
            text += found.str(1) + " ";
            continue;
        }
        if (std::regex_search(line, found, preset)) comments[found.str(1)] = text;
        text.clear();
    }
    return comments;
}

// The first number that `pattern` has a group for, of all that it finds; -1 where there is none.
double numberIn(const std::string& text, const std::string& pattern) {
    std::smatch found;
    if (!std::regex_search(text, found, std::regex(pattern))) return -1;
    std::string digits = found.str(1);
    std::erase(digits, ',');
    return std::stod(digits);
}

constexpr const char* kTera = R"((\d+(?:\.\d+)?) TFLOP/s)";
constexpr const char* kGiga = R"((\d+) GB/s)";

TEST(RigPresets, sayTheDataSheetThatTheyKeepWithin) {
    const auto comments = commentsOfPresets();
    for (const DevicePreset& preset : devicePresets()) {
        if (!preset.device.isGpu) continue;
        SCOPED_TRACE(preset.key);
        ASSERT_TRUE(comments.contains(preset.key)) << "no comment says where its rates come from";
        const std::string& text = comments.at(preset.key);
        ASSERT_NE(text.find("Data sheet"), std::string::npos) << text;
        const std::string sheet = text.substr(text.find("Data sheet"));
        const double flops = numberIn(sheet, kTera) * 1e12, bytes = numberIn(sheet, kGiga) * 1e9;
        ASSERT_GT(flops, 0) << text;
        ASSERT_GT(bytes, 0) << text;
        EXPECT_LE(preset.device.matrixFlops, flops) << "no product is faster than the peak that accumulates in fp32";
        EXPECT_GE(preset.device.matrixFlops, 0.7 * flops);
        EXPECT_LE(preset.device.memoryBytesPerSecond, 0.96 * bytes) << "copies reach about nine tenths";
        EXPECT_GE(preset.device.memoryBytesPerSecond, 0.86 * bytes);
    }
}

// A rate that a comment says for the preset is the preset's.
TEST(RigPresets, haveTheRatesThatTheirCommentsGiveThem) {
    int numSaid = 0;
    for (const auto& [key, text] : commentsOfPresets()) {
        const DeviceSpec& device = devicePreset(key).device;
        for (const char* pattern : {R"(Assumed: (\d+(?:\.\d+)?))", R"(in products: about (\d+))",
                                    R"(Measured on[^:]*: (\d+(?:\.\d+)?) TFLOP/s)"}) {
            const double said = numberIn(text, pattern);
            if (said < 0) continue;
            EXPECT_NEAR(device.matrixFlops, said * 1e12, 0.01 * device.matrixFlops) << key << ": " << text;
            ++numSaid;
        }
        if (text.find("nine tenths") != std::string::npos) {
            EXPECT_NEAR(device.matrixFlops, 0.9 * numberIn(text, kTera) * 1e12, 0.02 * device.matrixFlops) << key;
        }
        const double memory = numberIn(text, R"((\d\.\d) TB/s)");
        if (memory > 0) {
            EXPECT_NEAR(device.memoryBytesPerSecond, memory * 1e12, 0.01 * device.memoryBytesPerSecond) << key;
            ++numSaid;
        }
    }
    EXPECT_GE(numSaid, 4) << "comments are worded otherwise than this test reads them";
}

// What the comment on the 4090 makes of a published speed, from the arithmetic of a token that plans count with.
TEST(RigPresets, sayWhatAPublishedSpeedComesTo) {
    RP_REQUIRE_FIXTURES();
    const std::string text = commentsOfPresets().at("4090");
    const double published = numberIn(text, R"(Llama-3\.1-8B, ([\d,]+) tokens/s)");
    const double withoutRecompute = numberIn(text, R"(comes to (\d+) TFLOP/s without recompute)");
    const double withRecompute = numberIn(text, R"(without recompute and (\d+) with all blocks)");
    ASSERT_GT(std::min({published, withoutRecompute, withRecompute}), 0) << text;
    const arch::ModelSpec model =
        arch::makeModelSpec(arch::readModelConfig(testing::fixtures() / "configs/Llama-3.1-8B.json"));
    TrainingShape shape;
    shape.maxLength = 2048;
    shape.sequences = 1;
    shape.trainsBase = true;
    Plan plan; // all blocks again, one after the other
    plan.numLayers = static_cast<int32_t>(model.layers.size());
    plan.fused = {plan.numLayers - 1, plan.numLayers};
    plan.forward = {{0, plan.numLayers - 1}};
    plan.backward = {{0, plan.numLayers - 1}};
    const StepFlops step = stepFlops(model, shape, plan, 1);
    const double tokens = static_cast<double>(shape.maxLength);
    EXPECT_NEAR(published * step.needed / tokens, withoutRecompute * 1e12, 0.01 * withoutRecompute * 1e12);
    EXPECT_NEAR(published * step.done / tokens, withRecompute * 1e12, 0.01 * withRecompute * 1e12);
    const double sheet = numberIn(text, kTera);
    EXPECT_GT(withRecompute, sheet) << "then it would be no riddle";
    EXPECT_LE(devicePreset("4090").device.matrixFlops, sheet * 1e12) << "a riddle is no reason to promise it";
}

} // namespace
} // namespace roundpipe::plan
