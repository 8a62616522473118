// SPDX-License-Identifier: GPL-3.0-or-later
// Which NVIDIA driver the kernel runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace roundpipe::device {

// "580.65.06" from the text of /proc/driver/nvidia/version; nothing when it holds no version.
std::optional<std::string> parseDriverVersion(std::string_view text);

} // namespace roundpipe::device
