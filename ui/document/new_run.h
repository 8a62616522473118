// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is started with: the project as it stands, with a place for its results.
#pragma once

#include "ui/document/document.h"

namespace roundpipe::ui::document {

// Names a fresh run folder in the user's data folder where the spec names none.
session::RunSpec specForNewRun(const Document& document);

} // namespace roundpipe::ui::document
