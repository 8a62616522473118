// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

#include "base/secrets.h"

#include <cerrno>
#include <cstring>

namespace roundpipe {
namespace {

// What to do, by what is in the way; empty: the message says all there is.
std::string adviceOn(int errnoValue) {
    switch (errnoValue) {
    case ENOSPC:
    case EDQUOT:
        return "Free some disk space or choose another folder.";
    case EFBIG:
        return "The file system, or a limit of the user's (ulimit -f), has no files of that size: write elsewhere, or "
               "raise the limit.";
    case EACCES:
    case EPERM:
        return "Permission is lacking: give it to the user who runs this (chmod, chown), or choose another place.";
    case EROFS:
        return "The file system is mounted read-only, which the system does itself where a disk fails (dmesg says so): "
               "mount it for writing, or choose another place.";
    case EIO:
        return "The disk, or the connection to it, fails; dmesg says more. Save what is on it elsewhere.";
    default:
        return {};
    }
}

std::string joined(const std::string& message, const std::string& advice) {
    return advice.empty() ? message : message + " " + advice;
}

} // namespace

const char* toString(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::kInvalidInput:
        return "invalid-input";
    case ErrorKind::kUnsupported:
        return "unsupported";
    case ErrorKind::kIo:
        return "io";
    case ErrorKind::kNoSpace:
        return "no-space";
    case ErrorKind::kOutOfMemory:
        return "out-of-memory";
    case ErrorKind::kDevice:
        return "device";
    case ErrorKind::kCancelled:
        return "cancelled";
    case ErrorKind::kInternal:
        return "internal";
    }
    return "internal";
}

// An error quotes what was typed, and goes into logs, journals and reports.
Error::Error(ErrorKind kind, std::string message, std::string advice)
    : std::runtime_error(withoutSecrets(joined(message, advice)))
    , m_kind(kind)
    , m_message(withoutSecrets(std::move(message)))
    , m_advice(withoutSecrets(std::move(advice))) {}

Error invalidInput(std::string message, std::string advice) {
    return {ErrorKind::kInvalidInput, std::move(message), std::move(advice)};
}

Error unsupported(std::string message, std::string advice) {
    return {ErrorKind::kUnsupported, std::move(message), std::move(advice)};
}

Error ioError(const std::string& doing, const std::filesystem::path& path, int errnoValue) {
    std::string message = "Cannot " + doing + " '" + path.string() + "'";
    if (errnoValue != 0) message += std::string(": ") + std::strerror(errnoValue);
    message += '.';
    const bool isFull = errnoValue == ENOSPC || errnoValue == EDQUOT;
    return {isFull ? ErrorKind::kNoSpace : ErrorKind::kIo, std::move(message), adviceOn(errnoValue)};
}

void failCheck(const char* expression, const char* file, int line) {
    throw Error(ErrorKind::kInternal,
                std::string("Broken invariant: ") + expression + " (" + file + ":" + std::to_string(line) + ").",
                "This is a bug in RoundPipe Studio; please report it with the run folder.");
}

} // namespace roundpipe
