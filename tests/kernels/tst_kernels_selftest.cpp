// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/selftest.h"

#include "kernels/kernel_table.h"

#include <gtest/gtest.h>

#include <set>

#ifdef ROUNDPIPE_HAS_CUDA
#include <cuda_runtime_api.h>
#endif

namespace roundpipe::kernels {
namespace {

void expectAllPass(const std::vector<SelfTestResult>& results) {
    for (const SelfTestResult& result : results)
        EXPECT_TRUE(result.passed) << result.name << ": error " << result.largestError << ", allowed "
                                   << result.tolerance;
}

TEST(SelfTest, passesOnTheCpuAndReportsEveryComparison) {
    int numReported = 0, total = 0;
    const std::vector<SelfTestResult> results = selfTest({}, [&](const SelfTestResult&, int numDone, int numTotal) {
        EXPECT_EQ(numDone, ++numReported);
        total = numTotal;
    });
    expectAllPass(results);
    EXPECT_EQ(numReported, total);
    EXPECT_EQ(static_cast<int>(results.size()), total);
    std::set<std::string> kernels;
    for (const SelfTestResult& result : results)
        kernels.insert(result.name.substr(0, result.name.find_first_of(" ,")));
#define RP_NAME(kernel) #kernel,
    for (const char* kernel : {RP_FOR_EACH_KERNEL(RP_NAME)})
        EXPECT_TRUE(kernels.contains(kernel)) << kernel;
#undef RP_NAME
}

TEST(SelfTest, passesOnEveryGpu) {
#ifdef ROUNDPIPE_HAS_CUDA
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "no CUDA device here";
    for (int device = 0; device < count; ++device)
        expectAllPass(selfTest(std::vector<int>{device}));
#else
    GTEST_SKIP() << "built without CUDA";
#endif
}

} // namespace
} // namespace roundpipe::kernels
