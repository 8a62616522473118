// SPDX-License-Identifier: GPL-3.0-or-later
// Until its first step.
#include "engine/training.h"

#include "arch/checkpoint.h"
#include "base/error.h"
#include "base/log.h"
#include "device/open_devices.h"
#include "engine/chat/model_text.h"
#include "engine/dataset_reader.h"
#include "engine/going_on.h"
#include "engine/kept_kernels.h"
#include "pipeline/parameters.h"
#include "runs/changes.h"
#include "session/spec/run_shape.h"
#include "session/spec/trainable_weights.h"
#include "session/spec_remark.h"
#include "transfer/load_checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace roundpipe::engine {

using session::Activity;
using session::ActivityCode;
using session::RunText;
using session::RunTextCode;

namespace {

// Who reads a checkpoint's files takes them for a model's, or an adapter's.
template <class Read>
void namingCheckpoint(const std::filesystem::path& folder, const Read& read) {
    try {
        read();
    } catch (const Error& error) {
        throw Error(
            error.kind(), "The run cannot go on from '" + folder.string() + "'. " + error.message(),
            "The checkpoint is damaged, or was changed. Begin a run anew; where another one beside it is whole, "
            "from that (on the command line: --start-from).");
    }
}

} // namespace

void Training::prepare(bool acceptsChanges, bool trainsOn) {
    const auto say = [this](const Activity& activity) { return report({activity}); };
    openModel();
    DatasetReader rows(m_spec, *m_text);
    makeDevicesAndModel();
    if (!m_spec.model.randomWeights) arch::Checkpoint::open(m_modelFiles.folder).requireAll(m_modelSpec.layers);
    if (m_folder.resumesFrom()) takeUpCheckpoint(acceptsChanges);
    useDataset(rows.take(say));
    requirePlan();
    loadWeights(say);
    m_fingerprint.emplace(m_spec, m_modelFiles, m_folder.resumesFrom(), *m_dataset); // reads the same files
    if (const auto& before = m_folder.resumesFrom(); before && before->state.fingerprint)
        require(runs::changedContent(*before, m_spec, m_fingerprint->get()), acceptsChanges);
    goOnAfterEarlyEnd(trainsOn);
    withinMemory([this] { makePipeline(); });
    announce();
}

void Training::openModel() {
    report(ActivityCode::kReadingModel);
    m_modelFiles = runs::modelFilesOf(m_spec, m_folder.resumesFrom());
    if (m_modelFiles.ofCheckpoint)
        m_board.warning({RunText(RunTextCode::kModelGone, m_spec.model.path, m_modelFiles.folder)});
    m_modelSpec = arch::makeModelSpec(arch::readModelConfig(m_modelFiles.folder));
    if (m_spec.method == Method::kFull) arch::requireWholeTrainable(m_modelSpec.config);
    session::requireFormatFor(m_modelSpec.config, m_spec.model.weights);
    m_text = openModelText(m_modelFiles.folder, m_modelFiles.chatTemplate);
    if (const int64_t rows = m_modelSpec.config.vocabSize; m_text->tokenizer.vocabSize() > rows)
        m_board.warning({RunText(RunTextCode::kMoreTokensThanRows, m_text->tokenizer.vocabSize(), rows)});
}

void Training::openDevices() {
    device::DeviceContext context;
    context.recorder = &m_recorder;
    context.onSpan = m_onSpan;
    m_devices = device::openDevices(m_spec.engine.devices, context);
    recallKernels();
    m_watch.emplace(m_devices, m_recorder, m_trace, m_board);
}

void Training::makeDevicesAndModel() {
    report(ActivityCode::kOpeningDevices);
    openDevices();
    std::vector<std::string> names;
    for (const auto& device : m_devices)
        names.push_back(device->name());
    m_lanes = trace::makeLanes(names);
    m_model = model::makeModel(m_modelSpec, session::trainedOf(m_spec),
                               operandTypeOf(m_spec.engine.precision, onGpusOnly(m_devices)), m_spec.model.weights);
    for (const auto& device : m_devices)
        model::requireTrainableOn(*m_model, device->kind() == device::DeviceKind::kCuda);
}

// The same seed gives the same rows in the same order, and the same draws.
void Training::takeUpCheckpoint(bool acceptsChanges) {
    const runs::FoundCheckpoint& found = *m_folder.resumesFrom();
    const std::filesystem::path& folder = found.folder;
    if (!found.state.fingerprint) m_board.warning({RunText(RunTextCode::kCheckpointUnchecked, folder.string())});
    requireSameTensors(found, m_spec);
    require(acceptableChanges(found, m_spec), acceptsChanges);
    m_state = found.state;
    m_replicasBefore = m_state.replicas;
}

void Training::require(const std::vector<std::string>& changes, bool areAccepted) {
    if (changes.empty()) return;
    if (areAccepted) {
        const std::string all = fmt::format("{}", fmt::join(changes, " "));
        m_folder.note(runs::JournalEvent::kRemedy, m_folder.resumesFrom()->state.step, {}, "Accepted: " + all);
        return m_board.warning({RunText(RunTextCode::kChangesAccepted, all)});
    }
    throw notAsItBegan(changes);
}

void Training::useDataset(data::Dataset dataset) {
    m_dataset = std::move(dataset);
    for (const session::DroppedRow& row : m_dataset->dropped())
        log::info("dropped " + row.text);
    log::info(m_dataset->stats().summary());
    if (!m_dataset->dropped().empty())
        m_board.warning({RunText(RunTextCode::kAsSaid, fmt::format("{}. The first: {}", m_dataset->stats().summary(),
                                                                   m_dataset->dropped().front().text))});
    if (const int64_t turns = m_dataset->stats().numTurnsWithoutEnd; turns > 0)
        m_board.warning({RunText(RunTextCode::kAnswersWithoutEnd, turns)});
    m_content = settleSteps(m_spec, m_modelSpec, m_devices, *m_dataset);
    m_batcher.emplace(m_dataset->training(), session::stepRulesOf(m_spec), session::drawOrderOf(m_spec),
                      session::sharesOf(m_spec));
    m_totalSteps = m_batcher->steps().total(m_spec.duration.epochs, m_spec.duration.maxSteps);
    requireSteps(m_state.step, m_totalSteps);
    m_schedule = session::scheduleOf(m_spec, m_totalSteps);
}

void Training::loadWeights(const Report& report) {
    const bool pinned = std::ranges::any_of(m_devices, [](const auto& device) { return device->pinnedHost(); });
    m_store = std::make_unique<transfer::HostWeightStore>(layouts(), m_model->operandType, pinned);
    fillStore(*m_store, m_spec, m_modelFiles, m_folder.resumesFrom().has_value(), report);
    warnOfUnlocked(m_store->unlockedBytes());

    const session::OptimizerSection& optimizer = m_spec.optimizer;
    m_adamw = std::make_unique<optim::AdamW>(
        optim::AdamWConfig{optimizer.beta1, optimizer.beta2, optimizer.epsilon, optimizer.weightDecay,
                           static_cast<uint64_t>(m_spec.seed)},
        m_store->adapters().masterType(), momentTypeOf(optimizer.moments, m_model->operandType),
        pipeline::parametersOf(m_store->adapters()));
    m_still = std::make_unique<optim::StillLayers>(*m_adamw);
    m_state.seed = m_spec.seed;
    if (const auto& found = m_folder.resumesFrom())
        namingCheckpoint(found->folder, [&] { readWeights(found->folder); });
    m_saver.emplace(RunSaver::Sources{m_spec, m_modelFiles, m_folder, m_board, *m_model, *m_store, *m_adamw, *m_still,
                                      m_fingerprint});
}

void Training::readWeights(const std::filesystem::path& folder) {
    const DType dtype = m_store->adapters().masterType();
    const DType moments = m_adamw->momentType();
    artifact::AdapterSpans<std::byte> masters{dtype, {}}, first{moments, {}}, second{moments, {}};
    for (const geometry::LayerLayout& layout : layouts()) {
        masters.layers.push_back(m_store->adapters().masters(layout.spec.id));
        first.layers.push_back(m_adamw->firstMoment(layout.spec.id));
        second.layers.push_back(m_adamw->secondMoment(layout.spec.id));
    }
    if (const DType had = artifact::readMoments(folder, layouts(), first, second); had != moments)
        m_board.warning({RunText(RunTextCode::kMomentsConverted, toString(had), toString(moments))});
    if (isStale() && artifact::readVersionBefore(folder, layouts(), masters)) m_store->adapters().publishAll();
    if (m_model->trained.base)
        transfer::loadCheckpoint(*m_store, arch::Checkpoint::open(folder), {});
    else
        artifact::readAdapterWeights(folder, layouts(), masters);
    m_store->adapters().publishAll();
}

void Training::announce() {
    followFolder();
    tellPlan();
    for (const session::SpecRemark& remark :
         session::remarksOn(m_spec, m_modelSpec.config.maxPositions, session::sourceOf({}, m_content),
                            m_folder.resumesFrom().has_value()))
        m_board.warning({remark.text});
    m_saver->warnOfLittleRoom();
}

} // namespace roundpipe::engine
