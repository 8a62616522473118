// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/explanation.h"

#include "base/counted.h"
#include "base/units.h"
#include "plan/search/host_pace.h"
#include "plan/search/saving.h"

#include "plan/plan_outline.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace roundpipe::plan {
namespace {

std::string aboutCuts(const ModelChoice& found, const std::vector<Stage>& stages) {
    const auto secondsOf = [&](const Stage& stage) {
        return stageSeconds(found.costs, stage.kind, stage.layers, DeviceId(0), found.choice.plan.saving);
    };
    const Stage* longest = &stages.front();
    double least = secondsOf(stages.front());
    for (const Stage& stage : stages) {
        const double seconds = secondsOf(stage);
        least = std::min(least, seconds);
        if (seconds > secondsOf(*longest)) longest = &stage;
    }
    const double most = secondsOf(*longest);
    std::string text = fmt::format("Stages take {:.1f} to {:.1f} ms for a microbatch on device 0; the longest is the "
                                   "{} stage of {}",
                                   1e3 * least, 1e3 * most, toString(longest->kind),
                                   found.costs.layers[static_cast<std::size_t>(longest->layers.begin)].name);
    if (longest->layers.size() > 1)
        text += " to " + found.costs.layers[static_cast<std::size_t>(longest->layers.end - 1)].name;
    else
        text += ", a single layer, which no cut makes shorter";
    return text + ".";
}

// What stops the fused stage, which saves its recompute, from being larger.
std::string aboutFused(const ModelChoice& found, const Rig& rig) {
    const Plan& plan = found.choice.plan;
    if (plan.replicas > 1)
        return fmt::format("Each of {} devices is a replica: it takes its part of a step's microbatches through all "
                           "layers, {} of {} in a fused stage, which are not computed twice. Gradients are added up on "
                           "the host.",
                           plan.replicas, plan.fused.size(), plan.numLayers);
    std::string text = fmt::format("The fused stage holds {} of {} layers, which are not computed twice",
                                   plan.fused.size(), plan.numLayers);
    if (plan.fused.begin == 0) return text + ": every device does whole rounds alone, as in data parallelism.";
    Plan larger = plan;
    --larger.fused.begin;
    if (larger.forward.back().size() == 1)
        larger.forward.pop_back();
    else
        --larger.forward.back().end;
    if (!larger.backward.empty()) {
        if (larger.backward.front().size() == 1)
            larger.backward.erase(larger.backward.begin());
        else
            --larger.backward.front().end;
    }
    larger.resident = plan.resident;
    larger.saving = leastSaving(found.costs);
    if (!larger.tableRestarts)
        for (int32_t d = 0; d < rig.numDevices(); ++d) {
            const int64_t needed = deviceMemory(larger, found.costs, found.choice.shape, DeviceId(d)).total();
            const int64_t available = rig.devices[static_cast<std::size_t>(d)].memoryBytes;
            if (needed > available)
                return text + fmt::format("; one more would need {} of device {}, which has {}.", formatBytes(needed),
                                          d, formatBytes(available));
        }
    return text + "; with one more it would hold up the other stages.";
}

std::string aboutIdle(const Simulated& step) {
    const std::vector<std::size_t> idle = idleDevices(step);
    if (idle.empty()) return {};
    return fmt::format("Device{} {} {} no part in it: the others are faster by themselves, with so few microbatches.",
                       idle.size() == 1 ? "" : "s", fmt::join(idle, ", "), idle.size() == 1 ? "has" : "have");
}

std::string aboutLimit(const ModelChoice& found, const Rig& rig) {
    const Simulated& step = found.choice.step;
    if (std::string text = aboutIdle(step); !text.empty()) return text;
    const auto [which, seconds] = busiestLink(step, rig);
    const double share = seconds / step.stepSeconds;
    const double computing = 1 - step.bubbleShare;
    constexpr double kBusy = 0.9;
    if (computing >= kBusy)
        return fmt::format("Computing is the limit: devices are busy {:.1f} % of the time, the busiest link {:.0f} %.",
                           100 * computing, 100 * share);
    if (share >= kBusy)
        return fmt::format("The link of device {} is the limit: it carries {} up a step, {:.0f} % of the time at its "
                           "full rate.",
                           which, formatBytes(step.bytesUp[which]), 100 * share);
    const double beside = secondsBesideStep(found.choice.plan, found.costs, found.choice.shape);
    if (beside >= kBusy * step.stepSeconds)
        return fmt::format("Updates are the limit: the host takes {:.0f} ms for them beside each step, as fast as its "
                           "memory moves; devices compute {:.1f} % of the time. More tokens in a step need fewer.",
                           1e3 * beside, 100 * computing);
    return fmt::format("Waiting is the limit: devices compute {:.1f} % of the time, the busiest link is busy {:.0f} %. "
                       "The rest is filling and draining at each update; more microbatches in a step shorten it{}.",
                       100 * computing, 100 * share,
                       found.choice.shape.oneStepStale ? "" : ", updates that are one step stale remove it");
}

std::string aboutMemory(const ModelChoice& found, const Rig& rig) {
    std::size_t tightest = 0;
    double fullest = 0;
    for (std::size_t d = 0; d < rig.devices.size(); ++d) {
        const double share =
            static_cast<double>(found.choice.deviceMemory[d].total()) / static_cast<double>(rig.devices[d].memoryBytes);
        if (share > fullest) {
            fullest = share;
            tightest = d;
        }
    }
    return fmt::format("Device {} is fullest: {} of {}.", tightest,
                       formatBytes(found.choice.deviceMemory[tightest].total()),
                       formatBytes(rig.devices[tightest].memoryBytes));
}

std::string aboutStep(const ModelChoice& found) {
    const auto& [training, shape] = std::tie(found.training, found.choice.shape);
    const std::string size = training.tokenLimit > 0 ? fmt::format("at most {} tokens", training.tokenLimit)
                                                     : counted(training.sequences, "sequence");
    const bool isUsual = shape.numMicrobatches() < shape.mostMicrobatches();
    std::string text =
        fmt::format("A step has {} of {}{} of {}.", counted(shape.rounds, "round"), isUsual ? "up to " : "",
                    counted(shape.roundSize, "microbatch", "microbatches"), size);
    if (isUsual)
        text += fmt::format(" A usual one has {}.", counted(shape.numMicrobatches(), "microbatch", "microbatches"));
    return text;
}

// What forward stages send for backward stages.
std::string aboutHostMemory(const SavedOtherwise& saved) {
    std::string text;
    const auto add = [&](int32_t layers, const char* what) {
        if (layers > 0)
            text += fmt::format(" Of {} forward stages save in host memory {}.", counted(layers, "layer"), what);
    };
    add(saved.allOnHost, "what backward stages need, so nothing of them is computed again");
    add(saved.withoutGateUpOnHost, "what backward stages need but for gate and up, which alone are computed again");
    add(saved.inputOnHost, "the input, so backward stages compute each of them again once, from there");
    return text;
}

// What memory does not hold of what backward needs.
std::string aboutSaving(const Plan& plan) {
    const SavedOtherwise saved = outlineOf(plan).saved;
    const std::string onHost = aboutHostMemory(saved);
    if (saved.withoutGateUp + saved.inputOnly == 0)
        return "Stages save all that their backward needs: no layer is computed again within a stage." + onHost;
    std::string parts;
    if (saved.withoutGateUp > 0) parts = fmt::format("gate and up of {}", saved.withoutGateUp);
    if (saved.inputOnly > 0)
        parts += fmt::format("{}the whole of {}, whose input alone is saved,", parts.empty() ? "" : " and ",
                             saved.inputOnly);
    return fmt::format("Memory does not hold all that backward needs of {}: {} must be computed again.",
                       counted(plan.numLayers, "layer"), parts) +
           onHost;
}

std::string aboutStaying(const ModelChoice& found, const Rig& rig, const SearchOptions& options) {
    if (std::ranges::none_of(rig.devices, &DeviceSpec::isGpu))
        return "CPU workers read weights where they lie, in host memory: nothing must stay anywhere.";
    if (!options.engine.residency)
        return "Weights are uploaded for every slot: the engine keeps none between slots yet.";
    int64_t resident = 0;
    for (const DeviceMemoryTable& table : found.choice.deviceMemory)
        resident += table.residents;
    if (resident == 0) return "No weights stay on the devices between slots: their memory is needed for other things.";
    return fmt::format("{} of weights stay on the devices between slots.", formatBytes(resident));
}

} // namespace

std::vector<std::string> explain(const ModelChoice& found, const Rig& rig, const SearchOptions& options) {
    return {aboutStep(found),
            aboutCuts(found, found.choice.plan.stages()),
            aboutFused(found, rig),
            aboutSaving(found.choice.plan),
            aboutStaying(found, rig, options),
            aboutMemory(found, rig),
            aboutLimit(found, rig)};
}

} // namespace roundpipe::plan
