// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "base/units.h"
#include "plan/rig/rig_file.h"
#include "plan/rig/rig_notation.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

namespace roundpipe::plan {
namespace {

using testing::expectError;

constexpr const char* kBox = R"({
  "name": "the box under the desk", // a comment
  "devices": [
    {"preset": "4090", "count": 2, "link": {"pcie": "4x8", "root": "cpu"}},
    {"preset": "RTX 3090", "name": "the old one", "matrix_tflop_per_s": 60},
    {"name": "Titan", "memory_gib": 23.5, "matrix_tflop_per_s": 30, "memory_gb_per_s": 600, "multiprocessors": 72, "compute_capability": 7.5,
     "link": {"up_gb_per_s": 11, "down_gb_per_s": 12, "duplex": false, "root": "cpu"}}
  ],
  "roots": [{"name": "cpu", "gb_per_s": 25, "duplex": true}],
  "peers": [{"from": 0, "to": 1, "gb_per_s": 50, "latency_us": 5}],
  "host": {"memory_gib": 230, "pinned_gib": 200, "disk_free_gib": 500, "disk_gb_per_s": 3}
})";

TEST(RigFile, takesFromThePresetWhatItDoesNotSay) {
    const Rig rig = parseRigFile(kBox, "box.json");
    EXPECT_EQ(rig.name, "the box under the desk");
    ASSERT_EQ(rig.numDevices(), 4);
    EXPECT_EQ(rig.devices[1].memoryBytes, devicePreset("4090").device.memoryBytes);
    EXPECT_DOUBLE_EQ(rig.links[1].upBytesPerSecond, pcieBytesPerSecond({4, 8}));
    EXPECT_EQ(rig.links[1].root, 0);
    EXPECT_EQ(rig.devices[2].name, "the old one");
    EXPECT_DOUBLE_EQ(rig.devices[2].matrixFlops, 60e12);
    EXPECT_DOUBLE_EQ(rig.devices[2].memoryBytesPerSecond, devicePreset("3090").device.memoryBytesPerSecond);
    EXPECT_EQ(rig.links[2].root, -1);
    EXPECT_EQ(rig.devices[0].numMultiprocessors, 128);
    EXPECT_EQ(rig.devices[3].numMultiprocessors, 72);
    EXPECT_EQ(rig.devices[0].computeCapability, 89) << "the preset's";
    EXPECT_EQ(rig.devices[3].computeCapability, 75);
    EXPECT_EQ(rig.devices[3].memoryBytes, 23 * kGiB + kGiB / 2);
    EXPECT_DOUBLE_EQ(rig.links[3].downBytesPerSecond, 12e9);
    EXPECT_DOUBLE_EQ(rig.links[3].latencySeconds, 10e-6);
    EXPECT_FALSE(rig.links[3].duplex);
    ASSERT_NE(rig.peer(0, 1), nullptr);
    EXPECT_EQ(rig.peer(1, 0), nullptr);
    EXPECT_EQ(rig.host.pinnedBytes, 200 * kGiB);
    EXPECT_DOUBLE_EQ(rig.host.memoryBytesPerSecond, 150e9) << "of a board with four GPUs";
    EXPECT_DOUBLE_EQ(rig.host.diskBytesPerSecond, 3e9);
}

TEST(RigFile, aRootHasOneRateOrOneForEachWay) {
    const auto rootOf = [](const char* rates) {
        return parseRigFile(
                   fmt::format(R"({{"devices": [{{"preset": "4090"}}], "roots": [{{"name": "a", {}}}]}})", rates),
                   "box.json")
            .roots.at(0);
    };
    EXPECT_DOUBLE_EQ(rootOf(R"("gb_per_s": 25)").downBytesPerSecond, 25e9);
    const RootComplex both = rootOf(R"("up_gb_per_s": 150, "down_gb_per_s": 130)");
    EXPECT_DOUBLE_EQ(both.upBytesPerSecond, 150e9);
    EXPECT_DOUBLE_EQ(both.downBytesPerSecond, 130e9);
    expectError(ErrorKind::kInvalidInput, {"roots[0].down_gb_per_s"}, [&] { rootOf(R"("up_gb_per_s": 150)"); });
}

TEST(RigFile, writtenAndReadAgainIsTheSame) {
    for (const std::string& text :
         {rigToJson(parseRigFile(kBox, "box.json")), rigToJson(parseRig("2x4090+2xh200@nvlink+cpu,ram=77,root=2"))})
        EXPECT_EQ(rigToJson(parseRigFile(text, "again.json")), text);
    const Rig rig = parseRig("8xh200@nvlink");
    const Rig again = parseRigFile(rigToJson(rig), "again.json");
    EXPECT_EQ(again.devices[7].memoryBytes, rig.devices[7].memoryBytes);
    EXPECT_EQ(again.host.memoryBytes, rig.host.memoryBytes);
    EXPECT_NEAR(again.links[3].upBytesPerSecond, rig.links[3].upBytesPerSecond, 1e5);
    EXPECT_EQ(again.peers.size(), rig.peers.size());
}

TEST(RigFile, isToldFromTheNotationByItsName) {
    const testing::TemporaryFolder folder;
    const auto path = folder.path() / "rig.json";
    writeFileAtomically(path, kBox);
    EXPECT_EQ(loadRig(path.string()).numDevices(), 4);
    EXPECT_EQ(loadRig("3x5090").numDevices(), 3);
    expectError(ErrorKind::kIo, {"nowhere.json"}, [] { loadRig("nowhere.json"); });
}

TEST(RigFile, errorsNameTheFileAndTheKey) {
    const auto bad = [](const char* text, std::initializer_list<std::string> words) {
        SCOPED_TRACE(text);
        expectError(ErrorKind::kInvalidInput, {"box.json"}, [&] { parseRigFile(text, "box.json"); });
        expectError(ErrorKind::kInvalidInput, words, [&] { parseRigFile(text, "box.json"); });
    };
    bad("{", {"not valid JSON"});
    bad("[]", {"object"});
    bad("{}", {"no devices"});
    bad(R"({"devices": [{"preset": "4080"}]})", {"'4080'", "3090, 4090"});
    bad(R"({"devises": []})", {"'devises'", "devices"});
    bad(R"({"devices": {}})", {"'devices'", "a list"});
    bad(R"({"devices": [{"preset": "4090", "memory_gb": 24}]})", {"'devices[0].memory_gb'", "memory_gib"});
    bad(R"({"devices": [{"preset": "4090", "memory_gib": "24"}]})", {"'devices[0].memory_gib'", "\"24\"", "a number"});
    bad(R"({"devices": [{"preset": "4090", "memory_gib": 1e300}]})", {"'devices[0].memory_gib'"});
    bad(R"({"devices": [{"preset": "4090", "memory_gib": -1}]})", {"device 0", "memory"});
    bad(R"({"devices": [{"preset": "4090", "count": 0}]})", {"'devices[0].count'", "1 to 64"});
    bad(R"({"devices": [{"preset": "4090", "count": 1.5}]})", {"'devices[0].count'"});
    bad(R"({"devices": [{"name": "X", "memory_gib": 1, "memory_gb_per_s": 2, "matrix_tflop_per_s": 3}]})",
        {"'devices[0].link' is missing", "preset"});
    bad(R"({"devices": [{"name": "X"}]})", {"'devices[0].memory_gib' is missing"});
    bad(R"({"devices": [{"preset": "4090", "link": {"up_gb_per_s": 0}}]})", {"link of device 0", "rate up"});
    bad(R"({"devices": [{"preset": "4090", "link": {"pcie": "x16"}}]})", {"'devices[0].link.pcie'", "4x16"});
    bad(R"({"devices": [{"preset": "4090", "link": {"root": "cpu"}}]})", {"'devices[0].link.root'", "roots"});
    bad(R"({"devices": [{"preset": "4090"}], "roots": [{"name": "a", "gb_per_s": 0}]})", {"root complex 0"});
    bad(R"({"devices": [{"preset": "4090"}], "roots": [{"name": "a", "gb_per_s": 1}, {"name": "a", "gb_per_s": 1}]})",
        {"'roots[1].name'", "second"});
    bad(R"({"devices": [{"preset": "4090"}], "peers": [{"from": 0, "to": 1, "gb_per_s": 1}]})", {"'peers[0].to'"});
    bad(R"({"devices": [{"preset": "4090"}], "host": {"memory_gib": 0}})", {"host", "memory"});
}

} // namespace
} // namespace roundpipe::plan
