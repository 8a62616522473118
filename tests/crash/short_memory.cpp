// SPDX-License-Identifier: GPL-3.0-or-later
// A machine whose memory runs out, for LD_PRELOAD: who opens /proc/pressure/memory gets the file SHORT_MEMORY.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace {

const char* inPlaceOf(const char* path) {
    const char* const file = std::getenv("SHORT_MEMORY");
    return file != nullptr && std::strcmp(path, "/proc/pressure/memory") == 0 ? file : path;
}

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" FILE* fopen(const char* path, const char* mode) {
    static const auto real = next<FILE* (*)(const char*, const char*)>("fopen");
    return real(inPlaceOf(path), mode);
}

extern "C" FILE* fopen64(const char* path, const char* mode) {
    static const auto real = next<FILE* (*)(const char*, const char*)>("fopen64");
    return real(inPlaceOf(path), mode);
}
