// SPDX-License-Identifier: GPL-3.0-or-later
// A machine whose memory runs out, for LD_PRELOAD: who opens /proc/pressure/memory or /proc/meminfo gets "pressure" or
// "meminfo" of the folder SHORT_MEMORY.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace {

std::string inPlaceOf(const char* path) {
    const char* const folder = std::getenv("SHORT_MEMORY");
    if (folder == nullptr) return path;
    if (std::strcmp(path, "/proc/pressure/memory") == 0) return std::string(folder) + "/pressure";
    return std::strcmp(path, "/proc/meminfo") == 0 ? std::string(folder) + "/meminfo" : path;
}

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" FILE* fopen(const char* path, const char* mode) {
    static const auto real = next<FILE* (*)(const char*, const char*)>("fopen");
    return real(inPlaceOf(path).c_str(), mode);
}

extern "C" FILE* fopen64(const char* path, const char* mode) {
    static const auto real = next<FILE* (*)(const char*, const char*)>("fopen64");
    return real(inPlaceOf(path).c_str(), mode);
}
