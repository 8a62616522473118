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

// Where else in the window a finding is mended.
struct FindingLead {
    QString label; // "Chat template"
    QString page;
    QString field; // empty: the page as a whole
};

struct Finding {
    enum class Weight { kGood, kWarning, kBad };
    Weight weight = Weight::kWarning;
    QString title;               // "34 repeat"
    QString text;                // "an earlier row; row 75 is row 34"
    std::vector<ListedRow> rows; // the first ones; none where it is about no row
    std::optional<RowsChoice> choice = std::nullopt;
    std::optional<FindingLead> lead = std::nullopt;
};

// To the setting that a text of core's names, on the page Settings; nothing where it names none, or one that the page
// Data has itself.
std::optional<FindingLead> leadTo(const QString& text);

// The worst first. `files`: the names that rows are shown with.
std::vector<Finding> findingsOf(const session::DatasetReport& report, const QStringList& files);

} // namespace roundpipe::ui::pages
