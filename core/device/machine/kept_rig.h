// SPDX-License-Identifier: GPL-3.0-or-later
// What was measured last of this machine's devices, kept so that a run is planned for the rig that its plan was shown
// of: one rig file for each set of devices, in the folder `rigs` beside measured times (plan::profileFolder()).
#pragma once

#include "device/device.h"
#include "plan/rig/rig.h"

#include <memory>
#include <optional>
#include <span>

namespace roundpipe::device {

// Replaces what was kept of these devices, in this order and with these limits. A GPU is known by its number and its
// place in the machine. What cannot be written is a warning.
void keepRig(std::span<const std::unique_ptr<Device>> devices, const plan::Rig& rig);

// Nothing where none was kept; a file that cannot be read is a warning. Memory is what was free then.
std::optional<plan::Rig> keptRig(std::span<const std::unique_ptr<Device>> devices);

} // namespace roundpipe::device
