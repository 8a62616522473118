// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_json.h"

#include "arch/layers.h"
#include "arch/model_config.h"
#include "base/error.h"
#include "base/file.h"
#include "plan/cost/step_flops.h"
#include "plan/rig/rig_file.h"
#include "plan/search/model_choice.h"
#include "session/spec/run_shape.h"
#include "trace/analysis/comparison.h"
#include "trace/analysis/link_use.h"

#include <algorithm>
#include <map>
#include <vector>

namespace roundpipe::cli {
namespace {

using Json = nlohmann::ordered_json;

// What is measured: from the end of one step to that of a later one.
class BenchReport {
public:
    BenchReport(const BenchRun& run, int64_t warmUpSteps) : m_run(run) {
        std::map<int64_t, int64_t> ends; // by step, counted from 0
        for (const trace::StepSpan& span : trace::stepsOf(run.trace.allSlices(), run.trace.lanes()))
            ends[span.step] = span.endNs;
        RP_CHECK(warmUpSteps >= 1 && std::ssize(run.steps) > warmUpSteps && ends.size() >= run.steps.size());
        m_beginNs = m_endNs = ends.at(warmUpSteps - 1);
        for (int64_t step = warmUpSteps; step < std::ssize(run.steps); ++step) {
            m_stepSeconds.push_back(1e-9 * static_cast<double>(ends.at(step) - m_endNs));
            m_tokens += static_cast<double>(run.steps[static_cast<std::size_t>(step)].tokens);
            m_endNs = ends.at(step);
        }
        m_statistics = trace::statisticsOf(run.trace, m_beginNs, m_endNs);
        m_whole = trace::statisticsOf(run.trace, run.trace.beginNs(), run.trace.endNs() + 1);
    }

    Json json() const {
        Json json = setting();
        json["tokens_per_step"] = m_tokens / numSteps();
        json["tokens_per_second"] = m_tokens / seconds();
        json["step_seconds"] = seconds() / numSteps();
        json["steps_seconds"] = m_stepSeconds;
        const plan::StepFlops flops = flopsOfAStep();
        json["flops_per_second"] = {{"needed", flops.needed * numSteps() / seconds()},
                                    {"with_recompute", flops.done * numSteps() / seconds()}};
        json["devices"] = Json::array();
        for (std::size_t d = 0; d < m_run.plan->devices.size(); ++d)
            json["devices"].push_back(device(d));
        const session::HostStatus& host = m_run.peaks.host;
        json["host"] = {{"process_bytes", host.processBytes},
                        {"own_bytes", m_run.ownBytes},
                        {"own_bytes_before", m_run.ownBytesBefore},
                        {"pinned_bytes", host.pinnedBytes},
                        {"optimizer_seconds_per_step", secondsPerStep(trace::Kind::kOptimizer)}};
        json["kinds"] = kinds();
        json["estimated"] = estimated();
        json["rig"] = Json::parse(plan::rigToJson(m_run.rig));
        json["config"] = Json::parse(readTextFile(std::filesystem::path(m_run.spec.model.path) / "config.json"));
        json["losses"] = Json::array();
        for (const session::StepMetrics& step : m_run.steps)
            json["losses"].push_back(step.loss);
        json["skipped_steps"] = std::ranges::count_if(m_run.steps, &session::StepMetrics::skipped);
        json["trace_records_dropped"] = m_run.numRecordsDropped;
        return json;
    }

private:
    double numSteps() const { return static_cast<double>(m_stepSeconds.size()); }
    double seconds() const { return 1e-9 * static_cast<double>(m_endNs - m_beginNs); }

    Json setting() const {
        const session::RunSpec& spec = m_run.spec;
        const plan::Plan& plan = m_run.plan->plan;
        Json forward = Json::array(), backward = Json::array({plan.fused.size()});
        for (const plan::LayerRange& stage : plan.forward)
            forward.push_back(stage.size());
        for (const plan::LayerRange& stage : plan.backward)
            backward.push_back(stage.size());
        return {{"version", ROUNDPIPE_VERSION},
                {"model", m_run.plan->modelText()},
                {"method", spellingOf(spec.method)},
                {"rank", spec.lora.rank},
                {"dropout", spec.lora.dropout},
                {"modules_to_save", spec.lora.modulesToSave},
                {"weights", spellingOf(spec.model.weights)},
                {"precision", toString(operandTypeOf(spec.engine.precision, onGpusOnly()))},
                {"determinism", spellingOf(spec.engine.determinism)},
                {"max_length", spec.data.maxLength},
                {"microbatch_size", session::stepRulesOf(spec).microbatchSize},
                {"microbatches", spec.batch.microbatches},
                {"rounds", spec.batch.rounds},
                {"forward_stages", forward},
                {"backward_stages", backward},
                {"saving", savings(plan)},
                {"table_restarts", plan.tableRestarts},
                {"prefetch_depth", plan.prefetchDepth},
                {"keeps_packets", plan.keepsPackets},
                {"replicas", plan.replicas},
                {"moments", spellingOf(spec.optimizer.moments)},
                {"updates", spellingOf(spec.optimizer.updates)},
                {"steps", m_stepSeconds.size()},
                {"warm_up_steps", m_run.steps.size() - m_stepSeconds.size()}};
    }

    // By layer; none where all is saved of each.
    static Json savings(const plan::Plan& plan) {
        Json json = Json::array();
        for (const geometry::LayerSaving saving : plan.saving)
            json.push_back(saving.spelling());
        return json;
    }

    bool onGpusOnly() const { return std::ranges::all_of(m_run.plan->devices, &session::DeviceInfo::isGpu); }

    arch::ModelSpec model() const { return arch::makeModelSpec(arch::readModelConfig(m_run.spec.model.path)); }
    batch::StepContent content() const { return session::stepContentOf(m_run.spec, {}); }

    plan::StepFlops flopsOfAStep() const {
        return plan::stepFlops(model(), session::trainingShapeOf(m_run.spec, content(), onGpusOnly()), m_run.plan->plan,
                               content().usualMicrobatches());
    }

    // What the planner says of the plan that ran, from the rates of its devices alone.
    Json estimated() const {
        plan::ModelRequest request = session::planRequestOf(m_run.spec, model(), m_run.rig, content());
        request.given = m_run.plan->plan;
        request.profiles.clear();
        const plan::ModelChoice found = plan::chooseForModel(request);
        const plan::Simulated& step = found.choice.step;
        Json devices = Json::array();
        for (std::size_t d = 0; d < found.choice.deviceMemory.size(); ++d) {
            const plan::DeviceMemoryTable& memory = found.choice.deviceMemory[d];
            devices.push_back({{"peak_bytes", memory.ownBytes()},
                               {"gradient_bytes", memory.gradients}, // of them
                               {"bytes_with_driver_and_libraries", memory.total()},
                               {"busy_share", step.busySeconds[d] / step.stepSeconds},
                               {"up_bytes_per_step", step.bytesUp[d]},
                               {"down_bytes_per_step", step.bytesDown[d]}});
        }
        return {{"step_seconds", step.stepSeconds},
                {"tokens_per_second", found.tokensPerSecond},
                {"bubble_share", step.bubbleShare},
                {"host_pinned_bytes", found.choice.hostMemory.pinned},
                {"host_pageable_bytes", found.choice.hostMemory.pageable},
                {"devices", devices}};
    }

    Json link(double bytes, int64_t inUseNs) const {
        const double inUse = 1e-9 * static_cast<double>(inUseNs);
        return {{"bytes_per_step", bytes / numSteps()},
                {"bytes_per_second", bytes / seconds()},
                {"bytes_per_second_in_use", inUse > 0 ? bytes / inUse : 0},
                {"share_in_use", inUse / seconds()}};
    }

    Json device(std::size_t d) const {
        const session::DeviceInfo& info = m_run.plan->devices[d];
        const DeviceId id(static_cast<int32_t>(d));
        const auto isIt = [id](const trace::DeviceStatistics& device) { return device.device == id; };
        const trace::DeviceStatistics& measured = *std::ranges::find_if(m_statistics.devices, isIt);
        const trace::LinkUse use = trace::linkUseOf(m_run.trace, id, m_beginNs, m_endNs);
        Json idle = Json::object();
        for (const trace::IdleStatistics& wait : measured.idle)
            idle[trace::toString(wait.reason)] = 1e-9 * static_cast<double>(wait.totalNs) / seconds();
        Json json = {{"name", info.name},
                     {"memory_bytes", info.memoryBytes},
                     {"peak_bytes", std::ranges::find_if(m_whole.devices, isIt)->peakBytes},
                     {"resident", residentLayers(d)},
                     {"busy_share", measured.busyShare},
                     {"bubble_share", measured.bubbleShare},
                     {"idle_shares", idle},
                     {"up", link(measured.bytesUp, use.upNs)},
                     {"down", link(measured.bytesDown, use.downNs)}};
        if (d < m_run.peaks.devices.size() && m_run.peaks.devices[d].gpu) {
            const GpuReading& gpu = *m_run.peaks.devices[d].gpu;
            if (gpu.usedBytes) json["used_bytes_of_all_programs"] = *gpu.usedBytes;
            if (gpu.temperatureCelsius) json["celsius"] = *gpu.temperatureCelsius;
            if (gpu.powerWatts) json["watts"] = *gpu.powerWatts;
        }
        return json;
    }

    Json residentLayers(std::size_t d) const {
        Json json = Json::array();
        for (int32_t layer = 0; layer < m_run.plan->plan.numLayers; ++layer)
            if (m_run.plan->plan.isResident(DeviceId(static_cast<int32_t>(d)), layer)) json.push_back(layer);
        return json;
    }

    double secondsPerStep(trace::Kind kind) const {
        const auto found = std::ranges::find(m_statistics.kinds, kind, &trace::KindStatistics::kind);
        if (found == m_statistics.kinds.end()) return 0;
        return 1e-9 * static_cast<double>(found->totalNs) / numSteps();
    }

    // Of all devices together; what lies at once counts as often.
    Json kinds() const {
        Json json = Json::object();
        for (const trace::KindStatistics& kind : m_statistics.kinds)
            if (trace::isWork(kind.kind) || kind.kind == trace::Kind::kWait)
                json[trace::toString(kind.kind)] = {{"seconds_per_step", secondsPerStep(kind.kind)},
                                                    {"slices_per_step", static_cast<double>(kind.count) / numSteps()},
                                                    {"bytes_per_step", kind.bytes / numSteps()}};
        return json;
    }

    const BenchRun& m_run;
    int64_t m_beginNs = 0, m_endNs = 0;
    std::vector<double> m_stepSeconds;
    double m_tokens = 0;
    trace::RangeStatistics m_statistics; // of the measured steps
    trace::RangeStatistics m_whole;
};

} // namespace

nlohmann::ordered_json benchJson(const BenchRun& run, int64_t warmUpSteps) {
    return BenchReport(run, warmUpSteps).json();
}

} // namespace roundpipe::cli
