// SPDX-License-Identifier: GPL-3.0-or-later
// What of a dataset's report deserves a look, in sentences, each with its rows.
#pragma once

#include "ui/pages/data/rows/rows_model.h"

#include <QString>

#include <optional>
#include <vector>

namespace roundpipe::ui::pages {

// What somebody can do about a finding.
struct RowsChoice {
    std::optional<LeaveOut> rule; // nothing: the rows that are left out one by one
    bool leavesOut = true;        // false: takes them back
    QString label;                // "Keep one of each"
};

struct Finding {
    enum class Weight { kGood, kWarning, kBad };
    Weight weight = Weight::kWarning;
    QString title;               // "34 repeat"
    QString text;                // "an earlier row; row 75 is row 34"
    std::vector<ListedRow> rows; // the first ones; none where it is about no row
    std::optional<RowsChoice> choice = std::nullopt;
};

// The worst first. `files`: the names that rows are shown with.
std::vector<Finding> findingsOf(const session::DatasetReport& report, const QStringList& files);

} // namespace roundpipe::ui::pages
