// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two runs want the same devices.
#pragma once

#include <string>
#include <vector>

namespace roundpipe::queue {

// Of `engine.devices` as a run has them. "auto" is all there are. Runs on processors stand in nobody's way but each
// other's, as each takes all of it.
bool shareDevices(const std::vector<std::string>& a, const std::vector<std::string>& b);

} // namespace roundpipe::queue
