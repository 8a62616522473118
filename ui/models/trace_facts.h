// SPDX-License-Identifier: GPL-3.0-or-later
// What a trace says of its run, in the user's language. Files have it in English, for other programs (session's
// aboutOf); what is of no form that is known here, as of a newer program, stays as it was written.
#pragma once

#include "trace/store/lane_store.h"

#include <QString>

#include <vector>

namespace roundpipe::ui::models {

// "model: Qwen3, 28 blocks, hidden 2048, 1.72 B parameters · device: cuda:0 …": facts of one name, as devices are,
// stand together.
QString traceFactsText(const std::vector<trace::Fact>& facts);

} // namespace roundpipe::ui::models
