// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked before a run goes on that was stopped, has failed or was interrupted.
#pragma once

#include "runs/resumption.h"
#include "ui/pages/contract/services.h"

class QWidget;

namespace roundpipe::ui::pages {

// Looks at the run in this folder first, in the library's thread.
void askToContinue(QWidget* parent, const Services& services, const std::filesystem::path& runFolder);

// Says from where the run goes on and what is done again, or why it can't; goes on where that is wanted. Returns at
// once.
void askToContinue(QWidget* parent, const Services& services, const runs::Resumption& resumption);

} // namespace roundpipe::ui::pages
