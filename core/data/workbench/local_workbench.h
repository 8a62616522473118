// SPDX-License-Identifier: GPL-3.0-or-later
// session::Workbench in this process, without LibTorch.
#pragma once

#include "session/workbench.h"

#include <memory>

namespace roundpipe::data {

std::unique_ptr<session::Workbench> makeLocalWorkbench();

} // namespace roundpipe::data
