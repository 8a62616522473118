// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that are shown to be copied, as a terminal of this machine finds the program.
#pragma once

#include <QString>

namespace roundpipe::ui::models {

// "roundpipe train …" as it is where a terminal finds that program, else with the path of the one that came with this
// window, if there is one.
QString asTyped(const QString& command);

// A sentence to be wrapped, where a line ends neither inside of an option ("--max-length") nor between it and its
// value. What is to be copied keeps its hyphens as they are: an invisible character beside them would be typed, too.
QString withWholeOptions(QString sentence, bool isCopied = false);

} // namespace roundpipe::ui::models
