// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/units.h"
#include "device/driver/nvml.h"
#include "device/host_memory.h"
#include "device/machine/like_devices.h"
#include "device/machine/pci_topology.h"
#include "device/machine/rates.h"
#include "device/machine/rig_probe.h"
#include "device/open_devices.h"
#include "plan/rig/rig_file.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace roundpipe::device {
namespace {

namespace fs = std::filesystem;

// A /sys with GPUs where real machines have them.
class Topology : public ::testing::Test {
protected:
    void add(const std::string& busId, const std::string& place) {
        const fs::path devices = m_folder.path() / "bus/pci/devices";
        fs::create_directories(devices);
        fs::create_symlink("../../../devices/" + place + "/" + busId, devices / busId);
    }
    std::vector<std::string> bridges(const std::string& busId) { return bridgesAbove(busId, m_folder.path()); }

private:
    testing::TemporaryFolder m_folder;
};

TEST_F(Topology, bridgesAreFoundWhoeverWritesTheBusId) {
    add("0000:41:00.0", "pci0000:40/0000:40:01.1");
    const std::vector<std::string> expected = {"pci0000:40", "0000:40:01.1"};
    EXPECT_EQ(bridges("0000:41:00.0"), expected);
    EXPECT_EQ(bridges("00000000:41:00.0"), expected); // NVML
    add("0000:c1:00.0", "pci0000:c0/0000:c0:01.1");
    EXPECT_EQ(bridges("0000:C1:00.0").size(), 2u); // CUDA
    EXPECT_TRUE(bridges("0000:99:00.0").empty());
    EXPECT_TRUE(bridges("").empty());
}

TEST_F(Topology, gpusBehindASwitchShareItAndNeighboursShareTheHostBridge) {
    // Two behind a switch, one in its own slot beside them, one on another processor.
    add("0000:04:00.0", "pci0000:00/0000:00:01.0/0000:02:00.0/0000:03:00.0");
    add("0000:05:00.0", "pci0000:00/0000:00:01.0/0000:02:00.0/0000:03:08.0");
    add("0000:09:00.0", "pci0000:00/0000:00:03.0");
    add("0000:81:00.0", "pci0000:80/0000:80:01.0");
    const auto ways = sharedWays(
        {bridges("0000:04:00.0"), bridges("0000:05:00.0"), bridges("0000:09:00.0"), bridges("0000:81:00.0"), {}});
    ASSERT_EQ(ways.size(), 2u);
    EXPECT_EQ(ways[0].name, "bridge 0000:02:00.0");
    EXPECT_EQ(ways[0].devices, (std::vector<int>{0, 1}));
    EXPECT_EQ(ways[1].name, "host bridge pci0000:00");
    EXPECT_EQ(ways[1].devices, (std::vector<int>{0, 1, 2}));
    EXPECT_TRUE(sharedWays({{}, {}}).empty());
}

// What a library for two GPUs answers; a link at half its lanes, one NVLink up on the first.
NvmlApi recordedApi() {
    static int first = 0;
    static int second = 1;
    NvmlApi api;
    api.init = [] { return 0; };
    api.driverVersion = [](char* text, unsigned length) {
        std::strncpy(text, "580.65.06", length);
        return 0;
    };
    api.deviceByBusId = [](const char* busId, NvmlApi::Handle* device) {
        const std::string id = busId;
        if (id != "0000:01:00.0" && id != "0000:02:00.0") return 6; // not found
        *device = id == "0000:01:00.0" ? &first : &second;
        return 0;
    };
    api.generation = [](NvmlApi::Handle, unsigned* value) { return *value = 4, 0; };
    api.lanes = [](NvmlApi::Handle device, unsigned* value) { return *value = device == &first ? 8 : 16, 0; };
    api.maxGeneration = [](NvmlApi::Handle, unsigned* value) { return *value = 4, 0; };
    api.maxLanes = [](NvmlApi::Handle, unsigned* value) { return *value = 16, 0; };
    api.nvlinkState = [](NvmlApi::Handle device, unsigned link, unsigned* isUp) {
        if (device != &first || link > 3) return 3; // not supported
        *isUp = link == 2 ? 1 : 0;
        return 0;
    };
    api.powerLimit = [](NvmlApi::Handle, unsigned* milliwatts) { return *milliwatts = 450'000, 0; };
    api.power = [](NvmlApi::Handle, unsigned* milliwatts) { return *milliwatts = 312'500, 0; };
    api.temperature = [](NvmlApi::Handle, int sensor, unsigned* celsius) { return *celsius = sensor == 0 ? 71 : 0, 0; };
    api.clock = [](NvmlApi::Handle, int domain, unsigned* megahertz) { return *megahertz = domain * 1000u, 0; };
    api.utilisation = [](NvmlApi::Handle device, NvmlUtilisation* percent) {
        if (device != &first) return 3; // not supported
        *percent = {95, 40};
        return 0;
    };
    api.displayActive = [](NvmlApi::Handle device, unsigned* isActive) {
        return *isActive = device == &first ? 1 : 0, 0;
    };
    api.memory = [](NvmlApi::Handle device, NvmlMemory* memory) {
        if (memory->version != 0x2000028) return 25; // argument version mismatch
        memory->used = device == &first ? 3 << 20 : 0;
        return 0;
    };
    return api;
}

TEST(Nvml, tellsSlotLinksAndPower) {
    const auto nvml = openNvml(recordedApi());
    ASSERT_TRUE(nvml);
    EXPECT_EQ(nvml->driver(), "580.65.06");
    EXPECT_EQ(describe(nvml->slot("0000:01:00.0")), "PCIe 4.0 x8 of 4.0 x16, 1 NVLinks, 450 W");
    EXPECT_EQ(describe(nvml->slot("0000:02:00.0")), "PCIe 4.0 x16, 450 W");
    EXPECT_EQ(describe(nvml->slot("")), "");
    EXPECT_EQ(nvml->slot("0000:01:00.0").usedBytes, 3 * kMiB);
    EXPECT_EQ(nvml->slot("0000:02:00.0").usedBytes, 0);
}

TEST(Nvml, knowsWhichGpuShowsTheDesktop) {
    const auto nvml = openNvml(recordedApi());
    ASSERT_TRUE(nvml);
    EXPECT_TRUE(nvml->drivesDisplay("0000:01:00.0"));
    EXPECT_FALSE(nvml->drivesDisplay("0000:02:00.0"));
    EXPECT_FALSE(nvml->drivesDisplay("elsewhere"));
    NvmlApi silent = recordedApi();
    silent.displayActive = nullptr;
    EXPECT_FALSE(openNvml(silent)->drivesDisplay("0000:01:00.0"));
}

TEST(Nvml, readsWhatChangesWhileAGpuWorks) {
    const auto nvml = openNvml(recordedApi());
    ASSERT_TRUE(nvml);
    const GpuReading reading = nvml->reading("0000:01:00.0");
    EXPECT_EQ(reading.usedBytes, 3 * kMiB);
    EXPECT_EQ(reading.temperatureCelsius, 71);
    EXPECT_EQ(reading.powerWatts, 312.5);
    EXPECT_EQ(reading.powerLimitWatts, 450);
    EXPECT_EQ(reading.computeClockMHz, 1000);
    EXPECT_EQ(reading.memoryClockMHz, 2000);
    EXPECT_EQ(reading.utilisation, 0.95);
    EXPECT_EQ(reading.pcieGeneration, 4);
    EXPECT_EQ(reading.pcieLanes, 8);
    EXPECT_FALSE(nvml->reading("0000:02:00.0").utilisation.has_value());
    EXPECT_FALSE(nvml->reading("elsewhere").powerWatts.has_value());
}

TEST(Nvml, isStartedOnceAndEndsWithItsSession) {
    static int numStarted = 0;
    static int numEnded = 0;
    NvmlApi api = recordedApi();
    api.init = [] { return ++numStarted, 0; };
    api.shutdown = [] { return ++numEnded, 0; };
    auto nvml = openNvml(api);
    nvml->reading("0000:01:00.0");
    nvml->reading("0000:02:00.0");
    EXPECT_EQ(numStarted, 1);
    EXPECT_EQ(numEnded, 0);
    nvml.reset();
    EXPECT_EQ(numEnded, 1);
}

TEST(Nvml, anOldOrBrokenLibraryIsNoError) {
    NvmlApi old = recordedApi();
    old.nvlinkState = nullptr;
    old.powerLimit = nullptr;
    old.driverVersion = nullptr;
    old.temperature = nullptr;
    const auto nvml = openNvml(old);
    ASSERT_TRUE(nvml);
    EXPECT_EQ(describe(nvml->slot("0000:01:00.0")), "PCIe 4.0 x8 of 4.0 x16");
    EXPECT_FALSE(nvml->reading("0000:01:00.0").temperatureCelsius.has_value());
    EXPECT_FALSE(nvml->reading("0000:01:00.0").powerLimitWatts.has_value());
    EXPECT_EQ(nvml->driver(), "");
    NvmlApi broken = recordedApi();
    broken.init = [] { return 9; }; // driver not loaded
    EXPECT_FALSE(openNvml(broken));
    EXPECT_FALSE(openNvml(NvmlApi{}));
}

TEST(HostMemory, isWhatTheKernelCallsAvailableWithinTheContainersLimit) {
    constexpr const char* kMeminfo = "MemTotal:       65536000 kB\nMemFree:         1024000 kB\n"
                                     "MemAvailable:   52428800 kB\nBuffers:            1000 kB\n";
    EXPECT_EQ(availableBytes(kMeminfo), 50 * kGiB);
    EXPECT_EQ(availableBytes("MemTotal: 5 kB\n"), 0);
    EXPECT_EQ(availableBytes(""), 0);

    const testing::TemporaryFolder root;
    const auto write = [&](const char* name, const std::string& text) {
        fs::create_directories((root.path() / name).parent_path());
        std::ofstream(root.path() / name) << text;
    };
    EXPECT_EQ(availableHostBytes(root.path()), 0);
    write("proc/meminfo", kMeminfo);
    EXPECT_EQ(availableHostBytes(root.path()), 50 * kGiB);
    write("sys/fs/cgroup/memory.max", "max\n");
    EXPECT_EQ(availableHostBytes(root.path()), 50 * kGiB);
    write("sys/fs/cgroup/memory.max", std::to_string(8 * kGiB) + "\n");
    write("sys/fs/cgroup/memory.current", std::to_string(3 * kGiB) + "\n");
    EXPECT_EQ(availableHostBytes(root.path()), 5 * kGiB);
}

TEST(HostMemory, saysHowLongProgramsWaitForIt) {
    const testing::TemporaryFolder root;
    EXPECT_FALSE(memoryPressure(root.path()));
    fs::create_directories(root.path() / "proc/pressure");
    std::ofstream(root.path() / "proc/pressure/memory")
        << "some avg10=12.50 avg60=3.00 avg300=0.60 total=11200610\nfull avg10=4.25 avg60=0.00 avg300=0.00 "
           "total=1343690\n";
    const auto pressure = memoryPressure(root.path());
    ASSERT_TRUE(pressure);
    EXPECT_DOUBLE_EQ(pressure->some, 0.125);
    EXPECT_DOUBLE_EQ(pressure->all, 0.0425);
    std::ofstream(root.path() / "proc/pressure/memory") << "some avg10=\nfull";
    EXPECT_FALSE(memoryPressure(root.path()));
}

TEST(HostMemory, countsWhatThisProcessHolds) {
    EXPECT_GT(physicalBytes(), 256 * kMiB);
    EXPECT_LT(residentBytes(), physicalBytes());
    const int64_t before = residentBytes();
    const int64_t ownBefore = anonymousBytes();
    EXPECT_LT(ownBefore, before) << "the program itself lies in files";
    const HostBuffer buffer(64 * kMiB, false); // zeroed: its pages are there
    EXPECT_GE(residentBytes() - before, 60 * kMiB);
    EXPECT_GE(anonymousBytes() - ownBefore, 60 * kMiB);
    EXPECT_EQ(pinnedBytes(), 0) << "that buffer is not page-locked";
    EXPECT_EQ(residentBytes("/nowhere"), 0);
    EXPECT_EQ(anonymousBytes("/nowhere"), 0);
}

TEST(CopyBench, seesWhetherBytesArrive) {
    const auto devices = openDevices({"cpu:2"}, {});
    CopyBench from(*devices[0], kMiB);
    CopyBench to(*devices[1], kMiB);
    EXPECT_TRUE(from.copiesTrulyTo(to));
    EXPECT_GT(from.latencySeconds(), 0);
    const double alone = measureRate({from.upload()}, 0.01);
    EXPECT_GT(alone, 1e8) << "100 MB/s: any machine's memory copies faster";
    EXPECT_LT(alone, 1e13);
}

TEST(RigProbe, measuresCpuWorkersInToASoundRig) {
    const int64_t start = steadyNowNs();
    const ProbedRig probed = probeRig({"cpu:2"});
    EXPECT_LT(static_cast<double>(steadyNowNs() - start) * 1e-9, 20) << "promised: two seconds on an idle machine";
    const plan::Rig& rig = probed.rig;
    ASSERT_EQ(rig.numDevices(), 2);
    EXPECT_EQ(rig.name, "2 x CPU worker (this machine)");
    for (const plan::DeviceSpec& device : rig.devices) {
        EXPECT_FALSE(device.isGpu);
        EXPECT_GT(device.matrixFlops, 1e8);
        EXPECT_LT(device.matrixFlops, 1e13) << "no thread does ten teraflops";
        EXPECT_NEAR(static_cast<double>(2 * device.memoryBytes), static_cast<double>(rig.host.memoryBytes), 2.0);
    }
    EXPECT_TRUE(rig.peers.empty());
    EXPECT_TRUE(rig.roots.empty());
    EXPECT_EQ(probed.notes.size(), 3u);
    for (const std::string& note : probed.notes)
        std::printf("%s\n", note.c_str());
    const std::string saved = plan::rigToJson(rig);
    EXPECT_EQ(plan::rigToJson(plan::parseRigFile(saved, "this.json")), saved);
}

TEST(RigProbe, refusesDevicesThatAreNotThere) {
    testing::expectError(ErrorKind::kInvalidInput, {"'gpu'"}, [] { probeRig({"gpu"}); });
}

// Four H100 of one host were measured with 715 to 776 TFLOP/s, and busy for 97 to 99 % of a step all the same.
TEST(LikeDevices, thatAreMeasuredNearlyAlikeAreAlike) {
    plan::Rig rig = plan::loadRig("4xh100+4090");
    const std::array<double, 4> rates{715e12, 741e12, 748e12, 776e12};
    const plan::DeviceSpec other = rig.devices[4];
    for (std::size_t d = 0; d < rates.size(); ++d) {
        rig.devices[d].matrixFlops = rates[d];
        rig.links[d].upBytesPerSecond = d == 2 ? 25.7e9 : 55e9; // once in many measurements; it is left as it is
        rig.links[d].downBytesPerSecond = 54e9 + 1e8 * static_cast<double>(d);
        rig.devices[d].memoryBytes -= static_cast<int64_t>(d) * kMiB;
    }
    const int64_t smallest = rig.devices[3].memoryBytes;
    evenOutLikeDevices(rig);
    for (std::size_t d = 0; d < rates.size(); ++d) {
        EXPECT_DOUBLE_EQ(rig.devices[d].matrixFlops, 745e12);
        EXPECT_EQ(rig.links[d].upBytesPerSecond, d == 2 ? 25.7e9 : 55e9);
        EXPECT_DOUBLE_EQ(rig.links[d].downBytesPerSecond, 54.15e9);
        EXPECT_EQ(rig.devices[d].memoryBytes, smallest);
    }
    EXPECT_EQ(rig.devices[4].matrixFlops, other.matrixFlops);
    EXPECT_EQ(rig.devices[4].memoryBytes, other.memoryBytes);
    rig.devices[0].memoryBytes /= 2; // as with a limit
    evenOutLikeDevices(rig);
    EXPECT_EQ(rig.devices[1].memoryBytes, smallest);
}

} // namespace
} // namespace roundpipe::device
