// Files → their report, in one pass and without keeping a row: for any size of file.
#pragma once

#include "data/store/dataset.h"
#include "session/workbench.h"

#include <functional>

namespace roundpipe::data {

// After each chunk of rows, from the calling thread; false: cancel. `report` makes what can be said so far.
using SurveyCallback =
    std::function<bool(const LoadProgress& progress, const std::function<session::DatasetReport()>& report)>;

// Runs where it is called, with options.numThreads threads of its own. Rows that Dataset::load would drop are listed;
// it throws kUnsupported for a kind of file or format that we do not know, kInvalidInput for a file without rows, kIo
// and kCancelled.
session::DatasetReport surveyOf(const DataOptions& options, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const SurveyCallback& progress = {});

} // namespace roundpipe::data
