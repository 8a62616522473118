// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/open_devices.h"

#include "base/error.h"
#include "device/cpu_device.h"
#include "device/cuda_runtime.h"
#include "plan/rig/device_wish.h"

#include <algorithm>
#include <charconv>
#include <thread>

namespace roundpipe::device {
namespace {

constexpr int kMaxCpuWorkers = 64;

// The number behind "cpu:" or "cuda:".
int numberAfter(const std::string& name, std::size_t prefixLength, int smallest, int largest) {
    int number = -1;
    const char* end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + prefixLength, end, number);
    if (error != std::errc() || rest != end || number < smallest || number > largest)
        throw invalidInput("'" + name + "' is no device.",
                           "Write auto, cpu, cpu:3 (three workers, at most " + std::to_string(kMaxCpuWorkers) +
                               "), cuda:0 or a GPU's UUID; behind it, if you like, @24GiB or @4090.");
    return number;
}

int requireGpu(const std::string& name, const cuda::Probe& probe) {
    const int index = numberAfter(name, 5, 0, 1 << 10);
    if (probe.numGpus == 0) throw Error(ErrorKind::kDevice, name + " cannot be used: " + probe.problem, probe.advice);
    if (index >= probe.numGpus)
        throw invalidInput("there is no " + name + ": this machine has " + std::to_string(probe.numGpus) + " GPU(s)");
    return index;
}

// By the beginning of its UUID, as long as no other begins so.
int requireUuid(const std::string& name, const cuda::Probe& probe) {
    if (probe.numGpus == 0) throw Error(ErrorKind::kDevice, name + " cannot be used: " + probe.problem, probe.advice);
    std::string all;
    int index = -1, numFound = 0;
    for (int i = 0; i < probe.numGpus; ++i) {
        const std::string uuid = cuda::describeGpu(i).uuid;
        all += (i == 0 ? "" : ", ") + uuid;
        if (!uuid.starts_with(name)) continue;
        index = i;
        ++numFound;
    }
    if (numFound != 1)
        throw invalidInput("'" + name + "' is " + (numFound == 0 ? "no GPU" : "several GPUs") + " of this machine",
                           "They are " + all + ".");
    return index;
}

// What names mean, in their order.
class WantedDevices {
public:
    explicit WantedDevices(const std::vector<std::string>& names) {
        for (const std::string& name : names)
            add(plan::parseDeviceWish(name));
        if (m_all.empty()) throw invalidInput("no device is named", "Write auto to use what the machine has.");
    }

    std::vector<std::unique_ptr<Device>> open(const DeviceContext& context) const {
        std::vector<std::unique_ptr<Device>> devices;
        for (const Wanted& wanted : m_all) {
            const DeviceId id(static_cast<int32_t>(devices.size()));
            const DeviceLimits limits = limitsOf(wanted.wish);
            devices.push_back(wanted.cudaIndex < 0 ? makeCpuDevice(id, context, limits)
                                                   : cuda::makeDevice(id, wanted.cudaIndex, context, limits));
        }
        return devices;
    }

private:
    struct Wanted {
        int cudaIndex = -1; // -1: a CPU worker
        plan::DeviceWish wish;
    };

    void add(const plan::DeviceWish& wish) {
        const std::string& name = wish.name;
        if (name == "cpu") {
            addWorkers(1, wish);
        } else if (name.starts_with("cpu:")) {
            addWorkers(numberAfter(name, 4, 1, kMaxCpuWorkers), wish);
        } else if (name.starts_with("cuda:")) {
            addGpu(requireGpu(name, cuda::probe()), wish);
        } else if (name.starts_with("GPU-")) {
            addGpu(requireUuid(name, cuda::probe()), wish);
        } else if (name == "auto") {
            const int numGpus = cuda::probe().numGpus;
            for (int i = 0; i < numGpus; ++i)
                addGpu(i, wish);
            if (numGpus == 0) addWorkers(plan::usualCpuWorkers(std::thread::hardware_concurrency()), wish);
        } else {
            numberAfter(name, 0, 1, 0); // throws
        }
    }
    void addWorkers(int count, const plan::DeviceWish& wish) {
        m_all.insert(m_all.end(), static_cast<std::size_t>(count), {-1, wish});
    }
    // Several may share a GPU where each is limited to a part of it.
    void addGpu(int index, const plan::DeviceWish& wish) {
        for (const Wanted& other : m_all)
            if (other.cudaIndex == index && (other.wish.limit.empty() || wish.limit.empty()))
                throw invalidInput("cuda:" + std::to_string(index) + " is named twice",
                                   "Where several are to share it, say behind each how much it gets: cuda:0@24GiB.");
        m_all.push_back({index, wish});
    }

    // A card's slot depends on how many of its kind there are.
    DeviceLimits limitsOf(const plan::DeviceWish& wish) const {
        DeviceLimits limits;
        limits.memoryBytes = wish.memoryBytes;
        limits.words = wish.limit;
        if (!wish.actsAs) return limits;
        const auto numAlike = std::ranges::count_if(m_all, [&](const Wanted& other) {
            return other.wish.actsAs && other.wish.actsAs->key == wish.actsAs->key;
        });
        const plan::Link link = plan::presetLink(*wish.actsAs, static_cast<int32_t>(numAlike));
        limits.upBytesPerSecond = link.upBytesPerSecond;
        limits.downBytesPerSecond = link.downBytesPerSecond;
        return limits;
    }

    std::vector<Wanted> m_all;
};

} // namespace

std::vector<std::unique_ptr<Device>> openDevices(const std::vector<std::string>& names, const DeviceContext& context) {
    return WantedDevices(names).open(context);
}

} // namespace roundpipe::device
