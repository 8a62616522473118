// SPDX-License-Identifier: GPL-3.0-or-later
// What decides which examples a run sees, in typed form.
#pragma once

#include "base/choices.h"
#include "data/files/file_list.h"
#include "data/files/row_file.h"
#include "session/spec/prompt_template.h"
#include "session/spec/row_key.h"
#include "session/spec/run_spec.h"
#include "text/chat_template.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::data {

// What the system says in a chat, of the settings.
struct SystemPrompt {
    std::string text; // empty: none
    SystemPromptUse use = SystemPromptUse::kDefault;
};

// How the rows of a dataset are written.
struct RowFormat {
    RowFormat() = default;
    RowFormat(DataFormat wanted) : kind(wanted) {} // a format by itself, with columns named as its fields are
    DataFormat kind = DataFormat::kAuto;           // kAuto: sniffed from the first rows of each file
    std::vector<session::ColumnChoice> columns;
    std::vector<session::PromptPiece> prompt; // what the user says, from columns; empty: a field says it
    SystemPrompt system;
    TableLayout table;
};

// Texts that stand around each of the assistant's turns; both empty: the template tells where the turns are.
struct TurnMarkers {
    std::string begin;
    std::string end;
};

// One dataset of a run.
struct DataOptions {
    std::vector<std::filesystem::path> files; // folders already opened up
    std::vector<SkippedFile> skippedFiles;    // of those folders
    RowFormat format;
    std::vector<std::filesystem::path> validationFiles; // the run's own, or what folders have for it by their names
    double validationFraction = 0;                      // split off the files; ignored where there are such files
    int64_t maxValidationRows = 500;
    int64_t maxLength = 1024; // tokens per example
    OverLength overLength = OverLength::kTruncate;
    int64_t overlap = 0; // tokens that a piece repeats of the one before, where rows are split
    TrainOn trainOn = TrainOn::kAssistant;
    TurnMarkers turnMarkers;
    std::vector<LeaveOut> leaveOut;            // rows that are not trained on, though they could be: by rules
    std::vector<session::RowKey> leaveOutRows; // and one by one; ascending
    int64_t maxRows = 0;                       // to train on; 0: all
    Subset subset = Subset::kRandom;           // which ones, where there are more
    double minTrainedShare = 0.01;             // of the tokens for training; below it, loading fails
    std::string templateArguments;             // JSON object of further template variables; empty: none
    text::CivilTime now;                       // what templates see as the date
    uint64_t seed = 42;                        // of the split and of a random subset
    int numThreads = 0;                        // 0: one per hardware thread
    std::filesystem::path modelFolder;         // whose tokenizer it is: a part of the cache's key
    std::filesystem::path cacheFolder;         // of tokenised data; empty: nothing is kept for the next run

    std::vector<std::filesystem::path> allFiles() const; // those to validate on behind the others
    bool leavesOut(LeaveOut rule) const;
};

// A text as the settings have it, where "\n" is a line feed.
std::string escaped(const std::string& text);

// Throws kInvalidInput naming the setting that is wrong.
RowFormat rowFormatOf(const session::DatasetSection& dataset);

// Throws kInvalidInput for what is no date, and what listFiles() throws. An empty date becomes today.
DataOptions dataOptionsOf(const session::RunSpec& spec, std::size_t dataset = 0);
std::vector<DataOptions> datasetsOf(const session::RunSpec& spec); // of all of them

} // namespace roundpipe::data
