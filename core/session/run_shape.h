// What a RunSpec means in the terms of those who plan and run it.
#pragma once

#include "batch/epoch_order.h"
#include "session/run_spec.h"

namespace roundpipe::session {

// With the microbatch_tokens that are meant where the spec says none: microbatch_size × max_length, if packing or a
// budget of tokens needs them.
batch::StepRules stepRulesOf(const RunSpec& spec);
batch::DrawOrder drawOrderOf(const RunSpec& spec);

} // namespace roundpipe::session
