// SPDX-License-Identifier: GPL-3.0-or-later
// The door to data: which rows a dataset has, what each becomes token by token, and what can be said of all of them.
// The GUI knows this interface only; core/data implements it, without LibTorch.
//
// Everything that crosses is a plain value. Offsets are bytes of UTF-8 texts.
#pragma once

#include "base/error.h"
#include "batch/example_lengths.h"
#include "session/row_remark.h"
#include "session/spec/run_spec.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace roundpipe::session {

// A row as people count it: the line of a JSONL file, the element of an array, the record of a table, from 1.
struct RowPlace {
    int32_t file = 0; // index into DatasetReport::files
    int64_t number = 0;
};

// Files: what their names and first rows tell
// ----------------------------------------------------------------------------

struct DataColumn {
    std::string name;
    std::string types;   // of its values: "string", "list of objects"
    std::string example; // its first value as JSON, on a line
};

struct DataFile {
    std::string path;
    int32_t dataset = 0; // of the run's
    int64_t bytes = 0;
    bool isValidation = false;             // the validation file: the last one of the first dataset
    std::string kind;                      // "JSONL", "CSV", …
    std::string unit;                      // what its rows' numbers count: "line", "element", "record", …
    DataFormat format = DataFormat::kAuto; // how its rows are read; kAuto: none that we know fits
    Remark reason;                         // what told the format, "it has 'messages'"
    std::string wanted;                    // of kAuto: what would be read, as an advice
    std::vector<ColumnChoice> suggested;   // of kAuto: what its columns may be meant as; empty: nothing tells
    std::vector<DataColumn> columns;       // of the first rows
    std::vector<ColumnChoice> readFrom;    // fields whose column has another name, chosen and guessed ones
    std::string problem;                   // why it cannot be read; the rest is empty then
};

struct LeftOutFile {
    std::string path;
    Remark reason; // "is hidden", …
};

// Token lens: one row, token by token ---------------------------------------------------------------------------------

struct LensToken {
    int32_t id = 0;
    std::string piece; // as the vocabulary spells it ("Ġthe")
    // Bytes of TokenLens::text that it stands for. A token that holds part of a character covers the whole of it, so
    // neighbours may overlap; one that was added around the text covers none.
    int64_t begin = 0;
    int64_t end = 0;
    int32_t message = -1; // whose content it belongs to; -1: the template wrote it
    bool isSpecial = false;
    bool isTrained = false;
    bool isCut = false; // beyond the length limit: training does not see it
};

struct LensMessage {
    std::string role;
    int64_t numTokens = 0;  // of its content
    int64_t numTrained = 0; // of those that are not cut
};

inline constexpr int64_t kMostLensTokens = int64_t{1} << 18; // of a row that is shown

struct TokenLens {
    RowPlace place;
    std::string name; // "'rows.jsonl', line 7"
    std::string key;  // as data.leave_out_rows names it; empty of a row that cannot be read
    std::vector<LensMessage> messages;
    // As the template rendered it, and its tokens; of a dropped row as far as it came. The tokens end with the first
    // kMostLensTokens, and the text with them: nobody looks at millions.
    std::string text;
    std::vector<LensToken> tokens;
    int64_t numTokens = 0;  // of the whole row
    int64_t numKept = 0;    // tokens within the length limit, or in its pieces
    int64_t numTrained = 0; // of those
    MaskSource maskedBy = MaskSource::kNone;
    std::optional<DropReason> dropReason; // nothing: training takes the row
    Remark dropped;                       // the reason in full
    std::vector<Remark> notes;            // what a person should know of the row, in sentences
};

// What training makes of a row.
struct RowVerdict {
    RowPlace place;
    int64_t numMessages = 0;              // of a chat
    int64_t numTokens = 0;                // of the whole row
    int64_t numTrained = 0;               // of those that training sees
    std::optional<DropReason> dropReason; // nothing: training takes the row
};

// Dataset report: all rows --------------------------------------------------------------------------------------------

struct DropCount {
    DropReason reason = DropReason::kBadRow;
    int64_t count = 0;
};

struct MaskCount {
    MaskSource source = MaskSource::kNone;
    int64_t count = 0;
};

struct DroppedRow {
    RowPlace place;
    DropReason reason = DropReason::kBadRow;
    Remark problem;   // "is not valid JSON: …"
    std::string text; // in English, with the row's place: "'rows.jsonl', line 7: is not valid JSON: …"
};

// A row that repeats an earlier one.
struct RowPair {
    RowPlace row, earlier;
};

struct DuplicateCounts {
    int64_t numRows = 0;           // that repeat an earlier row
    std::vector<RowPair> examples; // the first ones
};

// Rows that have something in common.
struct RowSample {
    int64_t numRows = 0;
    std::vector<RowPlace> examples; // the first ones
};

// Rows of [begin, end) tokens.
struct LengthBin {
    int64_t begin = 0;
    int64_t end = 0;
    int64_t numRows = 0;
};

// What a length limit would cost, if longer rows were truncated to it.
struct LengthChoice {
    int64_t length = 0;
    int64_t numOver = 0;     // longer rows
    int64_t lostTokens = 0;  // cut off them
    int64_t lostTrained = 0; // of these, trained ones
};

// Lengths are tokens of whole rows, before truncation; percentiles are the nearest rank.
struct LengthStatistics {
    int64_t numRows = 0; // with tokens: the used ones, and those dropped for their length or left out by choice
    double mean = 0;
    int64_t p50 = 0, p90 = 0, p95 = 0, p99 = 0, max = 0;
    std::vector<LengthBin> histogram;  // two bins an octave, from the first that has a row to the last
    std::vector<LengthChoice> choices; // four an octave, powers of two among them, and the limit that was chosen
};

struct SpecialTokenUse {
    std::string token;
    int64_t numRows = 0;
    RowPlace example;
};

// Columns of a file's first rows that its format does not read: what stands there is not trained on.
struct ColumnsNotRead {
    int32_t file = 0; // index into DatasetReport::files
    std::vector<std::string> columns;
};

// Rows of which training does not use all, or not as they are meant.
struct RowsNotUsed {
    Remark what; // completes "not used: …"
    RowSample rows;
};

// What one of a run's datasets comes to. Rows and tokens to train and to validate on are those of the dataset in
// DatasetReport::training and validation.
struct DatasetPart {
    int32_t firstFile = 0, numFiles = 0; // of DatasetReport::files
    int64_t numRows = 0;                 // read, dropped ones included
    int64_t numUsed = 0;
    int64_t numDropped = 0;
    int64_t numNotTaken = 0; // could be trained on, but for data.max_rows
};

// Of all of a run's datasets.
struct DatasetReport {
    std::vector<std::string> files;    // of one dataset after another; behind the first one's the validation file
    std::vector<DatasetPart> datasets; // so far as they have been begun
    std::vector<std::string> units;    // of each file: "line", "element" or "record"
    bool isComplete = false;           // false: counts of what has been read so far; what compares rows is still empty

    int64_t numRows = 0;    // read, dropped ones included
    int64_t numEncoded = 0; // of them, for this report: none where they had been encoded before
    int64_t numUsed = 0;
    int64_t numNotTaken = 0;            // could be trained on, but for data.max_rows
    std::vector<DropCount> dropReasons; // those that occur, the most frequent first
    std::vector<DroppedRow> dropped;    // every one
    std::string dropAdvice;             // what can be done about them; may be empty

    int64_t numTokens = 0;                      // of used rows, as training sees them: cut off, or in pieces
    int64_t numTrained = 0;                     // of these
    batch::ExampleLengths training, validation; // the examples of each side: what a run is planned by
    Remark refusal;                             // why a run on this data would not be started; empty: it would

    LengthStatistics lengths;
    int64_t lengthLimit = 0;
    int64_t numTruncated = 0;
    int64_t numSplit = 0, numPieces = 0; // rows that are split, and what they become

    DuplicateCounts exact;        // the same tokens
    DuplicateCounts near;         // nearly the same words, exact ones apart
    DuplicateCounts leaked;       // rows to validate on that stand, exactly so, among those to train on
    DuplicateCounts nearlyLeaked; // or nearly so
    // Of several datasets, exactly or nearly: rows to train on that are like one of an earlier dataset, and rows to
    // validate on that are like one that another dataset trains on. No rule leaves them out.
    DuplicateCounts repeatedAcross, leakedAcross;

    // Rows that deserve a look.
    std::vector<ColumnsNotRead> notRead; // of files that have such; of a complete report
    std::vector<RowsNotUsed> notUsed;    // one for each thing that occurs
    std::vector<LeftOutFile> leftOut;    // of folders
    RowSample emptyTurns;                // with a message that says nothing
    RowSample oneSided;                  // without a user
    RowSample unanswered;                // whose last message is not the assistant's
    RowSample withoutEnd; // with a trained turn that no special token ends: the model does not learn to stop
    RowSample withoutBos; // where the tokenizer would start with a BOS, and the text has none
    RowSample doubledBos; // that start with two
    std::vector<SpecialTokenUse> specialTokens; // special tokens spelled out in messages, the most frequent first
    std::vector<MaskCount> maskSources;         // what told the assistant's turns, and in how many rows
};

// Workbench -----------------------------------------------------------------------------------------------------------

enum class WorkbenchState {
    kEmpty,     // nothing was opened
    kOpening,   // the tokenizer and the template are being read; rows and files can be looked at
    kReading,   // tokens too; the report grows
    kReady,     // the report is complete
    kCancelled, // by cancel(); what could be looked at before still can
    kFailed     // see WorkbenchStatus::problem; of the model only: rows and files can still be looked at
};

// Latest-wins picture.
struct WorkbenchStatus {
    WorkbenchState state = WorkbenchState::kEmpty;
    double fraction = 0;         // of the bytes of all files, while reading
    int64_t numRows = 0;         // read so far
    std::string problem, advice; // kFailed
    ErrorKind problemKind = ErrorKind::kInternal;
    std::shared_ptr<const DatasetReport> report; // null before kReading; renewed about twice a second while reading
};

struct RowSummary {
    RowPlace place;
    std::string text;    // the row's first characters, as the file has them, or why it cannot be read
    std::string preview; // what its first message or text says, on one line; empty where it has no known format
};

struct RowsResult {
    std::vector<RowSummary> rows; // fewer than asked for at the end of the file
    int64_t lastNumber = 0;       // of the file's rows counted so far: those are found in milliseconds
    bool isCounted = false;       // all of the file's rows
};

struct VerdictsResult {
    std::vector<RowVerdict> rows; // fewer than asked for at the end of the file
};

struct FilesResult {
    std::vector<DataFile> files;      // in the order of DatasetReport::files
    std::vector<LeftOutFile> leftOut; // of folders
};

// A piece of a search through all rows.
struct SearchResult {
    std::vector<RowPlace> rows; // found in this piece, in order
    double fraction = 0;        // of the bytes of all files, looked through so far
    bool isDone = false;        // at the end of the last file
};

struct LookupFailed {
    std::string problem, advice;
};

// The answer to one request.
struct WorkbenchResult {
    uint64_t request = 0;
    std::variant<RowsResult, TokenLens, LookupFailed, VerdictsResult, FilesResult, SearchResult> value;
};

// One dataset at a time. All calls come from one thread, any; none blocks for longer than a few milliseconds, except
// the destructor, which waits for the piece of work in progress.
class Workbench {
public:
    virtual ~Workbench() = default;

    // Reads the spec's model section (tokenizer and template), data section and seed, in the background. What was open
    // is closed first, and its requests that are not answered yet never are. Errors arrive in the status.
    virtual void open(const RunSpec& spec) = 0;
    virtual void cancel() = 0; // stops reading; no-op when nothing is being read
    virtual WorkbenchStatus status() const = 0;

    // Requests are answered in order, in a thread of their own, also while the report is being made. They return the
    // number that the result bears, and throw kInvalidInput where nothing is open. `first`: the number of the first row
    // wanted.
    virtual uint64_t requestFiles() = 0;
    virtual uint64_t requestRows(RowPlace first, int64_t count) = 0;
    virtual uint64_t requestVerdicts(RowPlace first, int64_t count) = 0;
    virtual uint64_t requestLens(RowPlace place) = 0;
    // The next piece of a search for a text in what the rows say, small and capital letters of A to Z alike: from the
    // first row on where `anew`, or where the text is another one than before. Answered after a moment, so that other
    // requests come between: who stops asking has cancelled.
    virtual uint64_t requestSearch(const std::string& text, bool anew) = 0;
    virtual std::vector<WorkbenchResult> takeResults() = 0; // since the last call
};

} // namespace roundpipe::session
