#include "base/error.h"
#include "device/cuda_runtime.h"
#include "device/driver_version.h"
#include "device/open_devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace roundpipe::device {
namespace {

TEST(Devices, opensTheNamedWorkersInOrder) {
    const auto devices = openDevices({"cpu:2", "cpu"}, {});
    ASSERT_EQ(devices.size(), 3u);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(devices[static_cast<std::size_t>(i)]->id(), DeviceId(i));
        EXPECT_EQ(devices[static_cast<std::size_t>(i)]->kind(), DeviceKind::kCpu);
    }
}

TEST(Devices, refusesNamesThatMeanNothing) {
    for (const char* name : {"", "gpu", "cpu:", "cpu:0", "cpu:65", "cpu:2x", "cuda", "tpu:1"}) {
        try {
            openDevices({name}, {});
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::kInvalidInput) << name;
            EXPECT_FALSE(error.advice().empty()) << name;
        }
    }
    EXPECT_THROW(openDevices({}, {}), Error);
}

TEST(Devices, saysInWordsWhyThereIsNoGpu) {
    const cuda::Probe probe = cuda::probe();
    if (probe.numGpus > 0) GTEST_SKIP() << "this machine has a GPU";
    EXPECT_FALSE(probe.problem.empty());
    try {
        openDevices({"cuda:0"}, {});
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kDevice);
        EXPECT_NE(error.message().find(probe.problem), std::string::npos);
    }
    EXPECT_EQ(openDevices({"auto"}, {}).size(), std::clamp(std::thread::hardware_concurrency(), 1u, 4u));
}

TEST(DriverVersion, isReadFromTheDriversFile) {
    EXPECT_EQ(parseDriverVersion("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.154.05  Thu Dec 28 2023\n"
                                 "GCC version:  gcc version 12.3.0\n"),
              "535.154.05");
    EXPECT_EQ(parseDriverVersion("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release"),
              "580.65.06");
    EXPECT_EQ(parseDriverVersion(""), std::nullopt);
    EXPECT_EQ(parseDriverVersion("nothing of the kind"), std::nullopt);
}

} // namespace
} // namespace roundpipe::device
