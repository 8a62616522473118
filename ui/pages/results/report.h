// SPDX-License-Identifier: GPL-3.0-or-later
// A run on paper: its numbers, loss, answers and every setting, as one HTML file or as PDF.
#pragma once

#include "ui/bridge/run_library_controller.h"

#include <QString>

namespace roundpipe::ui::pages {

// Self-contained: the picture stands in it. Any thread.
QString reportHtml(const bridge::RunDetails& details);
// Throws kIo and kNoSpace, and leaves what stood there before. Any thread.
void writeReportPdf(const bridge::RunDetails& details, const QString& file);

} // namespace roundpipe::ui::pages
