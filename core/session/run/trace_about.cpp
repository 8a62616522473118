// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run/trace_about.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::session {
namespace {

std::string cutsOf(const plan::Plan& plan) {
    return fmt::format("{} forward, one fused, {} backward", plan.forward.size(), plan.backward.size());
}

} // namespace

trace::TraceAbout aboutOf(const RunSpec& spec, const RunPlan& plan) {
    trace::TraceAbout about{plan.layerNames, {}};
    const auto add = [&](const char* name, std::string value) { about.facts.push_back({name, std::move(value)}); };
    add("model", plan.modelText());
    if (!spec.name.empty()) add("run", spec.name);
    for (const DeviceInfo& device : plan.devices)
        add("device", device.name);
    add("stages", cutsOf(plan.plan));
    add("steps", fmt::format("{} to {}", plan.stepsDone + 1, plan.totalSteps));
    add("microbatches of a step", std::to_string(spec.batch.microbatches));
    add("max_length", std::to_string(spec.data.maxLength));
    add("precision", spellingOf(spec.engine.precision));
    add("lora.rank", std::to_string(spec.lora.rank));
    if (!spec.lora.modulesToSave.empty())
        add("lora.modules_to_save", fmt::format("{}", fmt::join(spec.lora.modulesToSave, ", ")));
    return about;
}

} // namespace roundpipe::session
