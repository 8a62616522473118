// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/dry_run.h"

#include "arch/model_folder.h"
#include "artifact/export/consumers.h"
#include "base/counted.h"
#include "base/secrets.h"
#include "base/short_names.h"
#include "base/units.h"
#include "console/dropped_lines.h"
#include "console/report_lines.h"
#include "console/table.h"
#include "console/terminal.h"
#include "console/warn.h"
#include "data/report/survey.h"
#include "device/open_devices.h"
#include "engine/fingerprinting.h"
#include "engine/going_on.h"
#include "engine/room_on_disk.h"
#include "engine/run_folder.h"
#include "engine/run_plan.h"
#include "engine/workload.h"
#include "exit_codes.h"
#include "runs/changes.h"
#include "runs/usable_folder.h"
#include "session/run_text.h"
#include "session/spec/run_shape.h"

#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include <unistd.h>

namespace roundpipe::cli {
namespace {

using Devices = std::vector<std::unique_ptr<device::Device>>;

std::unique_ptr<const model::Model> modelOf(const session::RunSpec& spec, const arch::ModelSpec& modelSpec,
                                            const Devices& devices) {
    const DType operandType = operandTypeOf(spec.engine.precision, engine::onGpusOnly(devices));
    return model::makeModel(modelSpec, session::trainedOf(spec), operandType, spec.model.weights);
}

void printPlan(const session::RunSpec& spec, const arch::ModelSpec& modelSpec, const model::Model& model,
               const Devices& devices, const batch::StepContent& content) {
    fmt::print("model      {}\n", modelSpec.summary());
    fmt::print("trainable  {} parameters\n", formatCount(static_cast<double>(model.numTrainedParameters())));
    fmt::print("plan       {}\n", engine::planOf(spec, model, devices, content).plan.describe());
    for (const auto& device : devices)
        fmt::print("device     {}\n", device->name());
}

void printRepeatsAndNotUsed(const session::RunSpec& spec, const engine::ModelText& text, const data::Dataset& dataset) {
    const session::DatasetReport report =
        data::surveyOf(data::datasetsOf(spec), text.tokenizer, text.chatTemplate, dataset);
    for (const RowFinding& repeats : repeatsIn(report))
        fmt::print("repeats    {} row{} {} ({})\n", grouped(repeats.numRows), repeats.numRows == 1 ? "" : "s",
                   repeats.what, repeats.example);
    for (const std::string& line : notUsedLines(report))
        fmt::print("not used   {}\n", line);
}

// How much an epoch takes of each dataset, where that is not simply all there is.
void printShares(const session::RunSpec& spec, const batch::ExampleLengths& lengths, const batch::EpochDraws& draws) {
    const auto datasets = lengths.datasets();
    if (datasets.size() == 1 && draws.perEpoch() == lengths.size()) return;
    const std::vector<session::EpochPart> parts = session::epochPartsOf(spec, lengths);
    std::vector<std::string> firstFiles;
    for (const session::DatasetSection& dataset : spec.data.datasets)
        firstFiles.push_back(dataset.files.front());
    const std::vector<std::string> names = shortNames(firstFiles);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::vector<std::string>& files = spec.data.datasets[i].files;
        const std::string more = files.size() > 1 ? fmt::format(" and {} more", files.size() - 1) : "";
        fmt::print(
            "dataset {}  {}{}: {} draw{} of {} example{} an epoch, {:.1f} % of the examples, {:.1f} % of the tokens\n",
            i + 1, names[i], more, parts[i].examples, parts[i].examples == 1 ? "" : "s", datasets[i].size,
            datasets[i].size == 1 ? "" : "s",
            100.0 * static_cast<double>(parts[i].examples) / static_cast<double>(draws.perEpoch()),
            100 * parts[i].tokens / draws.tokensPerEpoch());
    }
}

void printData(const session::RunSpec& spec, const engine::ModelText& text, const data::Dataset& dataset,
               const batch::StepContent& content) {
    const data::ExampleSet& training = dataset.training();
    const data::Batcher batcher(training, session::stepRulesOf(spec), session::drawOrderOf(spec),
                                session::sharesOf(spec));
    const batch::EpochDraws& draws = batcher.steps().draws();
    const std::vector<TokenBatch> firstStep = batcher.step(0);
    int64_t firstTokens = 0;
    for (const TokenBatch& batch : firstStep)
        firstTokens += batch.numTokens();
    fmt::print("rows       {}\n", dataset.stats().summary());
    if (dataset.stats().numNotTaken > 0)
        fmt::print("subset     {} more could be trained on, but for data.max_rows\n", dataset.stats().numNotTaken);
    if (const std::string lengths = dataset.stats().lengthSummary(); !lengths.empty())
        fmt::print("length     {}\n", lengths);
    printRepeatsAndNotUsed(spec, text, dataset);
    if (const int64_t turns = dataset.stats().numTurnsWithoutEnd; turns > 0)
        fmt::print("no end     {}\n", session::RunText(session::RunTextCode::kAnswersWithoutEnd, turns).text());
    for (const std::string& line : linesOfDropped(dataset.dropped()))
        fmt::print("dropped    {}\n", line);
    fmt::print("examples   {} to train on, {} to validate on{}, the longest has {}\n", training.size(),
               dataset.validation().size(), ofValidationFiles(data::datasetsOf(spec)),
               counted(training.lengths().longest(), "token"));
    printShares(spec, training.lengths(), draws);
    fmt::print("tokens     {:.0f} an epoch, {:.0f} of them trained ({:.1f} %)\n", draws.tokensPerEpoch(),
               draws.trainedPerEpoch(), 100 * draws.trainedPerEpoch() / draws.tokensPerEpoch());
    fmt::print("steps      {} ({} an epoch)\n", batcher.steps().total(spec.duration.epochs, spec.duration.maxSteps),
               batcher.steps().perEpoch());
    fmt::print("a step     {:.0f} tokens on average; the first has {} in {}microbatch{} of at most {}\n",
               content.average.tokens(), firstTokens,
               firstStep.size() == 1 ? "a " : fmt::format("{} ", firstStep.size()), firstStep.size() == 1 ? "" : "es",
               content.largest.tokens);
}

// What other programs would refuse of the result, while it can still be avoided.
void printRefusals(const session::RunSpec& spec, const arch::ModelSpec& model, const text::Tokenizer& tokenizer) {
    const arch::Trained trained = session::trainedOf(spec);
    std::optional<session::AdapterFacts> adapter;
    if (!trained.base) adapter = session::factsOf(model, trained.lora);
    for (const session::ExportRemark& remark :
         artifact::remarksOnConsumers(model, adapter ? &*adapter : nullptr, tokenizer.vocabSize()))
        if (remark.refuses) fmt::print("exports    {}\n", remark.text());
}

// Trained tokens stand out: in colour on a terminal, in brackets elsewhere.
void printRow(const data::Dataset& dataset, const text::Tokenizer& tokenizer) {
    const data::Example example = dataset.training()[0];
    const std::string file =
        withoutSecrets(dataset.files()[static_cast<std::size_t>(example.place.file)].filename().string());
    const bool isTerminal = ::isatty(STDOUT_FILENO) != 0;
    fmt::print("\n{}, row {}: {}, {} trained ({})\n", file, example.place.number,
               counted(std::ssize(example.ids), "token"), example.numTrained(),
               isTerminal ? "green" : "in [[brackets]]");
    std::size_t begin = 0;
    while (begin < example.ids.size()) {
        std::size_t end = begin;
        while (end < example.ids.size() && (example.trained[end] != 0) == (example.trained[begin] != 0))
            ++end;
        const std::string piece = tokenizer.decode(std::span(example.ids).subspan(begin, end - begin), false);
        if (example.trained[begin] == 0)
            fmt::print("{}", piece);
        else if (isTerminal)
            fmt::print(fmt::fg(fmt::terminal_color::green), "{}", piece);
        else
            fmt::print("[[{}]]", piece);
        begin = end;
    }
    fmt::print("\n");
}

// Or says what is accepted, as the run does.
void require(const std::vector<std::string>& changes, bool areAccepted) {
    if (changes.empty()) return;
    if (!areAccepted) throw engine::notAsItBegan(changes);
    warn(session::RunText(session::RunTextCode::kChangesAccepted, fmt::format("{}", fmt::join(changes, " "))));
}

void requireSameSettings(const runs::FoundCheckpoint& checkpoint, const session::RunSpec& spec, bool acceptsChanges) {
    engine::requireSameTensors(checkpoint, spec);
    require(engine::acceptableChanges(checkpoint, spec), acceptsChanges);
}

// Its rows and its model's files, as far as that is told without reading weights.
void requireSameContent(const runs::FoundCheckpoint& checkpoint, const session::RunSpec& spec,
                        const runs::ModelFiles& model, const data::Dataset& dataset, bool acceptsChanges) {
    const runs::Fingerprint now = engine::quickFingerprint(spec, model, checkpoint, dataset);
    require(runs::changedContent(checkpoint, spec, now), acceptsChanges);
    fmt::print("goes on    from step {}, '{}'\n", checkpoint.state.step, checkpoint.folder.string());
    if (checkpoint.state.fingerprint && !checkpoint.state.fingerprint->weights.empty() && now.weights.empty())
        fmt::print("weights    not compared: the run reads those in '{}', and sees whether they are the same\n",
                   spec.model.path);
}

// What the run says of where it goes on from.
void warnOfStart(const runs::CheckpointSearch& before, bool resume) {
    using session::RunText, session::RunTextCode;
    if (resume && !before.newest) warn(RunText(RunTextCode::kStartsOver));
    for (const std::string& damage : before.damaged)
        warn(RunText(RunTextCode::kCheckpointPassedOver, damage));
}

// A disk that is full is refused as by the run, one with too little room for what it writes warned of.
void requireRoom(const session::RunSpec& spec, const model::Model& model, const runs::ModelFiles& files, bool goesOn) {
    const std::filesystem::path folder = std::filesystem::absolute(spec.output.folder);
    engine::requireRoomToBegin({folder});
    warn(engine::littleRoomFor(spec, model, files, goesOn, folder));
}

int64_t totalStepsOf(const session::RunSpec& spec, const data::Dataset& dataset) {
    const data::Batcher batcher(dataset.training(), session::stepRulesOf(spec), session::drawOrderOf(spec),
                                session::sharesOf(spec));
    return batcher.steps().total(spec.duration.epochs, spec.duration.maxSteps);
}

} // namespace

int dryRun(const session::RunSpec& given, bool resume, bool acceptsChanges) {
    session::RunSpec spec = engine::resolved(given, resume);
    runs::CheckpointSearch before;
    if (!spec.output.folder.empty()) before = runs::requireUsable(spec.output.folder, resume);
    warnOfStart(before, resume);
    if (before.newest) engine::keepMicrobatches(*before.newest, spec);
    const runs::ModelFiles modelFiles = runs::modelFilesOf(spec, before.newest);
    if (modelFiles.ofCheckpoint)
        warn(session::RunText(session::RunTextCode::kModelGone, spec.model.path, modelFiles.folder));
    const arch::ModelSpec modelSpec = arch::makeModelSpec(arch::readModelConfig(modelFiles.folder));
    const engine::ModelText text = engine::openModelText(modelFiles.folder, modelFiles.chatTemplate);
    if (before.newest) requireSameSettings(*before.newest, spec, acceptsChanges);
    const data::Dataset dataset = engine::loadDataset(spec, text, [](const session::Activity&) { return true; });
    const Devices devices = device::openDevices(spec.engine.devices, {});
    const batch::StepContent content = engine::settleSteps(spec, modelSpec, devices, dataset);
    if (before.newest) engine::requireSteps(before.newest->state.step, totalStepsOf(spec, dataset));
    if (!spec.model.randomWeights) arch::requireWeights(modelFiles.folder, modelSpec); // as the run, after the rows
    if (before.newest) requireSameContent(*before.newest, spec, modelFiles, dataset, acceptsChanges);
    const auto model = modelOf(spec, modelSpec, devices);
    if (!spec.output.folder.empty()) requireRoom(spec, *model, modelFiles, before.newest.has_value());
    warn(session::remarksOn(spec, modelSpec.config.maxPositions, session::sourceOf({}, content)));
    printPlan(spec, modelSpec, *model, devices, content);
    printData(spec, text, dataset, content);
    printRefusals(spec, modelSpec, text.tokenizer);
    printRow(dataset, text.tokenizer);
    return kSuccess;
}

} // namespace roundpipe::cli
