// SPDX-License-Identifier: GPL-3.0-or-later
// A machine that was suspended, for LD_PRELOAD: the clock that goes on meanwhile (CLOCK_BOOTTIME) is as many seconds
// ahead as the file SLEEPING_MACHINE says, none while there is no such file.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>

namespace {

long sleptSeconds() {
    const char* const path = std::getenv("SLEEPING_MACHINE");
    std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "r");
    if (file == nullptr) return 0;
    long seconds = 0;
    if (std::fscanf(file, "%ld", &seconds) != 1) seconds = 0;
    std::fclose(file);
    return seconds;
}

} // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
    static const auto real = reinterpret_cast<int (*)(clockid_t, timespec*)>(::dlsym(RTLD_NEXT, "clock_gettime"));
    const int failed = real(clock, time);
    if (failed == 0 && clock == CLOCK_BOOTTIME) time->tv_sec += sleptSeconds();
    return failed;
}
