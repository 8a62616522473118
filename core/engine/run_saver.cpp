// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run_saver.h"

#include "artifact/adapter.h"
#include "artifact/model_folder.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/thread_team.h"
#include "base/units.h"
#include "device/host_memory.h"
#include "engine/room_on_disk.h"
#include "runs/checkpoint_manifest.h"
#include "runs/own_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <utility>
#include <vector>

namespace roundpipe::engine {

using session::RunText;
using session::RunTextCode;

namespace {

// Nothing where `write` succeeds; what is not the disk's fault is thrown.
template <class Write>
std::optional<Error> failureOf(const RunFolder& folder, const Write& write) {
    try {
        write();
    } catch (const Error& error) {
        const auto shown = [&] {
            return Error(error.kind(), folder.shown(error.message()), folder.shown(error.advice()));
        };
        if (error.kind() == ErrorKind::kInvalidInput) throw shown();
        if (error.kind() != ErrorKind::kNoSpace && error.kind() != ErrorKind::kIo) throw;
        return shown();
    }
    return std::nullopt;
}

bool isOnTheDisk(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(folder, ignored);
}

// Of what stood at `target`, until it is known whose it is.
std::filesystem::path placeOfReplaced(const std::filesystem::path& target) {
    return target.string() + ".part.replaced";
}

// What is to be done before the run can write there again; a sentence.
std::string remedyOf(const Error& why) {
    if (why.kind() == ErrorKind::kNoSpace) return "Make room there.";
    return why.advice().empty() ? "Put right what is in the way there." : why.advice();
}

} // namespace

void warnOfUnwritten(session::StatusBoard& board, const session::RunSpec& spec, RunText text, const Error& error) {
    log::info(text.text() + " " + error.message()); // for the run's log; who watches the run hears it as an event
    if (error.kind() == ErrorKind::kNoSpace)
        return board.warning({std::move(text), RunText(RunTextCode::kDiskFull, spec.output.folder,
                                                       formatBytes(freeBytes(spec.output.folder)))});
    board.warning({std::move(text), RunText(RunTextCode::kAsSaid, error.what())}); // with what to do
}

artifact::AdapterSpans<const std::byte> RunSaver::masters() const {
    artifact::AdapterSpans<const std::byte> blocks{m_from.store.adapters().masterType(), {}};
    for (const geometry::LayerLayout& layout : layouts())
        blocks.layers.push_back(m_from.store.adapters().masters(layout.spec.id));
    return blocks;
}

artifact::AdapterSpans<const std::byte> RunSaver::newestVersion() const {
    artifact::AdapterSpans<const std::byte> blocks{m_from.store.adapters().operandType(), {}};
    for (const geometry::LayerLayout& layout : layouts())
        blocks.layers.push_back(m_from.store.adapters().newest(layout.spec.id));
    return blocks;
}

artifact::AdapterSpans<const std::byte> RunSaver::versionBefore() const {
    artifact::AdapterSpans<const std::byte> blocks{m_from.store.adapters().operandType(), {}};
    for (const geometry::LayerLayout& layout : layouts())
        blocks.layers.push_back(m_from.store.adapters().versionBefore(layout.spec.id));
    return blocks;
}

artifact::AdapterOrigin RunSaver::origin(const runs::TrainingState& state) const {
    return {modelFolder(), m_from.modelFiles.chatTemplate, m_from.spec.model.baseModelId,
            m_from.spec.model.baseModelRevision, state.fingerprint ? state.fingerprint->weights : ""};
}

// A checkpoint that stands in for the model goes along with the run's folder, and gives way to newer ones, which hold
// the same.
std::filesystem::path RunSaver::modelFolder() const {
    const std::filesystem::path begun = m_from.modelFiles.folder;
    if (!m_from.modelFiles.ofCheckpoint) return begun;
    const runs::RunFiles& files = m_from.folder.files();
    for (std::filesystem::path now : {files.checkpoints() / begun.filename(), files.lastCheckpoint()})
        if (isOnTheDisk(now / "config.json")) return now;
    return files.bestCheckpoint();
}

RunSaver::RunSaver(const Sources& sources)
    : m_from(sources)
    , m_own(sources.folder.files(), sources.folder.run())
    , m_begunNs(steadyNowNs())
    , m_savedStep(sources.folder.resumesFrom() ? sources.folder.resumesFrom()->state.step : 0) {}

RunSaver::~RunSaver() {
    if (m_writing.valid()) m_writing.wait();
}

artifact::CheckpointBlocks RunSaver::blocks() const {
    artifact::CheckpointBlocks blocks{masters(), {m_from.adamw.momentType(), {}}, {m_from.adamw.momentType(), {}}};
    for (const geometry::LayerLayout& layout : layouts()) {
        blocks.firstMoments.layers.push_back(m_from.adamw.firstMoment(layout.spec.id));
        blocks.secondMoments.layers.push_back(m_from.adamw.secondMoment(layout.spec.id));
    }
    if (m_from.spec.optimizer.updates == Updates::kOneStepStale) blocks.versionBefore = versionBefore();
    return blocks;
}

// The memory is kept for the next one.
artifact::CheckpointBlocks RunSaver::copied(const artifact::CheckpointBlocks& blocks) {
    const int64_t bytes = artifact::bytesOf(blocks);
    if (m_copyBytes < bytes) m_copy = ZeroPages(bytes, "the copy of a checkpoint");
    m_copyBytes = std::max(m_copyBytes, bytes);
    artifact::CheckpointBlocks copy = blocks;
    struct Move {
        std::span<const std::byte> from;
        std::byte* to;
    };
    std::vector<Move> moves;
    std::byte* to = m_copy.data();
    const auto take = [&](artifact::AdapterSpans<const std::byte>& spans) {
        for (std::span<const std::byte>& layer : spans.layers) {
            moves.push_back({layer, to});
            layer = {to, layer.size()};
            to += layer.size();
        }
    };
    for (auto* spans : {&copy.masters, &copy.firstMoments, &copy.secondMoments})
        take(*spans);
    if (copy.versionBefore) take(*copy.versionBefore);
    forEachIndex(std::ssize(moves), 0, [&](int64_t i) {
        const Move& move = moves[static_cast<std::size_t>(i)];
        std::ranges::copy(move.from, move.to);
    });
    return copy;
}

artifact::CheckpointBlocks RunSaver::held(artifact::CheckpointBlocks blocks) const {
    std::vector<std::vector<std::span<const std::byte>>> layers;
    for (std::size_t l = 0; l < blocks.masters.layers.size(); ++l) {
        layers.push_back({blocks.masters.layers[l], blocks.firstMoments.layers[l], blocks.secondMoments.layers[l]});
        if (blocks.versionBefore) layers.back().push_back(blocks.versionBefore->layers[l]);
    }
    m_from.still.hold(layers);
    blocks.read = [this](std::span<const std::byte> bytes) { return m_from.still.read(bytes); };
    return blocks;
}

// As they are now, whatever training does; none where there is no memory for that.
std::optional<artifact::CheckpointBlocks> RunSaver::unchanging(const artifact::CheckpointBlocks& blocks) {
    try {
        if (!m_from.model.trained.base) return copied(blocks);
        if (artifact::bytesOf(blocks) <= device::availableHostBytes() / 2) return held(blocks);
    } catch (const Error& error) {
        log::warning(error.message());
    }
    return std::nullopt;
}

// What it holds of others is kept, and said.
void RunSaver::giveUp(const std::filesystem::path& folder, const std::filesystem::path& nameAside) const {
    if (auto kept = m_from.folder.giveUp(folder, nameAside)) m_from.board.warning({std::move(*kept)});
}

void RunSaver::clearDraft(const std::filesystem::path& target) const {
    const std::filesystem::path draft = target.string() + ".part";
    giveUp(draft, draft);
    clearReplaced(target);
}

// Of another run is what was put there while the new one was written.
void RunSaver::clearReplaced(const std::filesystem::path& target) const {
    const std::filesystem::path replaced = placeOfReplaced(target);
    if (isOnTheDisk(replaced) && !m_own.knows(replaced))
        m_from.board.warning({m_from.folder.keepAside(replaced, target)});
    else
        giveUp(replaced, target);
}

void RunSaver::keepOfOthers(const std::filesystem::path& checkpoint, const std::filesystem::path& nameAside) const {
    if (isOnTheDisk(checkpoint) && !m_own.knows(checkpoint))
        m_from.board.warning({m_from.folder.keepAside(checkpoint, nameAside)});
}

void RunSaver::keepCheckpointsOfOthers() const {
    const runs::RunFiles files = m_from.folder.held();
    for (const std::filesystem::path& checkpoint : {files.lastCheckpoint(), files.bestCheckpoint()})
        keepOfOthers(checkpoint, checkpoint);
    for (const std::string& name : runs::earlierCheckpoints(files))
        keepOfOthers(files.checkpoints() / name, files.checkpoints() / name);
}

// Under a draft's name first: what is half deleted is never taken for a checkpoint. What others put there is kept.
void RunSaver::removeAside(const std::filesystem::path& checkpoint) const {
    keepOfOthers(checkpoint, checkpoint);
    const std::filesystem::path aside = checkpoint.string() + ".part";
    giveUp(aside, aside);
    if (!runs::holdsOnlyOwnFiles(checkpoint)) return giveUp(checkpoint, checkpoint);
    std::error_code ignored;
    std::filesystem::rename(checkpoint, aside, ignored);
    giveUp(aside, checkpoint);
}

// None where there is no whole one, or one of the same step.
std::filesystem::path RunSaver::placeOfOld(const std::filesystem::path& folder, int64_t step) const {
    const runs::RunFiles files = m_from.folder.held();
    if (folder != files.lastCheckpoint() || m_from.spec.output.keepCheckpoints < 2 || !runs::hasTrainingState(folder) ||
        !runs::damageOf(folder, runs::LookAt::kSizes).empty())
        return {};
    const int64_t before = runs::readTrainingState(folder).step;
    if (before == step) return {};
    const std::filesystem::path place = files.earlierCheckpoint(before);
    removeAside(place);
    return place;
}

void RunSaver::removeEarlier(int64_t keep) const {
    const runs::RunFiles files = m_from.folder.held();
    const std::vector<std::string> earlier = runs::earlierCheckpoints(files);
    for (int64_t i = 0; i < std::ssize(earlier) - keep; ++i)
        removeAside(files.checkpoints() / earlier[static_cast<std::size_t>(i)]);
}

// The disk is asked before anything is written. Earlier checkpoints give way to a new one.
void RunSaver::makeRoom(int64_t bytes) const {
    const std::filesystem::path folder = m_from.folder.held().folder;
    for (int64_t left = std::ssize(runs::earlierCheckpoints(m_from.folder.held()));
         left > 0 && freeBytes(folder) < bytes; --left)
        removeEarlier(left - 1);
    if (freeBytes(folder) < bytes)
        throw Error(ErrorKind::kNoSpace, checkpointTooLarge(bytes, folder).text(),
                    "Free some disk space or choose another folder.");
}

void RunSaver::warnOfLittleRoom() const {
    auto words = littleRoomFor(m_from.spec, m_from.model, m_from.modelFiles, m_from.folder.resumesFrom().has_value(),
                               m_from.folder.files().folder);
    if (!words.empty()) m_from.board.warning(std::move(words));
}

void RunSaver::write(const std::filesystem::path& folder, const runs::TrainingState& state,
                     const artifact::CheckpointBlocks& blocks, const std::string& runSpec) {
    const int64_t begunNs = steadyNowNs();
    if (!m_from.folder.isInPlace()) throw ioError("write", folder, ENOENT); // not into two: the next one goes along
    makeRoom(artifact::bytesOf(blocks));
    const std::filesystem::path curves = m_from.folder.held().metrics(); // of the steps before what is kept
    if (std::filesystem::exists(curves)) flushToDisk(curves);
    clearDraft(folder);
    keepOfOthers(folder, folder);
    const std::filesystem::path old = placeOfOld(folder, state.step);
    m_own.add(artifact::writeCheckpoint(folder, layouts(), m_from.model.trained.lora, blocks, origin(state), state,
                                        runSpec, old.empty() ? placeOfReplaced(folder) : old));
    clearReplaced(folder);
    if (!old.empty()) keepOfOthers(old, folder);
    if (folder == m_from.folder.held().lastCheckpoint()) removeEarlier(m_from.spec.output.keepCheckpoints - 1);
    m_from.folder.note(runs::JournalEvent::kCheckpoint, state.step, folder,
                       fmt::format("{} in {:.2f} s", formatBytes(artifact::bytesOf(blocks)),
                                   static_cast<double>(steadyNowNs() - begunNs) * 1e-9));
    m_from.board.checkpointSaved(m_from.folder.shown(folder.string()), state.step);
}

// The first time, and again while it lasts, ever more seldom: one warning is overlooked, one each time a flood.
bool RunSaver::isToBeTold(const std::filesystem::path& folder, const Error& failure) {
    Failures& failures = m_failures[folder];
    const std::string why = toString(failure.kind()) + failure.advice(); // the message has figures that change
    if (std::exchange(failures.why, why) != why) failures.inARow = 0;
    return std::has_single_bit(++failures.inARow);
}

// Where the disk has less free than the checkpoint takes, with both figures.
void RunSaver::warnOfUnwritten(const std::filesystem::path& checkpoint, int64_t step, int64_t bytes,
                               const Error& failure) const {
    const auto code = isOnTheDisk(checkpoint) ? RunTextCode::kCheckpointNotRenewed : RunTextCode::kCheckpointNotWritten;
    RunText text(code, m_from.folder.shown(checkpoint.string()), step);
    const std::filesystem::path& folder = m_from.folder.files().folder;
    if (failure.kind() != ErrorKind::kNoSpace || freeBytes(folder) >= bytes)
        return engine::warnOfUnwritten(m_from.board, m_from.spec, std::move(text), failure);
    log::info(text.text() + " " + failure.message());
    m_from.board.warning({std::move(text), checkpointTooLarge(bytes, folder), RunText(RunTextCode::kMakeRoom)});
}

bool RunSaver::writeOnTheWay(const std::filesystem::path& folder, const runs::TrainingState& state,
                             const artifact::CheckpointBlocks& blocks, const std::string& runSpec) {
    const std::optional<Error> failure = failureOf(m_from.folder, [&] { write(folder, state, blocks, runSpec); });
    m_isOwed = failure && !m_from.folder.isInPlace();
    if (!failure) {
        m_failures.erase(folder);
        return true;
    }
    if (m_isOwed) return false;
    if (isToBeTold(folder, *failure)) warnOfUnwritten(folder, state.step, artifact::bytesOf(blocks), *failure);
    m_from.folder.note(runs::JournalEvent::kNotWritten, state.step, folder, failure->message());
    return false;
}

// A model whose files can't be read any more is one of which nothing is known.
runs::TrainingState RunSaver::ofThisRun(runs::TrainingState state) const {
    state.run = m_from.folder.run();
    state.fingerprint.emplace();
    try {
        state.fingerprint = m_from.fingerprint->get();
    } catch (const Error& error) {
        log::warning(error.message());
    }
    return state;
}

bool RunSaver::isDue() const {
    if (m_isOwed) return true;
    const double minutes = m_from.spec.output.saveEveryMinutes;
    if (minutes <= 0) return false;
    constexpr int64_t kLeastShare = 20; // of the time, that saving takes one of at most
    const auto every = static_cast<int64_t>(minutes * 60e9);
    return steadyNowNs() - m_begunNs >= std::max(every, kLeastShare * m_heldUpNs);
}

void RunSaver::begin(const std::filesystem::path& folder, runs::TrainingState& state) {
    finishWriting(state);
    if (m_from.board.discardRequested()) return;
    m_begunNs = steadyNowNs();
    const std::optional<artifact::CheckpointBlocks> unchanging = this->unchanging(blocks());
    m_writingStep = state.step;
    m_writing = std::async(unchanging ? std::launch::async : std::launch::deferred,
                           [this, folder, printed = ofThisRun(state), now = unchanging ? *unchanging : blocks(),
                            spec = session::toJson(m_from.spec)] {
                               const bool isWritten = writeOnTheWay(folder, printed, now, spec);
                               m_from.still.release(); // its memory, at once
                               return isWritten;
                           });
    if (!unchanging) finishWriting(state); // training waits for the disk
    m_heldUpNs = steadyNowNs() - m_begunNs;
}

void RunSaver::finishWriting(runs::TrainingState& state) {
    if (!m_writing.valid()) return;
    m_writing.wait();
    m_from.still.release(); // where writing has thrown, too
    const bool isWritten = m_writing.get();
    if (isWritten) m_savedStep = std::max(m_savedStep, m_writingStep);
    if (!isWritten && m_bestBefore) state.bestValidationLoss = *m_bestBefore; // as it is on the disk
    m_bestBefore.reset();
}

void RunSaver::saveLast(runs::TrainingState& state) {
    begin(m_from.folder.held().lastCheckpoint(), state);
}

bool RunSaver::saveIfBest(double validationLoss, runs::TrainingState& state) {
    finishWriting(state);
    const std::optional<double> before = state.bestValidationLoss;
    if (std::isnan(validationLoss) || (before && !(validationLoss < *before))) return false;
    state.bestValidationLoss = validationLoss;
    state.validationsNotLower = 0;
    m_bestBefore.emplace(before);
    begin(m_from.folder.held().bestCheckpoint(), state);
    return true;
}

// Each on its own: the adapter is smaller than the checkpoint, and the curves than both.
void RunSaver::saveResults(runs::TrainingState& state) {
    finishWriting(state);
    keepCheckpointsOfOthers();
    const std::optional<Error> curves = failureOf(m_from.folder, [this] { m_from.folder.writeMetrics(); });
    const std::optional<Error> checkpoint = failureOf(m_from.folder, [&] { saveNow(state); });
    const std::optional<Error> adapter = failureOfResult(ofThisRun(state)); // or the model
    if (checkpoint && adapter) throw nothingSaved(*adapter, state.step);
    if (adapter) throw resultIsToCome(*adapter, state.step, m_from.folder.files().lastCheckpoint());
    if (checkpoint) throw onlyResultSaved(*checkpoint, state.step);
    if (curves) throw onlyCurvesLack(*curves, state.step);
}

// Earlier checkpoints give way to it, as they do to new ones.
std::optional<Error> RunSaver::failureOfResult(const runs::TrainingState& state) {
    std::optional<Error> failure = failureOf(m_from.folder, [&] { exportResult(state); });
    int64_t left = std::ssize(runs::earlierCheckpoints(m_from.folder.held()));
    for (; failure && failure->kind() == ErrorKind::kNoSpace && left > 0; --left) {
        removeEarlier(left - 1);
        failure = failureOf(m_from.folder, [&] { exportResult(state); });
    }
    return failure;
}

void RunSaver::saveNow(const runs::TrainingState& state) {
    write(m_from.folder.held().lastCheckpoint(), ofThisRun(state), blocks(), session::toJson(m_from.spec));
    m_savedStep = state.step;
}

void RunSaver::saveOnFailure(runs::TrainingState& state) {
    try {
        finishWriting(state);
        if (state.step > m_savedStep && !m_from.board.discardRequested()) saveNow(state);
    } catch (const std::exception& error) { // why the run fails says more
        log::warning(m_from.folder.shown(error.what()));
    }
}

// Says what of the run there is all the same.
Error RunSaver::nothingSaved(const Error& why, int64_t step) const {
    const std::string where = m_from.spec.output.folder;
    const std::string result = resultFolder(m_from.folder.files()).filename().string();
    const runs::RunFiles& files = m_from.folder.files();
    const std::optional<runs::FoundCheckpoint> saved = runs::newestCheckpoint(files).newest;
    if (saved && saved->state.step == step) return resultIsToCome(why, step, saved->folder); // the best one
    if (saved)
        return {why.kind(),
                fmt::format("After step {} neither the checkpoint nor the {} could be written to '{}'. {} What "
                            "was saved after step {} stays in '{}'; what was trained since is lost.",
                            step, result, where, why.message(), saved->state.step, saved->folder.string()),
                remedyOf(why) + " Then continue the run from that checkpoint."};
    return {why.kind(),
            fmt::format("Nothing of this run was kept: after step {} neither the checkpoint nor the {} could be "
                        "written to '{}'. {}",
                        step, result, where, why.message()),
            remedyOf(why) + " Then begin it again there (on the command line: --resume), or train in another folder."};
}

// A checkpoint of the last step was written, and nothing is lost.
Error RunSaver::resultIsToCome(const Error& why, int64_t step, const std::filesystem::path& checkpoint) {
    return {why.kind(),
            fmt::format("The run's result could not be written. {} All that was trained, {}, is in '{}'.",
                        why.message(), counted(step, "step"), checkpoint.string()),
            remedyOf(why) + " Then continue the run (on the command line: --resume), which writes it."};
}

// It can be used, but what is gone on from is older.
Error RunSaver::onlyResultSaved(const Error& why, int64_t step) const {
    const std::string kept =
        fmt::format("What was trained, {}, is kept in '{}', but the checkpoint to go on from could not be "
                    "written. {}",
                    counted(step, "step"), resultFolder(m_from.folder.files()).string(), why.message());
    if (const auto saved = runs::newestCheckpoint(m_from.folder.files()).newest)
        return {why.kind(),
                fmt::format("{} The newest checkpoint is that after step {}, '{}'.", kept, saved->state.step,
                            saved->folder.string()),
                fmt::format("The result can be used as it is. {} Then the run can be continued (on the command line: "
                            "--resume), from step {} on.",
                            remedyOf(why), saved->state.step)};
    return {why.kind(), kept,
            fmt::format("The result can be used as it is. {} Then another run can be started from it, in a folder of "
                        "its own (on the command line: --start-from).",
                        remedyOf(why))};
}

Error RunSaver::onlyCurvesLack(const Error& why, int64_t step) const {
    return {why.kind(),
            fmt::format("All that was trained, {}, is kept in '{}' and '{}'; the curves could not be written to "
                        "their end. {}",
                        counted(step, "step"), resultFolder(m_from.folder.files()).string(),
                        m_from.folder.files().lastCheckpoint().string(), why.message()),
            "The result can be used as it is. " + remedyOf(why)};
}

std::filesystem::path RunSaver::resultFolder(const runs::RunFiles& files) const {
    return m_from.model.trained.base ? files.model() : files.adapter();
}

void RunSaver::exportResult(const runs::TrainingState& state) {
    m_from.board.setActivities({session::Activity(session::ActivityCode::kWritingResult)});
    const std::filesystem::path target = resultFolder(m_from.folder.held());
    const std::filesystem::path draft = target.string() + ".part";
    clearDraft(target);
    runs::makeFolderAnew(draft);
    try {
        if (m_from.model.trained.base)
            artifact::writeModel(draft, layouts(), newestVersion(), origin(state));
        else
            artifact::writeAdapter(draft, layouts(), m_from.model.trained.lora, masters(), origin(state));
        runs::sealCheckpoint(draft, state.run);
    } catch (const Error&) {
        std::error_code ignored;
        std::filesystem::remove_all(draft, ignored); // half of it helps nobody and takes the room of others
        throw;
    }
    const std::string found = runs::sealOf(target); // what may take its place by then is another one
    if (const std::filesystem::path aside = m_from.folder.keepForeignAside(target); !aside.empty())
        m_from.board.warning({RunText(RunTextCode::kKeptAside, m_from.folder.shown(target.string()),
                                      m_from.folder.shown(aside.string()))});
    else
        m_own.add(found);
    m_own.add(runs::sealOf(draft));
    // Before it is there, so that the run knows its own whenever it is killed.
    m_from.folder.note(runs::JournalEvent::kResult, state.step, target, runs::lookOf(draft));
    replaceFolder(draft, target, draft.string() + ".replaced");
    clearReplaced(target);
    m_from.board.checkpointSaved(m_from.folder.shown(target.string()), state.step);
}

} // namespace roundpipe::engine
