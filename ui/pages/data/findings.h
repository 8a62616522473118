// What of a dataset's report deserves a look, in sentences, each with its rows.
#pragma once

#include "ui/pages/data/rows_model.h"

#include <QString>

#include <vector>

namespace roundpipe::ui::pages {

struct Finding {
    enum class Weight { kGood, kWarning, kBad };
    Weight weight = Weight::kWarning;
    QString title;               // "34 repeat"
    QString text;                // "an earlier row; row 75 is row 34"
    std::vector<ListedRow> rows; // the first ones; none where it is about no row
};

// The worst first. `files`: the names that rows are shown with.
std::vector<Finding> findingsOf(const session::DatasetReport& report, const QStringList& files);

} // namespace roundpipe::ui::pages
