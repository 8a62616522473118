// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/planning/plan_export.h"

#include "plan/rig/rig_file.h"
#include "session/planning/disk_use.h"
#include "session/spec/fix_options.h"
#include "trace/files/chrome_trace.h"
#include "trace/files/timeline_svg.h"
#include "trace/files/trace_file.h"
#include "trace/store/lane_store.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace roundpipe::session {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson memoryJson(const plan::DeviceMemoryTable& memory, const plan::DeviceSpec& device) {
    return {{"device", device.name},         {"weights", memory.weights},
            {"residents", memory.residents}, {"activations", memory.activations},
            {"gradients", memory.gradients}, {"workspace", memory.workspace},
            {"batches", memory.batches},     {"context", memory.context},
            {"total", memory.total()},       {"free", device.memoryBytes - memory.total()}};
}

OrderedJson rivalJson(const plan::Rival& rival, const PlanAnswer& answer) {
    OrderedJson json = {
        {"schedule", spellingOf(rival.schedule)}, {"how", rival.how()}, {"can_run", rival.problem.empty()}};
    if (!rival.problem.empty()) json["problem"] = rival.problem.text();
    if (rival.step.stepSeconds > 0) {
        json["step_seconds"] = rival.step.stepSeconds;
        json["tokens_per_second"] = static_cast<double>(answer.tokensPerStep) / rival.step.stepSeconds;
        json["bubble_share"] = rival.step.bubbleShare;
        json["most_memory"] = mostMemory(rival.deviceMemory);
    }
    return json;
}

OrderedJson stageJson(const PlannedStage& planned) {
    return {{"stage", planned.stage.id.value},
            {"kind", toString(planned.stage.kind)},
            {"first_layer", planned.stage.layers.begin},
            {"end_layer", planned.stage.layers.end},
            {"devices", planned.devices},
            {"weight_bytes", planned.weightBytes},
            {"upload_bytes", planned.uploadBytes},
            {"seconds_per_microbatch", planned.seconds},
            {"resident_layers", planned.numResident},
            {"layers_without_gate_up", planned.saved.withoutGateUp},
            {"layers_input_only", planned.saved.inputOnly},
            {"layers_on_host", planned.saved.onHost()},
            {"layers_without_gate_up_on_host", planned.saved.withoutGateUpOnHost},
            {"layers_input_on_host", planned.saved.inputOnHost}};
}

// Of changes that are made together. All that the machine needs is in the rig of any of them.
OrderedJson changesJson(std::span<const plan::Fix> fixes, const PlanAnswer& answer, const RunSpec& spec) {
    const std::vector<std::vector<std::string>> options = optionsOf(fixes, spec);
    OrderedJson changes = OrderedJson::array();
    for (std::size_t i = 0; i < fixes.size(); ++i) {
        changes.push_back({{"change", fixes[i].change()}, {"cost", fixes[i].cost()}, {"options", options[i]}});
        if (options[i].empty())
            changes.back()["rig"] = OrderedJson::parse(plan::rigToJson(changedRig(fixes, answer.rig)));
    }
    return changes;
}

void addMemory(OrderedJson& json, const PlanAnswer& answer, const RunSpec& spec) {
    const plan::EvaluatedPlan& choice = answer.choice;
    for (std::size_t d = 0; d < answer.rig.devices.size(); ++d)
        json["memory"]["devices"].push_back(memoryJson(choice.deviceMemory[d], answer.rig.devices[d]));
    json["memory"]["host"] = {{"pinned", choice.hostMemory.pinned},
                              {"pageable", choice.hostMemory.pageable},
                              {"total", choice.hostMemory.total()},
                              {"disk", choice.hostMemory.disk}};
    const plan::HostParts& parts = choice.hostMemory.parts;
    json["memory"]["host"]["parts"] = {{"weights", parts.weights},         {"optimizer", parts.optimizer},
                                       {"gradients", parts.gradients},     {"gradient_sums", parts.gradientSums},
                                       {"activations", parts.activations}, {"rows", parts.rows}};
    const DiskUse disk = diskUseOf(spec, answer, 0);
    json["memory"]["host"]["disk_parts"] = {
        {"last_and_best", disk.checkpoints}, {"earlier_checkpoints", disk.earlier}, {"result", disk.result}};
}

void addPlan(OrderedJson& json, const PlanAnswer& answer, const RunSpec& spec) {
    const plan::EvaluatedPlan& choice = answer.choice;
    json["step"] = {{"max_length", answer.training.maxLength},
                    {"microbatch_size", answer.training.sequences},
                    {"microbatches", choice.shape.roundSize},
                    {"microbatches_chosen", answer.choseMicrobatches},
                    {"rounds", choice.shape.rounds},
                    {"replicas", choice.plan.replicas},
                    {"one_step_stale", choice.shape.oneStepStale},
                    {"weights", spellingOf(answer.training.weights)},
                    {"tokens", answer.tokensPerStep}};
    if (answer.training.tokenLimit > 0) json["step"]["microbatch_tokens"] = answer.training.tokenLimit;
    if (const int32_t usual = choice.shape.numMicrobatches(); usual < choice.shape.mostMicrobatches())
        json["step"]["usual_microbatches"] = usual;
    json["times_from"] = answer.timesFrom;
    json["predicted"] = {
        {"step_seconds", choice.step.stepSeconds}, {"tokens_per_second", answer.tokensPerSecond},
        {"bubble_share", choice.step.bubbleShare}, {"fastest_thinkable_seconds", choice.fastestThinkable},
        {"busy_seconds", choice.step.busySeconds}, {"bytes_up", choice.step.bytesUp},
        {"bytes_down", choice.step.bytesDown}};
    for (const PlannedStage& planned : answer.stages)
        json["stages"].push_back(stageJson(planned));
    addMemory(json, answer, spec);
    if (!answer.explanation.empty()) json["why"] = answer.explanation;
    for (const plan::Rival& rival : answer.rivals)
        json["compared"].push_back(rivalJson(rival, answer));
}

} // namespace

std::string planJson(const PlanAnswer& answer, const RunSpec& spec, const std::vector<std::string>& notes) {
    OrderedJson json;
    json["model"] = answer.model.text();
    if (!notes.empty()) json["notes"] = notes;
    for (const ExportRemark& refusal : answer.refusals)
        json["refusals"].push_back(refusal.text());
    json["rig"] = OrderedJson::parse(plan::rigToJson(answer.rig));
    json["fits"] = answer.problem.empty();
    if (!answer.problem.empty()) json["problem"] = answer.problem.text();
    for (const plan::Fix& fix : answer.fixes)
        json["fixes"].push_back(changesJson({&fix, 1}, answer, spec).front());
    if (!answer.together.empty()) json["together"] = changesJson(answer.together, answer, spec);
    if (answer.faster) json["faster"] = changesJson({&*answer.faster, 1}, answer, spec).front();
    if (answer.hasPlan && answer.problem.obstacle == plan::Misfit::Obstacle::kSmallestPlan)
        addMemory(json, answer, spec); // no more can be said of a plan that can't be
    else if (answer.hasPlan)
        addPlan(json, answer, spec);
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string planSvg(const PlanAnswer& answer, const std::string& title, const std::vector<std::string>& facts) {
    const PredictedTimeline& timeline = *answer.timeline;
    trace::TimelineSvgOptions options;
    options.title = title;
    options.facts = facts;
    options.fromNs = timeline.steadyFromNs;
    options.toNs = timeline.steadyToNs;
    return trace::timelineSvg(timeline.records, timeline.lanes, options);
}

void writePlanTrace(const PlanAnswer& answer, const Destination& to) {
    trace::TraceAbout about;
    for (const PlannedLayer& layer : answer.layers)
        about.layerNames.push_back(layer.name);
    about.facts = {{"model", answer.model.text()}, {"predicted for", answer.rig.name}};
    trace::LaneStore store(answer.timeline->lanes, 0, std::move(about));
    store.append(answer.timeline->records);
    if (to.path.extension() == trace::kTraceExtension)
        trace::writeTraceFile(store.snapshot(), to);
    else
        trace::writeChromeTrace(store.snapshot(), to);
}

int64_t mostMemory(const std::vector<plan::DeviceMemoryTable>& devices) {
    int64_t most = 0;
    for (const plan::DeviceMemoryTable& memory : devices)
        most = std::max(most, memory.total());
    return most;
}

} // namespace roundpipe::session
