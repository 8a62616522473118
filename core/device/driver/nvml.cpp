// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/driver/nvml.h"

#include "base/library_function.h"

#include <fmt/format.h>

#include <array>
#include <dlfcn.h>
#include <optional>

namespace roundpipe::device {
namespace {

constexpr unsigned kMaxNvlinks = 18;
constexpr int kSuccess = 0;      // NVML_SUCCESS
constexpr int kGpuSensor = 0;    // NVML_TEMPERATURE_GPU
constexpr int kComputeClock = 1; // NVML_CLOCK_SM
constexpr int kMemoryClock = 2;  // NVML_CLOCK_MEM

// Stays loaded: unloading while the driver's threads run is not worth the few kilobytes.
std::optional<NvmlApi> loadApi() {
    void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::nullopt;
    NvmlApi api;
    bindFunction(library, "nvmlInit_v2", api.init);
    bindFunction(library, "nvmlShutdown", api.shutdown);
    bindFunction(library, "nvmlSystemGetDriverVersion", api.driverVersion);
    bindFunction(library, "nvmlDeviceGetHandleByPciBusId_v2", api.deviceByBusId);
    bindFunction(library, "nvmlDeviceGetCurrPcieLinkGeneration", api.generation);
    bindFunction(library, "nvmlDeviceGetCurrPcieLinkWidth", api.lanes);
    bindFunction(library, "nvmlDeviceGetMaxPcieLinkGeneration", api.maxGeneration);
    bindFunction(library, "nvmlDeviceGetMaxPcieLinkWidth", api.maxLanes);
    bindFunction(library, "nvmlDeviceGetNvLinkState", api.nvlinkState);
    bindFunction(library, "nvmlDeviceGetPowerManagementLimit", api.powerLimit);
    bindFunction(library, "nvmlDeviceGetPowerUsage", api.power);
    bindFunction(library, "nvmlDeviceGetTemperature", api.temperature);
    bindFunction(library, "nvmlDeviceGetClockInfo", api.clock);
    bindFunction(library, "nvmlDeviceGetUtilizationRates", api.utilisation);
    bindFunction(library, "nvmlDeviceGetMemoryInfo_v2", api.memory);
    bindFunction(library, "nvmlDeviceGetDisplayActive", api.displayActive);
    return api;
}

std::optional<unsigned> ask(int (*function)(NvmlApi::Handle, unsigned*), NvmlApi::Handle device) {
    unsigned value = 0;
    if (function == nullptr || function(device, &value) != kSuccess) return std::nullopt;
    return value;
}

// Of a sensor or a clock.
std::optional<unsigned> askOne(int (*function)(NvmlApi::Handle, int, unsigned*), NvmlApi::Handle device, int which) {
    unsigned value = 0;
    if (function == nullptr || function(device, which, &value) != kSuccess) return std::nullopt;
    return value;
}

std::optional<int64_t> usedBytesOf(const NvmlApi& api, NvmlApi::Handle device) {
    NvmlMemory memory;
    if (api.memory == nullptr || api.memory(device, &memory) != kSuccess) return std::nullopt;
    return static_cast<int64_t>(memory.used);
}

std::optional<double> watts(std::optional<unsigned> milliwatts) {
    if (!milliwatts) return std::nullopt;
    return static_cast<double>(*milliwatts) / 1000;
}

} // namespace

std::unique_ptr<NvmlSession> openNvml(const NvmlApi& api) {
    if (api.init == nullptr || api.init() != kSuccess) return nullptr;
    return std::make_unique<NvmlSession>(api);
}

std::unique_ptr<NvmlSession> openNvml() {
    const auto api = loadApi();
    return api ? openNvml(*api) : nullptr;
}

NvmlSession::~NvmlSession() {
    if (m_api.shutdown != nullptr) m_api.shutdown();
}

std::string NvmlSession::driver() const {
    std::array<char, 96> version{};
    if (m_api.driverVersion == nullptr || m_api.driverVersion(version.data(), version.size() - 1) != kSuccess)
        return {};
    return version.data();
}

NvmlApi::Handle NvmlSession::find(const std::string& busId) const {
    NvmlApi::Handle device = nullptr;
    if (m_api.deviceByBusId == nullptr || m_api.deviceByBusId(busId.c_str(), &device) != kSuccess) return nullptr;
    return device;
}

SlotFacts NvmlSession::slot(const std::string& busId) const {
    SlotFacts slot;
    const NvmlApi::Handle device = find(busId);
    if (device == nullptr) return slot;
    const auto number = [](std::optional<unsigned> value) { return static_cast<int>(value.value_or(0)); };
    slot.generation = number(ask(m_api.generation, device));
    slot.lanes = number(ask(m_api.lanes, device));
    slot.maxGeneration = number(ask(m_api.maxGeneration, device));
    slot.maxLanes = number(ask(m_api.maxLanes, device));
    slot.powerLimitWatts = number(ask(m_api.powerLimit, device)) / 1000;
    slot.usedBytes = usedBytesOf(m_api, device).value_or(0);
    for (unsigned link = 0; m_api.nvlinkState != nullptr && link < kMaxNvlinks; ++link) {
        unsigned isUp = 0;
        if (m_api.nvlinkState(device, link, &isUp) == kSuccess && isUp == 1) ++slot.numNvlinks;
    }
    return slot;
}

GpuReading NvmlSession::reading(const std::string& busId) const {
    GpuReading reading;
    const NvmlApi::Handle device = find(busId);
    if (device == nullptr) return reading;
    reading.usedBytes = usedBytesOf(m_api, device);
    reading.temperatureCelsius = askOne(m_api.temperature, device, kGpuSensor);
    reading.powerWatts = watts(ask(m_api.power, device));
    reading.powerLimitWatts = watts(ask(m_api.powerLimit, device));
    reading.computeClockMHz = askOne(m_api.clock, device, kComputeClock);
    reading.memoryClockMHz = askOne(m_api.clock, device, kMemoryClock);
    if (NvmlUtilisation percent; m_api.utilisation != nullptr && m_api.utilisation(device, &percent) == kSuccess)
        reading.utilisation = percent.gpu / 100.0;
    reading.pcieGeneration = ask(m_api.generation, device);
    reading.pcieLanes = ask(m_api.lanes, device);
    return reading;
}

bool NvmlSession::drivesDisplay(const std::string& busId) const {
    const NvmlApi::Handle device = find(busId);
    return device != nullptr && ask(m_api.displayActive, device).value_or(0) != 0;
}

std::string describe(const SlotFacts& slot) {
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (slot.generation > 0 && slot.lanes > 0) {
        std::string link = fmt::format("PCIe {}.0 x{}", slot.generation, slot.lanes);
        if (slot.maxLanes > slot.lanes || slot.maxGeneration > slot.generation)
            link += fmt::format(" of {}.0 x{}", slot.maxGeneration, slot.maxLanes);
        add(link);
    }
    if (slot.numNvlinks > 0) add(fmt::format("{} NVLinks", slot.numNvlinks));
    if (slot.powerLimitWatts > 0) add(fmt::format("{} W", slot.powerLimitWatts));
    return text;
}

} // namespace roundpipe::device
