// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/simulated/simulated_run.h"

#include "base/error.h"
#include "plan/rig/device_wish.h"
#include "plan/rig/rig_file.h"
#include "plan/rig/rig_presets.h"
#include "plan/simulate/long_steps.h"
#include "session/spec/chosen_microbatches.h"
#include "session/spec/trainable_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <thread>

namespace roundpipe::session {
namespace {

constexpr int64_t kSimulatedRows = 256;
constexpr int64_t kSimulatedValidationRows = 16;

RunPlan runPlanOf(const RunSpec& spec, const arch::ModelSpec& model, const plan::Rig& rig,
                  const plan::ModelChoice& found, const RunLengths& lengths) {
    RunPlan result;
    result.plan = found.choice.plan;
    for (const geometry::LayerSizes& layer : found.costs.layers) {
        result.layerNames.push_back(layer.name);
        result.layerBytes.push_back(layer.hostBase);
        result.numTrainableParameters += layer.trainedElements;
    }
    std::vector<std::string> names;
    for (const plan::DeviceSpec& device : rig.devices) {
        names.push_back(fmt::format("sim:{} {}", names.size(), device.name));
        result.devices.push_back({names.back(), device.isGpu, device.memoryBytes});
    }
    result.lanes = trace::makeLanes(names);
    result.model = arch::outlineOf(model);
    result.isSimulated = true;
    if (lengths.training != nullptr) {
        result.numExamples = lengths.training->size();
        result.numValidationExamples = lengths.validation != nullptr ? lengths.validation->size() : 0;
        result.totalSteps = stepsOf(spec, lengths).total;
        result.tokensPerEpoch = lengths.training->numTokens();
        result.trainedTokensPerEpoch = lengths.training->numTrained();
        return result;
    }
    result.numExamples = kSimulatedRows;
    if (!spec.data.validationFile.empty() || spec.data.validationFraction > 0)
        result.numValidationExamples = std::min(kSimulatedValidationRows, spec.data.maxValidationRows);
    const double steps = std::ceil(spec.duration.epochs * kSimulatedRows / found.sequencesPerStep());
    result.totalSteps =
        spec.duration.maxSteps > 0 ? spec.duration.maxSteps : std::max<int64_t>(1, static_cast<int64_t>(steps));
    result.tokensPerEpoch = std::llround(kSimulatedRows * found.training.lengthOfSequences());
    result.trainedTokensPerEpoch =
        std::llround(static_cast<double>(result.tokensPerEpoch) * found.training.trainedShare);
    return result;
}

// The slot whose rate this is; nothing where it is no PCIe link's.
std::optional<plan::PcieSlot> slotOfRate(double bytesPerSecond) {
    for (const int generation : {3, 4, 5})
        for (const int lanes : {4, 8, 16}) {
            const plan::PcieSlot slot{generation, lanes};
            if (std::abs(bytesPerSecond / plan::pcieBytesPerSecond(slot) - 1) < 0.005) return slot;
        }
    return std::nullopt;
}

MachineStatus machineOf(const plan::Rig& rig, const plan::EvaluatedPlan& choice) {
    MachineStatus machine;
    machine.host.pinnedBytes = choice.hostMemory.pinned;
    machine.host.processBytes = choice.hostMemory.total();
    machine.host.totalBytes = rig.host.memoryBytes;
    for (std::size_t d = 0; d < rig.devices.size(); ++d) {
        const int64_t bytes = choice.deviceMemory[d].total();
        DeviceStatus device{bytes, bytes, rig.host.memoryBytes, {}, {}};
        if (rig.devices[d].isGpu) {
            device.totalBytes = rig.devices[d].memoryBytes;
            device.gpu.emplace();
            if (const auto slot = slotOfRate(rig.links[d].upBytesPerSecond)) {
                device.gpu->pcieGeneration = slot->generation;
                device.gpu->pcieLanes = slot->lanes;
            }
        } else {
            machine.host.processBytes += bytes;
        }
        machine.devices.push_back(device);
    }
    machine.host.availableBytes = std::max<int64_t>(0, machine.host.totalBytes - machine.host.processBytes);
    return machine;
}

} // namespace

plan::Rig simulatedRigOf(const EngineSection& engine, const SimulatedRig& rig) {
    std::string automatic = rig.automatic;
    if (automatic.empty())
        automatic = fmt::format("{}xcpu", plan::usualCpuWorkers(std::thread::hardware_concurrency()));
    if (engine.devices == std::vector<std::string>{"auto"}) return plan::loadRig(automatic);
    std::string text;
    std::vector<int64_t> limits; // by device; 0: none
    for (const std::string& named : engine.devices) {
        const plan::DeviceWish wish = plan::parseDeviceWish(named);
        const std::string& name = wish.name;
        std::string part;
        if (name == "auto")
            part = automatic;
        else if (name == "cpu")
            part = name;
        else if (name.starts_with("cpu:"))
            part = name.substr(4) + "xcpu";
        else if (name.starts_with("cuda:") || name.starts_with("GPU-"))
            part = wish.actsAs ? wish.actsAs->key : rig.gpu;
        else
            throw invalidInput("'" + name + "' is no device.", "Write auto, cpu, cpu:3 (three workers) or cuda:0.");
        text += (text.empty() ? "" : "+") + part;
        limits.resize(limits.size() + plan::loadRig(part).devices.size(), wish.memoryBytes);
    }
    plan::Rig found = plan::loadRig(text);
    for (std::size_t d = 0; d < found.devices.size(); ++d)
        if (limits[d] > 0) found.devices[d].memoryBytes = std::min(found.devices[d].memoryBytes, limits[d]);
    return found;
}

int64_t SimulatedRun::tokensPerStep() const {
    return std::llround(found.tokensPerStep());
}

SimulatedRun predictRun(const RunSpec& given, const plan::Rig& rig, const RunLengths& lengths,
                        const std::stop_token& stop) {
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(given.model.path));
    if (given.method == Method::kFull) arch::requireWholeTrainable(model.config);
    requireFormatFor(model.config, given.model.weights);
    plan::SearchOptions options;
    options.stop = stop;
    const RunSpec spec = withMicrobatches(given, model, rig, lengths, options);
    const batch::StepContent content = stepContentOf(spec, lengths);
    SimulatedRun run;
    run.rig = rig;
    run.found = plan::chooseForModel(planRequestOf(spec, model, rig, content), options);
    if (const plan::Misfit problem = plan::misfitOf(run.found.choice, rig); !problem.empty())
        throw Error(ErrorKind::kOutOfMemory, problem.text(),
                    "Leave the stages to the planner, or ask `plan` what would fit.");
    const plan::EvaluatedPlan& choice = run.found.choice;
    if (!plan::isReplayedWhole(choice.shape, choice.plan))
        throw unsupported(fmt::format("A step of {} microbatches is too long to be shown by a simulation.",
                                      choice.shape.numMicrobatches()),
                          "Take larger microbatches, or fewer of them.");
    run.plan = runPlanOf(spec, model, rig, run.found, lengths);
    run.machine = machineOf(rig, run.found.choice);
    run.numValidationMicrobatches =
        (run.plan.numValidationExamples + run.found.training.sequences - 1) / run.found.training.sequences;
    run.stepsPerEpoch = lengths.training != nullptr
                            ? stepsOf(spec, lengths).perEpoch
                            : static_cast<int64_t>(kSimulatedRows / run.found.sequencesPerStep());
    run.stepsPerEpoch = std::max<int64_t>(1, run.stepsPerEpoch);
    return run;
}

} // namespace roundpipe::session
