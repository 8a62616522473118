// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the examples fit into a run's steps; who does not is named by its file and row.
#pragma once

#include "batch/step_rules.h"
#include "data/store/dataset.h"

namespace roundpipe::data {

// Throws kInvalidInput naming the field, and file and row of the longest example, where that alone exceeds a limit in
// tokens (what batch::validate() can only say of "an example").
void requireRoom(const Dataset& dataset, const batch::StepRules& rules);

} // namespace roundpipe::data
