// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

#include <cerrno>
#include <cstring>

namespace roundpipe {
namespace {

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

Error::Error(ErrorKind kind, std::string message, std::string advice)
    : std::runtime_error(joined(message, advice))
    , m_kind(kind)
    , m_message(std::move(message))
    , m_advice(std::move(advice)) {}

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
    if (errnoValue == ENOSPC || errnoValue == EDQUOT)
        return {ErrorKind::kNoSpace, std::move(message), "Free some disk space or choose another folder."};
    if (errnoValue == EFBIG)
        return {ErrorKind::kIo, std::move(message),
                "The file system, or a limit of the user's (ulimit -f), has no files of that size: write elsewhere, or "
                "raise the limit."};
    return {ErrorKind::kIo, std::move(message)};
}

void failCheck(const char* expression, const char* file, int line) {
    throw Error(ErrorKind::kInternal,
                std::string("Broken invariant: ") + expression + " (" + file + ":" + std::to_string(line) + ").",
                "This is a bug in RoundPipe Studio; please report it with the run folder.");
}

} // namespace roundpipe
