// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/file_calls.h"

#include <cerrno>
#include <cstdio>
#include <dlfcn.h>
#include <unistd.h>

namespace roundpipe::testing {

std::function<int(const std::string& from, const std::string& to)> g_onRename;
std::function<void(const std::string& link)> g_onLinkRead;

namespace {

thread_local bool t_isAsked = false; // what is renamed meanwhile is the test's

bool fails(const char* from, const char* to) {
    if (!g_onRename || t_isAsked) return false;
    t_isAsked = true;
    const int number = g_onRename(from, to);
    t_isAsked = false;
    errno = number;
    return number != 0;
}

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

} // namespace
} // namespace roundpipe::testing

// In place of the C library's, for all that is linked into the test.
extern "C" int rename(const char* from, const char* to) noexcept {
    static const auto real = roundpipe::testing::next<int (*)(const char*, const char*)>("rename");
    return roundpipe::testing::fails(from, to) ? -1 : real(from, to);
}

extern "C" int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned int flags) noexcept {
    static const auto real =
        roundpipe::testing::next<int (*)(int, const char*, int, const char*, unsigned int)>("renameat2");
    return roundpipe::testing::fails(from, to) ? -1 : real(fromFolder, from, toFolder, to, flags);
}

extern "C" ssize_t readlink(const char* path, char* to, size_t size) noexcept {
    static const auto real = roundpipe::testing::next<ssize_t (*)(const char*, char*, size_t)>("readlink");
    const ssize_t length = real(path, to, size);
    if (roundpipe::testing::g_onLinkRead && !roundpipe::testing::t_isAsked) {
        const int number = errno;
        roundpipe::testing::g_onLinkRead(path);
        errno = number;
    }
    return length;
}
