// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line returns, for scripts. Written down in resources/manual/command-line.md; never renumbered.
#pragma once

#include "base/error.h"

namespace roundpipe::cli {

enum ExitCode : int {
    kSuccess = 0,
    kInternalError = 1,
    kInvalidInput = 2, // a wrong option, file, field or row
    kUnsupported = 3,
    kIoError = 4,
    kNoSpace = 5,
    kOutOfMemory = 6,
    kDeviceError = 7,
    kSelfTestFailed = 8,
    kNothingUsable = 9,  // of data inspect and data stats: no row can be used; of import: there is no data
    kWouldNotStart = 10, // of data stats: rows can be used, and a run would be refused all the same
    kProofFailed = 11,   // of export: it was written, and answers otherwise than what it was made from
    kRunsFailed = 12,    // of queue run: the line is empty, and runs of it have failed
    kNoAnswer = 13,      // of stop and tell: the run does not answer
    kStopped = 130,      // Ctrl-C: the run was saved
    kNotRead = 141,      // who read the output went away, as of a program that SIGPIPE ends
};

inline int exitCodeOf(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::kInvalidInput:
        return kInvalidInput;
    case ErrorKind::kUnsupported:
        return kUnsupported;
    case ErrorKind::kIo:
        return kIoError;
    case ErrorKind::kNoSpace:
        return kNoSpace;
    case ErrorKind::kOutOfMemory:
        return kOutOfMemory;
    case ErrorKind::kDevice:
        return kDeviceError;
    case ErrorKind::kCancelled:
        return kStopped;
    case ErrorKind::kInternal:
        return kInternalError;
    }
    return kInternalError;
}

} // namespace roundpipe::cli
