// SPDX-License-Identifier: GPL-3.0-or-later
// Why a choice is what it is, in words.
#pragma once

#include "plan/search/model_choice.h"

#include <string>
#include <vector>

namespace roundpipe::plan {

// Why the choice is what it is, a sentence for each decision, with the limit that binds.
std::vector<std::string> explain(const ModelChoice& choice, const Rig& rig, const SearchOptions& options = {});

} // namespace roundpipe::plan
