// SPDX-License-Identifier: GPL-3.0-or-later
// session::Exporter in this process.
#pragma once

#include "session/exporter.h"

#include <memory>

namespace roundpipe::engine {

std::unique_ptr<session::Exporter> makeExporter();

} // namespace roundpipe::engine
