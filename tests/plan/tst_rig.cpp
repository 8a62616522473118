// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/units.h"
#include "plan/rig/device_wish.h"
#include "plan/rig/rig_notation.h"
#include "plan/rig/rig_presets.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace roundpipe::plan {
namespace {

using testing::expectError;

void expectBad(std::initializer_list<std::string> words, const std::function<void(Rig&)>& change) {
    Rig rig = parseRig("2x4090+a6000@pcie3x8,root=3");
    change(rig);
    expectError(ErrorKind::kInvalidInput, words, [&] { validate(rig); });
}

TEST(Rig, contradictionsAreNamed) {
    EXPECT_NO_THROW(validate(parseRig("2x4090+a6000@pcie3x8,root=3")));
    expectBad({"no devices"}, [](Rig& rig) { rig = {}; });
    expectBad({"3 devices", "2 links"}, [](Rig& rig) { rig.links.pop_back(); });
    expectBad({"65 devices", "64"}, [](Rig& rig) { rig.devices.resize(65, rig.devices[0]); });
    expectBad({"device 2", "RTX A6000", "root complex 1", "there are 1"}, [](Rig& rig) { rig.links[2].root = 1; });
    expectBad({"root complex -2"}, [](Rig& rig) { rig.links[0].root = -2; });
    expectBad({"leads to the device itself"}, [](Rig& rig) { rig.peers = {{1, 1, 1e9, 0}}; });
    expectBad({"peer path from device 0 to device 3", "3 devices"}, [](Rig& rig) { rig.peers = {{0, 3, 1e9, 0}}; });
    expectBad({"given twice"}, [](Rig& rig) { rig.peers = {{0, 1, 1e9, 0}, {0, 1, 2e9, 0}}; });
    expectBad({"page-lock"}, [](Rig& rig) { rig.host.pinnedBytes = rig.host.memoryBytes + 1; });
}

TEST(Rig, ratesSizesAndLatenciesMustBeReal) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double rate : {0.0, -1.0, nan, infinity, 1e19}) {
        expectBad({"device 1", "matrix rate"}, [&](Rig& rig) { rig.devices[1].matrixFlops = rate; });
        expectBad({"device 1", "memory rate"}, [&](Rig& rig) { rig.devices[1].memoryBytesPerSecond = rate; });
        expectBad({"link of device 0", "rate up"}, [&](Rig& rig) { rig.links[0].upBytesPerSecond = rate; });
        expectBad({"link of device 0", "rate down"}, [&](Rig& rig) { rig.links[0].downBytesPerSecond = rate; });
        expectBad({"root complex 0", "root 0"}, [&](Rig& rig) { rig.roots[0].upBytesPerSecond = rate; });
        expectBad({"root complex 0", "download"}, [&](Rig& rig) { rig.roots[0].downBytesPerSecond = rate; });
        expectBad({"peer path", "rate"}, [&](Rig& rig) { rig.peers = {{0, 1, rate, 0}}; });
        expectBad({"host", "memory rate"}, [&](Rig& rig) { rig.host.memoryBytesPerSecond = rate; });
    }
    for (const int32_t number : {0, -1, 10'001})
        expectBad({"device 1", "multiprocessors"}, [&](Rig& rig) { rig.devices[1].numMultiprocessors = number; });
    for (const int32_t number : {-1, 1000})
        expectBad({"device 1", "compute capability"}, [&](Rig& rig) { rig.devices[1].computeCapability = number; });
    for (const double seconds : {-1e-9, nan, 11.0}) {
        expectBad({"link of device 1", "latency"}, [&](Rig& rig) { rig.links[1].latencySeconds = seconds; });
        expectBad({"peer path", "latency"}, [&](Rig& rig) { rig.peers = {{0, 1, 1e9, seconds}}; });
    }
    expectBad({"device 0", "memory"}, [](Rig& rig) { rig.devices[0].memoryBytes = -1; });
    expectBad({"device 0", "memory"}, [](Rig& rig) { rig.devices[0].memoryBytes = 0; });
    expectBad({"host", "memory"}, [](Rig& rig) { rig.host.memoryBytes = int64_t{1} << 60; });
    expectBad({"host", "disk"}, [](Rig& rig) { rig.host.diskBytes = -5; });
    expectBad({"host", "disk rate"}, [](Rig& rig) { rig.host.diskBytesPerSecond = -5; });
}

TEST(DeviceWish, saysWhichDeviceAndHowMuchOfIt) {
    const DeviceWish plain = parseDeviceWish("cuda:0");
    EXPECT_EQ(plain.name, "cuda:0");
    EXPECT_TRUE(plain.limit.empty());
    EXPECT_EQ(plain.memoryBytes, 0);
    const DeviceWish limited = parseDeviceWish("GPU-8f3c21d7@9.5GiB");
    EXPECT_EQ(limited.name, "GPU-8f3c21d7");
    EXPECT_EQ(limited.limit, "@9.5GiB");
    EXPECT_EQ(limited.memoryBytes, 19 * kGiB / 2);
    EXPECT_FALSE(limited.actsAs);
    const DeviceWish card = parseDeviceWish("auto@4090");
    ASSERT_TRUE(card.actsAs);
    EXPECT_EQ(card.actsAs->key, "4090");
    EXPECT_EQ(card.memoryBytes, devicePreset("4090").device.memoryBytes);
    for (const char* text :
         {"cuda:0@0GiB", "cuda:0@-1GiB", "cuda:0@GiB", "cuda:0@nanGiB", "cuda:0@1e9GiB", "cuda:0@5xGiB"})
        expectError(ErrorKind::kInvalidInput, {text, "GiB"}, [&] { parseDeviceWish(text); });
    expectError(ErrorKind::kInvalidInput, {"4091"}, [] { parseDeviceWish("cuda:0@4091"); });
    const DeviceWish part = parseDeviceWish("cuda:0@4090@20GiB");
    EXPECT_EQ(part.memoryBytes, 20 * kGiB);
    ASSERT_TRUE(part.actsAs);
    EXPECT_EQ(part.limit, "@4090@20GiB");
    for (const char* text : {"cuda:0@20GiB@4090", "cuda:0@20GiB@9GiB", "cuda:0@4090@3090", "cuda:0@4090@9GiB@8GiB",
                             "cuda:0@4090@", "cuda:0@4090@200GiB"})
        expectError(ErrorKind::kInvalidInput, {text}, [&] { parseDeviceWish(text); });
}

TEST(RigNotation, everyPresetIsASoundRigOfOneToEight) {
    for (const DevicePreset& preset : devicePresets())
        for (int count = 1; count <= 8; ++count) {
            const Rig rig = parseRig(std::to_string(count) + "x" + preset.key);
            EXPECT_EQ(rig.numDevices(), count) << preset.key;
            EXPECT_EQ(rig.devices.back().name, preset.device.name);
            EXPECT_TRUE(rig.peers.empty()) << "no direct path unless asked for";
            EXPECT_TRUE(rig.roots.empty());
        }
}

TEST(RigNotation, slotsDecideTheLinkUpToTheGpusGeneration) {
    const auto rate = [](const char* text) { return parseRig(text).links.at(0).upBytesPerSecond; };
    EXPECT_DOUBLE_EQ(rate("4090"), pcieBytesPerSecond({4, 16}));
    EXPECT_DOUBLE_EQ(rate("4x4090"), pcieBytesPerSecond({4, 8})) << "several GeForce share a board's lanes";
    EXPECT_DOUBLE_EQ(rate("8xH100"), pcieBytesPerSecond({5, 16}));
    EXPECT_DOUBLE_EQ(rate("8x3090@pcie3x8"), 6.4e9);
    EXPECT_DOUBLE_EQ(rate("2x5090@5x16"), pcieBytesPerSecond({5, 16}));
    EXPECT_DOUBLE_EQ(rate("4090@pcie5x16"), rate("4090@pcie4x16")) << "the GPU knows no faster one";
    EXPECT_LT(pcieBytesPerSecond({3, 16}), 15.754e9);
    EXPECT_LT(pcieBytesPerSecond({4, 16}), 31.508e9);
    EXPECT_LT(pcieBytesPerSecond({5, 16}), 63.015e9);
    for (const int lanes : {4, 8, 16})
        EXPECT_EQ(parsePcieSlot("pcie4x" + std::to_string(lanes)), (PcieSlot{4, lanes}));
    EXPECT_EQ(parsePcieSlot("4x12"), std::nullopt);
    EXPECT_EQ(parsePcieSlot("6x16"), std::nullopt);
    EXPECT_EQ(parsePcieSlot("4x16x"), std::nullopt);
}

TEST(RigNotation, namesMayBeWrittenAsOnTheBox) {
    for (const char* text : {"2x4090", " 2 x RTX 4090 ", "2xNVIDIA GeForce RTX 4090", "2Xrtx-4090"})
        EXPECT_EQ(parseRig(text).name, "2 x RTX 4090, PCIe 4.0 x8") << text;
    EXPECT_EQ(parseRig("a6000").devices[0].name, "RTX A6000");
    EXPECT_EQ(parseRig("1xh100").name, "H100, PCIe 5.0 x16");
}

TEST(RigNotation, groupsMayDiffer) {
    const Rig rig = parseRig("2x4090+3090@pcie3x4+cpu,ram=200,ramrate=80");
    ASSERT_EQ(rig.numDevices(), 4);
    EXPECT_EQ(rig.devices[2].name, "RTX 3090");
    EXPECT_FALSE(rig.devices[3].isGpu);
    EXPECT_DOUBLE_EQ(rig.links[2].downBytesPerSecond, pcieBytesPerSecond({3, 4}));
    EXPECT_EQ(rig.host.memoryBytes, 180 * kGiB);
    EXPECT_DOUBLE_EQ(rig.host.memoryBytesPerSecond, 80e9);
    EXPECT_EQ(rig.name, "2 x RTX 4090, PCIe 4.0 x8 + RTX 3090, PCIe 3.0 x4 + CPU worker");
}

TEST(RigNotation, neighboursMayShareARootComplex) {
    const Rig rig = parseRig("5x4090@pcie4x16,root=2");
    ASSERT_EQ(rig.roots.size(), 3u);
    EXPECT_DOUBLE_EQ(rig.roots[0].upBytesPerSecond, pcieBytesPerSecond({4, 16}));
    for (std::size_t d = 0; d < 5; ++d)
        EXPECT_EQ(rig.links[d].root, static_cast<int32_t>(d / 2));
    EXPECT_EQ(parseRig("4090+cpu+4090,root=2").links[1].root, -1) << "a CPU worker has no lanes";
}

TEST(RigNotation, nvlinkJoinsAllOrTheBridgedPair) {
    const Rig server = parseRig("8xh200@nvlink");
    EXPECT_EQ(server.peers.size(), 56u);
    ASSERT_NE(server.peer(7, 0), nullptr);
    EXPECT_GT(server.peer(7, 0)->bytesPerSecond, 300e9);
    const Rig bridged = parseRig("4090+4x3090@pcie4x16@nvlink");
    EXPECT_EQ(bridged.peers.size(), 4u);
    EXPECT_NE(bridged.peer(1, 2), nullptr);
    EXPECT_NE(bridged.peer(4, 3), nullptr);
    EXPECT_EQ(bridged.peer(2, 3), nullptr);
    EXPECT_EQ(bridged.peer(0, 1), nullptr);
}

TEST(RigNotation, whatIsNotUnderstoodIsSaid) {
    const auto bad = [](const char* text, std::initializer_list<std::string> words) {
        SCOPED_TRACE(text);
        expectError(ErrorKind::kInvalidInput, words, [&] { parseRig(text); });
    };
    bad("", {"empty", "4x4090"});
    bad("4x4080", {"'4080'", "3090, 4090, 5090, a6000, h100, h200, cpu"});
    bad("0x4090", {"0 devices", "1 to 64"});
    bad("99999999999x4090", {"99999999999"});
    bad("40x4090+40x3090", {"80 devices"});
    bad("4x", {"names no device"});
    bad("2x4090+", {"names no device"});
    bad("4090@pcie6x16", {"pcie6x16", "pcie5x16"});
    bad("4090@pcie4x3", {"pcie4x3"});
    bad("2x4090@nvlink", {"NVLink", "RTX 4090"});
    bad("cpu@pcie4x16", {"CPU worker"});
    bad("4090,ram=0", {"ram=0"});
    bad("4090,ram=-3", {"ram=-3"});
    bad("4090,ram=many", {"ram=many"});
    bad("4090,ram", {"ram="});
    bad("4090,ram=1e30", {"ram=1e30", "more than 1000000"});
    bad("4090,ram=1e999", {"ram=1e999", "more than 1000000"});
    bad("4090,ram=64GiB", {"ram=64gib", "has a unit", "ram=256 (GiB)"});
    bad("4090,ramrate=100gb/s", {"has a unit"});
    bad("4090,ram=128,ram=256", {"'ram' twice"});
    bad("4090,rom=3", {"rom=3", "ramrate"});
    bad("2x4090,root=3", {"root=3", "2 device"});
    bad("2x4090,root=1.5", {"root=1.5"});
    bad("2xcpu,root=2", {"no GPUs"});
}

} // namespace
} // namespace roundpipe::plan
