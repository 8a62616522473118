#include "device/open_devices.h"

#include "base/error.h"
#include "device/cpu_device.h"
#include "device/cuda_runtime.h"
#include "plan/rig/rig_presets.h"

#include <algorithm>
#include <charconv>
#include <set>
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
        throw invalidInput("'" + name + "' is no device", "Write auto, cpu, cpu:3 (three workers, at most " +
                                                              std::to_string(kMaxCpuWorkers) + ") or cuda:0.");
    return number;
}

int requireGpu(const std::string& name, const cuda::Probe& probe) {
    const int index = numberAfter(name, 5, 0, 1 << 10);
    if (probe.numGpus == 0) throw Error(ErrorKind::kDevice, name + " cannot be used: " + probe.problem, probe.advice);
    if (index >= probe.numGpus)
        throw invalidInput("there is no " + name + ": this machine has " + std::to_string(probe.numGpus) + " GPU(s)");
    return index;
}

} // namespace

std::vector<std::unique_ptr<Device>> openDevices(const std::vector<std::string>& names, const DeviceContext& context) {
    std::vector<int> wanted; // CUDA index, -1: a CPU worker
    std::set<int> gpus;
    const auto addGpu = [&](int index) {
        if (!gpus.insert(index).second) throw invalidInput("cuda:" + std::to_string(index) + " is named twice");
        wanted.push_back(index);
    };
    for (const std::string& name : names) {
        if (name == "cpu") {
            wanted.push_back(-1);
        } else if (name.starts_with("cpu:")) {
            wanted.insert(wanted.end(), static_cast<std::size_t>(numberAfter(name, 4, 1, kMaxCpuWorkers)), -1);
        } else if (name.starts_with("cuda:")) {
            addGpu(requireGpu(name, cuda::probe()));
        } else if (name == "auto") {
            const int numGpus = cuda::probe().numGpus;
            for (int i = 0; i < numGpus; ++i)
                addGpu(i);
            const int32_t numWorkers = plan::usualCpuWorkers(std::thread::hardware_concurrency());
            if (numGpus == 0) wanted.insert(wanted.end(), static_cast<std::size_t>(numWorkers), -1);
        } else {
            numberAfter(name, 0, 1, 0); // throws
        }
    }
    if (wanted.empty()) throw invalidInput("no device is named", "Write auto to use what the machine has.");

    std::vector<std::unique_ptr<Device>> devices;
    for (const int cudaIndex : wanted) {
        const DeviceId id(static_cast<int32_t>(devices.size()));
        devices.push_back(cudaIndex < 0 ? makeCpuDevice(id, context) : cuda::makeDevice(id, cudaIndex, context));
    }
    return devices;
}

} // namespace roundpipe::device
