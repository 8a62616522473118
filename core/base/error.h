// SPDX-License-Identifier: GPL-3.0-or-later
// Typed exceptions with context. Every error that a user can meet says what is wrong, where, and what to do.
//
// They are thrown anywhere in core, caught at the top of each thread, and delivered as status; nothing in core calls
// exit or abort on a recoverable path.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace roundpipe {

// What kind of failure it is: decides the exit code of the command line and the icon of a message box.
enum class ErrorKind {
    kInvalidInput, // a file, field or option that the user gave is wrong
    kUnsupported,  // valid, but nothing that we can run (an architecture, a quantisation)
    kIo,           // the file system failed: missing, unreadable, unwritable, truncated
    kNoSpace,      // the disk is full
    kOutOfMemory,  // host or device memory ran out
    kDevice,       // a GPU or its driver failed
    kCancelled,    // the user asked to stop
    kInternal,     // a broken invariant: our fault
};

// Stable name of a kind, for scripts and logs ("invalid-input").
const char* toString(ErrorKind kind);

class Error : public std::runtime_error {
public:
    // `message`: one sentence that names the file, row or field. `advice`: what to do, may be empty.
    Error(ErrorKind kind, std::string message, std::string advice = {});

    ErrorKind kind() const { return m_kind; }
    const std::string& message() const { return m_message; }
    const std::string& advice() const { return m_advice; }

private:
    ErrorKind m_kind;
    std::string m_message;
    std::string m_advice;
};

// Shorthands for the kinds that core throws most.
Error invalidInput(std::string message, std::string advice = {});
Error unsupported(std::string message, std::string advice = {});
// Adds the path and the text of `errnoValue` (0: none); ENOSPC and EDQUOT become kNoSpace.
Error ioError(const std::string& doing, const std::filesystem::path& path, int errnoValue = 0);

// Throws kInternal with file and line. For broken invariants of our own, never for user input.
[[noreturn]] void failCheck(const char* expression, const char* file, int line);

} // namespace roundpipe

#define RP_CHECK(expression)                                                                                           \
    do {                                                                                                               \
        if (!(expression)) ::roundpipe::failCheck(#expression, __FILE__, __LINE__);                                    \
    } while (false)
