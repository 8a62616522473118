// SPDX-License-Identifier: GPL-3.0-or-later
// Files → their report, without keeping a row in memory: for any size of file. Their tokens go to the cache, where a
// run on them finds them, and a report that has found them there encodes nothing.
#pragma once

#include "data/store/dataset.h"
#include "session/workbench.h"

#include <functional>
#include <span>

namespace roundpipe::data {

// From the calling thread, with a report of the first rows before anything else is read, and after each chunk of rows;
// false: cancel. `report` makes what can be said so far.
using SurveyCallback =
    std::function<bool(const LoadProgress& progress, const std::function<session::DatasetReport()>& report)>;

// Of one dataset, or of several in all. Runs where it is called, with options.numThreads threads of its own. Throws as
// Dataset::load does, but lists rows that cannot be used, and says in the report why a run would be refused.
session::DatasetReport surveyOf(std::span<const DataOptions> datasets, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const SurveyCallback& progress = {});
session::DatasetReport surveyOf(const DataOptions& options, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const SurveyCallback& progress = {});

// The same report of datasets that are loaded already: nothing is encoded a second time. `loaded` is of the same
// options.
session::DatasetReport surveyOf(std::span<const DataOptions> datasets, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const Dataset& loaded);

} // namespace roundpipe::data
