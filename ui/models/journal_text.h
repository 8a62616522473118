// SPDX-License-Identifier: GPL-3.0-or-later
// The journal of a run in words: what happened as codes in the window's language, details as they were written down.
#pragma once

#include "runs/journal.h"

#include <QString>

#include <vector>

namespace roundpipe::ui::models {

QString journalText(const runs::JournalEntry& entry); // "Step 40: checkpoint checkpoints/last"
// A line for each, with its time; a day before the first line of each.
QString journalText(const std::vector<runs::JournalEntry>& journal);

} // namespace roundpipe::ui::models
