// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two runs want the same devices.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace roundpipe::queue {

// Of `engine.devices` as a run has them. "auto" is all there are. Runs on processors stand in nobody's way but each
// other's, as each takes all of it.
bool shareDevices(const std::vector<std::string>& a, const std::vector<std::string>& b);

// Runs by their devices -> the lines in which they wait: those that stand in each other's way, one of them through
// others too, are of one line. Lines by their first run, each in the order of the runs.
std::vector<std::vector<std::size_t>> linesOf(const std::vector<std::vector<std::string>>& devicesOfRuns);

} // namespace roundpipe::queue
