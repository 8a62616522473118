// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run_plan.h"

#include "base/log.h"
#include "data/batches/step_room.h"
#include "device/host_memory.h"
#include "device/machine/kept_rig.h"
#include "device/machine/rig_probe.h"
#include "engine/workload.h"
#include "plan/cost/measured_times.h"
#include "plan/rig/rig_presets.h"
#include "plan/search/model_choice.h"
#include "session/spec/chosen_microbatches.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace roundpipe::engine {
namespace {

using Devices = std::vector<std::unique_ptr<device::Device>>;

plan::Rig measuredRig(const Devices& devices) {
    std::vector<std::string> names;
    for (const auto& device : devices)
        names.push_back(
            (device->kind() == device::DeviceKind::kCpu ? "cpu" : "cuda:" + std::to_string(device->cudaIndex())) +
            device->limits().words);
    return device::probeRig(names).rig;
}

// What is known of such a device, without measuring; nothing where it is a GPU that has no preset.
std::optional<plan::DevicePreset> presetOf(const device::Device& device) {
    if (device.kind() == device::DeviceKind::kCpu) return plan::devicePreset("cpu");
    const std::string name = plan::deviceKey(device.name());
    for (const plan::DevicePreset& preset : plan::devicePresets())
        if (preset.device.isGpu && name.starts_with(preset.device.name)) return preset;
    return std::nullopt;
}

// Nothing where a device has none.
std::optional<plan::Rig> presetRig(const Devices& devices) {
    plan::Rig rig;
    std::vector<plan::DevicePreset> presets;
    for (const auto& device : devices)
        if (auto preset = presetOf(*device)) presets.push_back(std::move(*preset));
    if (presets.size() != devices.size()) return std::nullopt;
    std::vector<const plan::DevicePreset*> pointers;
    for (const plan::DevicePreset& preset : presets) {
        rig.devices.push_back(preset.device);
        rig.links.push_back(plan::presetLink(preset, static_cast<int32_t>(devices.size())));
        pointers.push_back(&preset);
    }
    rig.host = plan::presetHost(pointers);
    rig.name = "this machine";
    return rig;
}

void slowDown(plan::Link& link, const device::DeviceLimits& limits) {
    if (limits.upBytesPerSecond > 0) link.upBytesPerSecond = std::min(link.upBytesPerSecond, limits.upBytesPerSecond);
    if (limits.downBytesPerSecond > 0)
        link.downBytesPerSecond = std::min(link.downBytesPerSecond, limits.downBytesPerSecond);
}

} // namespace

plan::Rig rigOf(const Devices& devices, int64_t hostBytesHeld) {
    std::optional<plan::Rig> known = device::keptRig(devices);
    const bool sharesLinks = std::ranges::count_if(devices, [](const auto& device) {
                                 return device->kind() == device::DeviceKind::kCuda;
                             }) > 1;
    if (!known && !sharesLinks) known = presetRig(devices);
    plan::Rig rig = known ? std::move(*known) : measuredRig(devices);
    // One that stands in for another computes as it is.
    for (std::size_t d = 0; d < devices.size(); ++d)
        rig.devices[d].computeCapability = devices[d]->computeCapability();
    rig.host.memoryBytes = device::availableHostBytes() + hostBytesHeld;
    rig.host.pinnedBytes = 0;
    const auto isCpu = [](const auto& device) { return device->kind() == device::DeviceKind::kCpu; };
    const auto numWorkers = std::ranges::count_if(devices, isCpu);
    for (std::size_t d = 0; d < devices.size(); ++d) { // CPU workers share half of the host's memory
        const int64_t free = isCpu(devices[d]) ? rig.host.memoryBytes / (2 * numWorkers) : devices[d]->freeBytes();
        rig.devices[d].memoryBytes = devices[d]->usableOf(free);
        slowDown(rig.links[d], devices[d]->limits());
    }
    return rig;
}

batch::StepContent settleSteps(session::RunSpec& spec, const arch::ModelSpec& model, const Devices& devices,
                               const data::Dataset& dataset) {
    data::requireRoom(dataset, session::stepRulesOf(spec));
    const session::RunLengths lengths = lengthsOf(dataset);
    if (spec.batch.microbatches == 0) { // a GPU that nobody knows is measured
        spec = session::withMicrobatches(spec, model, rigOf(devices, 0), lengths);
        log::info(fmt::format("{} microbatches go through the pipeline together", spec.batch.microbatches));
    }
    return session::stepContentOf(spec, lengths);
}

FoundPlan planOf(const session::RunSpec& spec, const model::Model& model, const Devices& devices,
                 const batch::StepContent& content, const RunSoFar& soFar) {
    plan::Rig rig = rigOf(devices, soFar.hostBytesHeld);
    for (std::size_t d = 0; d < soFar.memoryShares.size(); ++d)
        rig.devices[d].memoryBytes =
            static_cast<int64_t>(soFar.memoryShares[d] * static_cast<double>(rig.devices[d].memoryBytes));
    plan::ModelRequest request = session::planRequestOf(spec, model.spec, std::move(rig), content);
    const auto found = [&](const plan::ModelChoice& choice) {
        return FoundPlan{choice.choice.plan, choice.choice.step.stepSeconds, request.rig};
    };
    if (request.replicas == Replicas::kAuto && soFar.replicas > 0) {
        request.replicas = Replicas::kAlways;
        try {
            if (soFar.replicas == request.rig.numDevices()) return found(plan::chooseForModel(request));
        } catch (const plan::DoesNotFit&) {
            // Less memory is free than before: other last bits are better than no run.
        }
        request.replicas = Replicas::kNever;
    }
    return found(plan::chooseForModel(request));
}

} // namespace roundpipe::engine
