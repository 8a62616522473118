#include "device/nvml.h"

#include <fmt/format.h>

#include <array>
#include <dlfcn.h>

namespace roundpipe::device {
namespace {

constexpr unsigned kMaxNvlinks = 18;
constexpr int kSuccess = 0; // NVML_SUCCESS

// Stays loaded: unloading while the driver's threads run is not worth the few kilobytes.
std::optional<NvmlApi> loadApi() {
    void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::nullopt;
    const auto find = [library](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
    };
    NvmlApi api;
    find(api.init, "nvmlInit_v2");
    find(api.shutdown, "nvmlShutdown");
    find(api.driverVersion, "nvmlSystemGetDriverVersion");
    find(api.deviceByBusId, "nvmlDeviceGetHandleByPciBusId_v2");
    find(api.generation, "nvmlDeviceGetCurrPcieLinkGeneration");
    find(api.lanes, "nvmlDeviceGetCurrPcieLinkWidth");
    find(api.maxGeneration, "nvmlDeviceGetMaxPcieLinkGeneration");
    find(api.maxLanes, "nvmlDeviceGetMaxPcieLinkWidth");
    find(api.nvlinkState, "nvmlDeviceGetNvLinkState");
    find(api.powerLimit, "nvmlDeviceGetPowerManagementLimit");
    find(api.memory, "nvmlDeviceGetMemoryInfo_v2");
    return api;
}

int ask(int (*function)(NvmlApi::Device, unsigned*), NvmlApi::Device device) {
    unsigned value = 0;
    return function != nullptr && function(device, &value) == kSuccess ? static_cast<int>(value) : 0;
}

SlotFacts slotOf(const NvmlApi& api, const std::string& busId) {
    SlotFacts slot;
    NvmlApi::Device device = nullptr;
    if (api.deviceByBusId == nullptr || api.deviceByBusId(busId.c_str(), &device) != kSuccess) return slot;
    slot.generation = ask(api.generation, device);
    slot.lanes = ask(api.lanes, device);
    slot.maxGeneration = ask(api.maxGeneration, device);
    slot.maxLanes = ask(api.maxLanes, device);
    slot.powerLimitWatts = ask(api.powerLimit, device) / 1000;
    if (NvmlMemory memory; api.memory != nullptr && api.memory(device, &memory) == kSuccess)
        slot.usedBytes = static_cast<int64_t>(memory.used);
    for (unsigned link = 0; api.nvlinkState != nullptr && link < kMaxNvlinks; ++link) {
        unsigned isUp = 0;
        if (api.nvlinkState(device, link, &isUp) == kSuccess && isUp == 1) ++slot.numNvlinks;
    }
    return slot;
}

} // namespace

std::optional<NvmlFacts> readNvml(const std::vector<std::string>& busIds, const NvmlApi& api) {
    if (api.init == nullptr || api.init() != kSuccess) return std::nullopt;
    NvmlFacts facts;
    std::array<char, 96> version{};
    if (api.driverVersion != nullptr && api.driverVersion(version.data(), version.size() - 1) == kSuccess)
        facts.driver = version.data();
    for (const std::string& busId : busIds)
        facts.slots.push_back(slotOf(api, busId));
    if (api.shutdown != nullptr) api.shutdown();
    return facts;
}

std::optional<NvmlFacts> readNvml(const std::vector<std::string>& busIds) {
    const auto api = loadApi();
    return api ? readNvml(busIds, *api) : std::nullopt;
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
