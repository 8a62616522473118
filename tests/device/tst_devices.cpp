// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/units.h"
#include "device/cuda_runtime.h"
#include "device/driver/driver_version.h"
#include "device/open_devices.h"
#include "plan/rig/rig_presets.h"

#include <ATen/ops/empty.h>
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

TEST(Devices, takeNoMoreMemoryThanTheirNameSays) {
    const auto devices = openDevices({"cpu@0.25GiB", "cpu"}, {});
    Device& limited = *devices[0];
    EXPECT_EQ(limited.usableOf(kGiB), kGiB / 4);
    EXPECT_EQ(limited.usableOf(kMiB), kMiB) << "free memory counts";
    EXPECT_EQ(devices[1]->usableOf(kGiB), kGiB);
    const DeviceBuffer most = limited.allocate(200 * kMiB);
    try {
        limited.allocate(100 * kMiB);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
        for (const char* words : {"cpu:0", "100 MiB", "256 MiB", "200 MiB"}) {
            EXPECT_NE(error.message().find(words), std::string::npos) << error.message();
        }
    }
    EXPECT_EQ(devices[1]->allocate(300 * kMiB).bytes(), 300 * kMiB);
}

TEST(Devices, thatActAsACardHaveItsMemoryAndLink) {
    const auto devices = openDevices({"cpu:2@4090", "cpu@3090"}, {});
    ASSERT_EQ(devices.size(), 3u);
    const plan::DevicePreset& card = plan::devicePreset("4090");
    EXPECT_EQ(devices[0]->limits().memoryBytes, card.device.memoryBytes);
    EXPECT_EQ(devices[1]->limits().upBytesPerSecond, plan::presetLink(card, 2).upBytesPerSecond) << "two in the slots";
    EXPECT_EQ(devices[2]->limits().downBytesPerSecond,
              plan::presetLink(plan::devicePreset("3090"), 1).downBytesPerSecond);
    EXPECT_THROW(openDevices({"cpu@voodoo"}, {}), Error);
}

TEST(Devices, sayInWordsThatLibTorchRanOutOfTheirMemory) {
    if (cuda::probe().numGpus == 0) GTEST_SKIP() << "this machine has no GPU";
    const auto devices = openDevices({"cuda:0"}, {});
    try {
        devices[0]->stream(trace::LaneRole::kCompute).launch([] {
            at::empty({int64_t{1} << 50}, at::TensorOptions().dtype(at::kByte).device(at::kCUDA));
        });
        ADD_FAILURE() << "a PiB";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
        EXPECT_NE(error.message().find("cuda:0"), std::string::npos) << error.message();
    }
}

TEST(Devices, openByTheBeginningOfTheirUuid) {
    if (cuda::probe().numGpus == 0) GTEST_SKIP() << "this machine has no GPU";
    const std::string uuid = cuda::describeGpu(0).uuid;
    EXPECT_EQ(uuid.size(), 40u) << uuid;
    EXPECT_EQ(openDevices({uuid.substr(0, 12)}, {})[0]->cudaIndex(), 0);
    EXPECT_THROW(openDevices({"GPU-zz"}, {}), Error);
    EXPECT_THROW(openDevices({"cuda:0", uuid}, {}), Error) << "named twice";
    EXPECT_EQ(openDevices({"cuda:0@1GiB", uuid + "@2GiB"}, {}).size(), 2u);
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
