// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of a plan's choice ask for.
#pragma once

#include "plan/search/model_choice.h"

namespace roundpipe::plan {

arch::ModelSpec model8b(); // of Qwen3-8B's shape

// A step of sixteen sequences of it on `rig`, LoRA of rank 16.
ModelRequest request(const char* rig);

} // namespace roundpipe::plan
