// SPDX-License-Identifier: GPL-3.0-or-later
// A device that has work and does not come to an end with it, whether it hangs or is lost without a word.
#pragma once

#include "base/error.h"

namespace roundpipe::device {

class DeviceHung final : public Error {
public:
    explicit DeviceHung(std::string message)
        : Error(ErrorKind::kDevice, std::move(message),
                "See what nvidia-smi and the system's log say of it; start the program again, and the machine where "
                "that does not help.") {}
};

} // namespace roundpipe::device
