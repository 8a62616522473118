// SPDX-License-Identifier: GPL-3.0-or-later
// Its plan, and what becomes of it where a device is full.
#include "engine/training.h"

#include "base/error.h"
#include "base/log.h"
#include "base/units.h"
#include "engine/kept_kernels.h"
#include "engine/kept_times.h"
#include "session/run/trace_about.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace roundpipe::engine {

using session::Activity;
using session::ActivityCode;
using session::RunText;
using session::RunTextCode;

// Now, not after the minutes in which weights are read or made. The plan itself is made once they are there, of what is
// free then.
void Training::requirePlan() {
    report(ActivityCode::kPlanning);
    static_cast<void>(planOf(m_spec, *m_model, m_devices, m_content, soFar()));
}

// A step that takes ten times what was planned, and minutes beside, has a GPU that hangs. A CPU worker's may just have
// to wait for other programs.
void Training::makePlan() {
    FoundPlan found = planOf(m_spec, *m_model, m_devices, m_content, soFar());
    m_plan = std::move(found.plan);
    m_rig = std::move(found.rig);
    m_hangSeconds = onGpusOnly(m_devices) ? 300 + 10 * found.stepSeconds : 0;
}

RunSoFar Training::soFar() const {
    return {hostBytesHeld(), m_plan.numLayers == 0 ? m_replicasBefore : m_plan.replicas, m_memoryShares.ofDevices()};
}

// Weights, versions and moments are there before the plan that is carried out.
int64_t Training::hostBytesHeld() const {
    if (!m_store) return 0;
    int64_t bytes = m_store->bytes();
    for (const geometry::TrainedBlock& block : m_store->adapters().shapes()) {
        const geometry::TrainedBytes each(block, m_model->operandType);
        bytes += static_cast<int64_t>(geometry::kAdapterVersions) * each.version + each.masters +
                 static_cast<int64_t>(geometry::kMoments) * geometry::bytesOf(m_adamw->momentType(), block.numElements);
    }
    return bytes;
}

void Training::makePipeline() {
    report(ActivityCode::kPlanning);
    if (m_plan.numLayers == 0) makePlan();
    m_state.replicas = m_plan.replicas;
    report(ActivityCode::kAllocating);
    std::vector<device::Device*> devices;
    for (const auto& device : m_devices)
        devices.push_back(device.get());
    m_pipeline = std::make_unique<pipeline::Pipeline>(
        pipeline::Pipeline::Parts{*m_model, m_plan, devices, *m_store, *m_still, &m_recorder}, pipelineOptions());
    warnOfUnlocked(m_pipeline->unlockedBytes());
}

pipeline::PipelineOptions Training::pipelineOptions() const {
    pipeline::PipelineOptions options;
    options.step = m_content;
    options.maxGradNorm = m_spec.optimizer.maxGradNorm;
    options.seed = static_cast<uint64_t>(m_spec.seed);
    options.deterministic = m_spec.engine.determinism == Determinism::kStrict;
    options.updates = m_spec.optimizer.updates;
    options.firstStep = m_state.step;
    options.lossScale = m_state.lossScale.value_or(LossScale());
    options.hangSeconds = m_hangSeconds;
    return options;
}

pipeline::Pipeline& Training::pipeline() {
    if (!m_pipeline) makePipeline();
    report(std::vector<Activity>());
    return *m_pipeline;
}

void Training::warnOfUnlocked(int64_t bytes) {
    if (bytes > 0) m_board.warning({RunText(RunTextCode::kNotPageLocked, formatBytes(bytes))});
}

// Other programs may have taken memory, or LibTorch's kernels more than the plan thought: what is free now counts, and
// of the device that was full less each time. Devices are opened anew, as a fault on them is for good. Weights are
// those after the last step that is done, so the next one is what failed.
bool Training::tighten(const device::DeviceFull& full) {
    m_underWay.reset();
    m_pipeline.reset();
    m_watch.reset();
    m_devices.clear();
    openDevices();
    const double share = m_memoryShares.lessen(full.device(), m_devices.size());
    try {
        makePlan();
    } catch (const Error& error) {
        log::warning(error.message());
        return false;
    }
    if (m_feeder) m_feeder.emplace(*m_batcher, m_state.step, m_totalSteps);
    log::warning(fmt::format("{} The next plan: {}.", full.message(), m_plan.describe()));
    m_folder.note(runs::JournalEvent::kRemedy, m_state.step, {}, full.message());
    m_board.warning({RunText(RunTextCode::kTightened, m_devices[full.device().index()]->name(),
                             static_cast<int64_t>(std::lround(100 * share)))});
    if (m_announced) tellPlan();
    return true;
}

void Training::tellPlan() {
    session::RunPlan plan;
    plan.plan = m_plan;
    plan.lanes = m_lanes;
    plan.model = arch::outlineOf(m_modelSpec);
    for (const geometry::LayerLayout& layout : layouts()) {
        plan.layerNames.push_back(layout.spec.name);
        plan.layerBytes.push_back(layout.base.slotBytes);
    }
    plan.numTrainableParameters = m_model->numTrainedParameters();
    for (const auto& device : m_devices)
        plan.devices.push_back({device->name(), device->kind() == device::DeviceKind::kCuda, device->memoryBytes()});
    plan.numExamples = m_dataset->training().size();
    plan.numValidationExamples = m_dataset->validation().size();
    plan.numDroppedRows = static_cast<int64_t>(m_dataset->dropped().size());
    plan.totalSteps = m_totalSteps;
    plan.stepsDone = m_state.step;
    const batch::EpochDraws& draws = m_batcher->steps().draws();
    plan.tokensPerEpoch = std::llround(draws.tokensPerEpoch());
    plan.trainedTokensPerEpoch = std::llround(draws.trainedPerEpoch());
    m_folder.planned(plan);
    if (m_spec.output.saveTrace && !m_announced) {
        if (m_state.step > 0) m_folder.keepEarlierTrace(m_state.step);
        m_trace.beginFile(m_folder.files().trace(), m_lanes, session::aboutOf(m_spec, plan));
    }
    m_board.planReady(std::move(plan));
    m_announced = true;
}

void Training::rememberTimes(int64_t firstStep) {
    keepKernels();
    if (!m_memoryShares.areWhole() || m_stepSeconds.size() < 2) return; // parts by another plan, or all is warm-up
    plan::Rig rig = m_rig;
    for (std::size_t d = 0; d < m_devices.size(); ++d)
        rig.devices[d].name = m_devices[d]->name();
    keepTimes({m_spec, m_modelSpec, m_content, m_plan, std::move(rig), onGpusOnly(m_devices), m_stepSeconds,
               static_cast<int32_t>(firstStep)},
              m_trace);
}

} // namespace roundpipe::engine
