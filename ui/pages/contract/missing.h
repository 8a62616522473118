// SPDX-License-Identifier: GPL-3.0-or-later
// What is still to be chosen before a run can start.
#pragma once

#include <QString>

namespace roundpipe::ui::pages {

struct Missing {
    QString text;            // "Choose a model folder"
    QString page;            // the id of the page where that is done
    QString field;           // the setting there, "model.path"; empty: the page as a whole
    bool isEstimate = false; // it may be wrong: who insists may start
};

} // namespace roundpipe::ui::pages
