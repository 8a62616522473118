// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "engine/kept_kernels.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace roundpipe::engine {
namespace {

using model::FoundKernel;

FoundKernel kernelOf(const std::string& device, int64_t rows, int32_t tile) {
    return {device, {{rows, 4096, 12288}, {1, 1, 0, 1, 0, 0}}, {.algorithm = 66, .tile = tile, .swizzle = 1}};
}

std::string messageOf(const std::string& text) {
    try {
        parseKernels(text, "kernels.json");
    } catch (const Error& error) {
        return error.message();
    }
    return "";
}

TEST(KeptKernels, areReadAsTheyAreWritten) {
    const std::vector<FoundKernel> kernels{kernelOf("a", 2048, 5), kernelOf("b", 4096, 7)};
    EXPECT_EQ(parseKernels(toJson(kernels), "kernels.json"), kernels);
    EXPECT_TRUE(parseKernels(R"({"version": 2, "kernels": "of another release"})", "kernels.json").empty());
}

TEST(KeptKernels, aDamagedFileIsNamedWithWhatIsWrong) {
    EXPECT_NE(messageOf("{").find("'kernels.json' is damaged"), std::string::npos);
    const std::string whole = toJson(std::vector{kernelOf("a", 2048, 5)});
    for (const auto& [what, other, words] : {std::tuple{"2048", "20.5", "whole numbers"},
                                             {"\"sizes\"", "\"size\"", "sizes"},
                                             {"12288", "12288, 1", "3 numbers"}}) {
        std::string changed = whole;
        changed.replace(changed.find(what), std::string(what).size(), other);
        EXPECT_NE(messageOf(changed).find(words), std::string::npos) << messageOf(changed);
    }
}

TEST(KeptKernels, whateverStandsThereIsReadOrRefused) {
    const std::string whole = toJson(std::vector{kernelOf("a", 2048, 5), kernelOf("b", 4096, 7)});
    std::mt19937 draw(1);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string changed = whole;
        changed[draw() % changed.size()] = static_cast<char>(draw());
        refused += messageOf(changed).empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 500);
}

TEST(KeptKernels, aLaterRunKnowsThemAndADamagedFileIsReplaced) {
    const testing::TemporaryFolder folder;
    const FoundKernel kernel = kernelOf("a GPU of this test", 2048, 5);
    model::putFoundKernel(kernel);
    keepKernels(folder.path() / "profiles");
    model::putFoundKernel(kernelOf("a GPU of this test", 2048, 9));
    recallKernels(folder.path() / "profiles");
    EXPECT_EQ(model::foundKernel(kernel.device, kernel.products), kernel.kind);

    writeFileAtomically(folder.path() / "profiles/kernels.json", "no JSON");
    recallKernels(folder.path() / "profiles");
    keepKernels(folder.path() / "profiles");
    const std::string text = readTextFile(folder.path() / "profiles/kernels.json", 1 << 20);
    EXPECT_EQ(std::ranges::count(parseKernels(text, "kernels.json"), kernel), 1);
}

} // namespace
} // namespace roundpipe::engine
