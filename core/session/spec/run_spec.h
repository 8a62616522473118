// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that decides a run. GUI, command line and saved runs share this one schema (run_spec_fields.h).
#pragma once

#include "base/choices.h"
#include "base/file.h"
#include "batch/step_rules.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::session {

struct ModelSection {
    std::string path;                           // model folder
    std::string chatTemplate;                   // template file that replaces the folder's own; empty: the folder's
    std::string chatTemplateArgs;               // JSON object of extra template variables; empty: none
    WeightFormat weights = WeightFormat::kAsIs; // of the frozen base beside adapters
    bool randomWeights = false;                 // make weights from config.json alone, by the seed (benchmarks)
    std::string baseModelId;                    // written into the adapter; empty: the folder's path
    std::string baseModelRevision;
};

// What each dataset has of its own: how its rows are written, which of them are taken, and how often.
struct DatasetSection {
    std::vector<std::string> files;
    DataFormat format = DataFormat::kAuto;
    std::vector<std::string> columns; // "prompt=question": a field, and the column that it stands in
    TrainOn trainOn = TrainOn::kAssistant;
    std::string turnBegin; // texts that stand around the assistant's turns, where the template does not tell; "\n" is
    std::string turnEnd;   // a line feed; both or neither
    std::vector<LeaveOut> leaveOut;        // rules; they name no row, so they hold for changed files too
    std::vector<std::string> leaveOutRows; // single ones, as RowKey::text() writes them
    std::string promptTemplate; // "{question}\\n{schema}": what the user says, from columns; empty: a column says it
    std::string systemPrompt;   // of chats; empty: only what the rows have
    SystemPromptUse systemPromptUse = SystemPromptUse::kDefault;
    std::string delimiter; // of tables: one character, or "tab"; empty: found out
    bool header = true;    // of tables: the first record names the columns; else they are "column 1", "column 2", …
    int64_t maxRows = 0;   // to train on; 0: all
    Subset subset = Subset::kRandom;      // which ones, where there are more
    ShareKind share = ShareKind::kEpochs; // how much an epoch takes of it: batch::Share
    double shareAmount = 1;
};

struct DataSection {
    std::vector<DatasetSection> datasets = {{}}; // one or more
    std::string validationFile; // rows to validate on, written as the first dataset's; empty: by validationFraction
    double validationFraction = 0.02; // split off each dataset
    int64_t maxValidationRows = 500;  // of each dataset
    int64_t maxLength = 1024;         // tokens per example
    OverLength overLength = OverLength::kTruncate;
    int64_t overlap = 0;           // tokens that a piece of a split row repeats of the one before, as context
    double minTrainedShare = 0.01; // of the tokens; a run that trains fewer is not started
    bool cache = true;             // keep tokenised rows for later runs
    bool shuffle = true;           // false: rows in file order
    std::string templateDate;      // "2026-01-31": the day that templates see; empty: the day the run was made
};

struct LoraSection {
    int64_t rank = 16;
    double alpha = 32;
    double dropout = 0;
    bool rsLora = false;
    std::vector<std::string> targets = {"all-linear"};
    std::vector<std::string> modulesToSave; // trained whole beside the adapters: embedding, head, norms
    std::string initFrom;                   // adapter folder to go on from (as PEFT writes it); empty: fresh
};

struct OptimizerSection {
    double learningRate = 2e-4;
    ScheduleKind schedule = ScheduleKind::kCosine;
    int64_t warmupSteps = 0; // wins over the ratio when set
    double warmupRatio = 0.03;
    double weightDecay = 0;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double maxGradNorm = 1.0; // 0: no clipping
    Moments moments = Moments::kFp32;
    Updates updates = Updates::kSynchronous;
    WhenDiverging whenDiverging = WhenDiverging::kEnd;
};

struct DurationSection {
    double epochs = 3;
    int64_t maxSteps = 0;  // 0: by epochs
    int64_t earlyStop = 0; // validations in a row without a lower loss that end the run; 0: none do
};

struct EngineSection {
    std::vector<std::string> devices = {"auto"}; // auto, cpu, cpu:3 (three workers), cuda:0, …
    Precision precision = Precision::kAuto;
    Determinism determinism = Determinism::kStrict;
    Replicas replicas = Replicas::kAuto;
    double hostMemory = 0;               // GiB that it is planned with; 0: what the system says is free
    std::vector<int64_t> forwardStages;  // layers per forward stage; empty: planned, or none where the others are given
    std::vector<int64_t> backwardStages; // layers per backward stage, the fused one first; empty: planned
};

struct OutputSection {
    std::string folder;
    int64_t saveEverySteps = 0;   // checkpoint every so many steps; 0: by time alone
    double saveEveryMinutes = 10; // and after so many minutes; 0: by steps alone
    int64_t keepCheckpoints = 2;  // the last ones, beside the best
    int64_t evalEverySteps = 0;   // validation every so many steps; 0: at the end of every epoch
    bool saveTrace = true;
};

struct RunSpec {
    int64_t version = 2;
    std::string name; // shown in lists; empty: the output folder's name
    int64_t seed = 42;
    Method method = Method::kLora;
    ModelSection model;
    DataSection data;
    LoraSection lora;
    OptimizerSection optimizer;
    batch::StepRules batch{.microbatchSize = 0, .microbatches = 0}; // 0: chosen by the plan (chosen_microbatches.h)
    DurationSection duration;
    EngineSection engine;
    OutputSection output;
};

// JSON with one object per section, keys in snake_case ("microbatch_size"); data.datasets is a list of objects. The
// fields of a single dataset may also stand in the data section itself, as files of version 1 have them. Relative paths
// in a file are relative to it. Unknown keys, wrong types and unknown choices throw kInvalidInput naming the key
// ("lora.rank") and what is allowed.
RunSpec parseRunSpec(std::string_view json, const std::string& nameForErrors);
RunSpec readRunSpec(const std::filesystem::path& path);
// The same way back: the file's folder and paths below it become relative to it, so that the folder can be moved.
// Written as writeFileAtomically does, and throws the same.
void writeRunSpec(RunSpec spec, const Destination& to);
// Every field, indented, in the newest version of the format; parseRunSpec(toJson(s)) == s. A text that is no UTF-8 (a
// path may be any bytes) is written as base/bytes_as_text.h says. A number that is not finite is written as null, which
// no reader takes.
std::string toJson(RunSpec spec);

// One entry of a dataset's columns. `column` may be a path into what the column holds: "extra_info.answer".
struct ColumnChoice {
    std::string field;
    std::string column;
};
ColumnChoice parseColumnChoice(const std::string& text);    // throws kInvalidInput, saying which fields there are
std::vector<std::string> columnFieldsOf(DataFormat format); // what it reads, the most needed first; kAuto: all fields
// Which of a row, or of a message, may say that it is not to be trained, in every format and in capitals or not:
// Axolotl's "train", OpenAI's "weight", LLaMA-Factory's "loss_weight", ms-swift's "loss", and what others write.
bool isTrainingSwitch(std::string_view name);

// Throws kInvalidInput where it is neither a character that can stand between cells nor "tab". '\0': found out.
char delimiterOf(const DatasetSection& dataset);

// Checks what can be checked without opening a file: ranges, and what goes together. Throws kInvalidInput naming the
// field. A run needs data; who plans or measures may have none. Texts with a password or a token in them are refused,
// but for those of a run that has them in its files.
enum class Secrets { kRefused, kStored };
void validate(const RunSpec& spec, bool needsData = true, Secrets secrets = Secrets::kRefused);

} // namespace roundpipe::session
