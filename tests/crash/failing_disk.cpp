// SPDX-License-Identifier: GPL-3.0-or-later
// A disk that fails, for LD_PRELOAD: calls on files below the folder FAILING_DISK get what FAILING_DISK_FAULT says.
//   short   write() takes one byte to all of what it is given, at random
//   enospc  write() and fsync() of call number FAILING_DISK_FROM up to FAILING_DISK_TO fail with ENOSPC
//   eio     the same with EIO
//   erofs   the same with EROFS, as of a disk that the system has made read-only
//   eio-read pread() fails with EIO instead
// Calls count over the whole process, from 1.
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/types.h>
#include <unistd.h>

namespace {

std::atomic<long> g_calls{0};
std::atomic<unsigned> g_random{1};

const char* setting(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool isBelow(int descriptor) {
    const char* const folder = setting("FAILING_DISK");
    if (*folder == 0) return false;
    char path[PATH_MAX];
    const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), path, sizeof(path) - 1);
    if (size <= 0) return false;
    path[size] = 0;
    return std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool isFault(const char* name) {
    return std::strcmp(setting("FAILING_DISK_FAULT"), name) == 0;
}

// The number that a call fails with; 0: it does not.
int failure() {
    const int number = isFault("enospc") ? ENOSPC : isFault("eio") ? EIO : isFault("erofs") ? EROFS : 0;
    if (number == 0) return 0;
    const long call = ++g_calls;
    const bool fails = call >= std::atol(setting("FAILING_DISK_FROM")) && call <= std::atol(setting("FAILING_DISK_TO"));
    return fails ? number : 0;
}

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" ssize_t write(int descriptor, const void* bytes, size_t count) {
    static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
    if (!isBelow(descriptor)) return real(descriptor, bytes, count);
    if (isFault("short") && count > 1) {
        const unsigned drawn = g_random = g_random * 1103515245U + 12345U;
        return real(descriptor, bytes, 1 + drawn / 65536U % count);
    }
    if (const int number = failure(); number != 0) {
        errno = number;
        return -1;
    }
    return real(descriptor, bytes, count);
}

extern "C" int fsync(int descriptor) {
    static const auto real = next<int (*)(int)>("fsync");
    if (!isBelow(descriptor)) return real(descriptor);
    if (const int number = failure(); number != 0) {
        errno = number;
        return -1;
    }
    return real(descriptor);
}

extern "C" ssize_t pread(int descriptor, void* bytes, size_t count, off_t offset) {
    static const auto real = next<ssize_t (*)(int, void*, size_t, off_t)>("pread");
    if (isFault("eio-read") && isBelow(descriptor)) {
        errno = EIO;
        return -1;
    }
    return real(descriptor, bytes, count, offset);
}
