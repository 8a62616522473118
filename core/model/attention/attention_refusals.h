// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace roundpipe::model {

// Where in this process LibTorch's attention computes though cuDNN's was meant to, and why: a sentence for each kind
// that failed its trial (cudnn_trial.h). Any thread.
std::vector<std::string> attentionRefusals();

} // namespace roundpipe::model
