#include "engine/planning.h"

#include "base/error.h"
#include "device/host_memory.h"
#include "device/rig_probe.h"
#include "plan/cost/cost_model.h"
#include "plan/cost/measured_times.h"
#include "plan/rig/rig_presets.h"
#include "plan/search/choose_plan.h"
#include "session/run_shape.h"

#include <algorithm>
#include <array>
#include <optional>

namespace roundpipe::engine {
namespace {

using Devices = std::vector<std::unique_ptr<device::Device>>;

std::optional<plan::DevicePreset> presetOf(const device::Device& device) {
    if (device.kind() == device::DeviceKind::kCpu) return plan::devicePreset("cpu");
    const std::string name = plan::deviceKey(device.name());
    for (const plan::DevicePreset& preset : plan::devicePresets())
        if (preset.device.isGpu && name.starts_with(preset.device.name)) return preset;
    return std::nullopt;
}

plan::Rig measuredRig(const Devices& devices) {
    std::vector<std::string> names;
    for (const auto& device : devices)
        names.push_back(device->kind() == device::DeviceKind::kCpu ? "cpu"
                                                                   : "cuda:" + std::to_string(device->cudaIndex()));
    return device::probeRig(names).rig;
}

std::vector<plan::LayerRange> rangesUp(const std::vector<int64_t>& sizes) {
    std::vector<plan::LayerRange> ranges;
    int32_t begin = 0;
    for (const int64_t size : sizes) {
        ranges.push_back({begin, begin + static_cast<int32_t>(size)});
        begin = ranges.back().end;
    }
    return ranges;
}

// `sizes` counts down from the head: the fused stage, then the backward stages.
std::vector<plan::LayerRange> rangesDown(const std::vector<int64_t>& sizes, int32_t numLayers) {
    std::vector<plan::LayerRange> ranges;
    int32_t end = numLayers;
    for (const int64_t size : sizes) {
        ranges.push_back({end - static_cast<int32_t>(size), end});
        end = ranges.back().begin;
    }
    return ranges;
}

plan::Plan givenPlan(const session::EngineSection& engine, const model::Model& model, int32_t numDevices) {
    plan::Plan plan;
    plan.numLayers = model.numLayers();
    plan.forward = rangesUp(engine.forwardStages);
    plan.backward = rangesDown(engine.backwardStages, plan.numLayers);
    plan.fused = plan.backward.front();
    plan.backward.erase(plan.backward.begin());
    for (int32_t d = 0; d < numDevices; ++d)
        plan.deviceTable.push_back(DeviceId(d));
    plan::validate(plan, model.firstTrainableLayer());
    return plan;
}

plan::TrainingShape shapeOf(const session::RunSpec& spec, const model::Model& model,
                            const batch::StepContent& content) {
    plan::TrainingShape shape;
    shape.maxLength = content.largest.length;
    shape.averageLength = content.averageLength;
    shape.sequences =
        (content.largest.tokens + content.largest.length - 1) / content.largest.length; // packed ones are shorter
    shape.operandType = model.operandType;
    shape.lora = model.lora;
    shape.deterministic = spec.engine.determinism == Determinism::kStrict;
    return shape;
}

} // namespace

plan::Rig rigOf(const Devices& devices, int64_t hostBytesHeld) {
    plan::Rig rig;
    const auto numDevices = static_cast<int32_t>(devices.size());
    std::vector<plan::DevicePreset> presets;
    for (const auto& device : devices)
        if (auto preset = presetOf(*device)) presets.push_back(std::move(*preset));
    const bool known = presets.size() == devices.size();
    if (known) {
        std::vector<const plan::DevicePreset*> pointers;
        for (const plan::DevicePreset& preset : presets) {
            rig.devices.push_back(preset.device);
            rig.links.push_back(plan::presetLink(preset, numDevices));
            pointers.push_back(&preset);
        }
        rig.host = plan::presetHost(pointers);
        rig.name = "this machine";
    } else {
        rig = measuredRig(devices);
    }
    rig.host.memoryBytes = device::availableHostBytes() + hostBytesHeld;
    rig.host.pinnedBytes = 0;
    const auto isCpu = [](const auto& device) { return device->kind() == device::DeviceKind::kCpu; };
    const auto numWorkers = std::ranges::count_if(devices, isCpu);
    for (std::size_t d = 0; d < devices.size(); ++d) // CPU workers share half of the host's memory
        rig.devices[d].memoryBytes =
            isCpu(devices[d]) ? rig.host.memoryBytes / (2 * numWorkers) : devices[d]->freeBytes();
    return rig;
}

batch::StepContent stepContentOf(const session::RunSpec& spec, const data::Dataset& dataset) {
    return batch::contentOf(dataset.training().lengths(), dataset.validation().lengths(), session::stepRulesOf(spec));
}

plan::Plan planOf(const session::RunSpec& spec, const model::Model& model, const Devices& devices,
                  const batch::StepContent& content) {
    if (!spec.engine.backwardStages.empty()) return givenPlan(spec.engine, model, static_cast<int32_t>(devices.size()));
    const plan::TrainingShape shape = shapeOf(spec, model, content);
    int64_t held = 0;
    for (const model::LayerLayout& layout : model.layouts)
        held += layout.base.bytes;
    const plan::Rig rig = rigOf(devices, held);
    plan::Costs costs = plan::modelCosts(model.spec, shape, rig);
    plan::applyMeasured(costs, plan::loadMeasured(model.spec, shape, rig));
    const std::array<plan::StepShape, 1> step{{{content.microbatches, content.rounds, false}}};
    return plan::choosePlan(rig, costs, step).plan;
}

} // namespace roundpipe::engine
