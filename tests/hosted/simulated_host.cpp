// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts a simulated run: simulated_host SPEED [RUN_FOLDER|dies|killed [STEPS]]. With a folder it holds that run's lock,
// as an engine that writes there does; "dies" crashes after two steps, or so many, having said why; "killed" is then
// ended from outside.
#include "base/error.h"
#include "hosted/host_process.h"
#include "runs/run_lock.h"
#include "session/simulated/simulated_engine.h"

#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

int main(int argc, char** argv) {
    using namespace roundpipe;
    const std::string what = argc > 2 ? argv[2] : "";
    const int64_t lastStep = argc > 3 ? std::stoll(argv[3]) : 2;
    const std::unique_ptr<session::Engine> engine = session::makeSimulatedEngine({.speed = std::stod(argv[1])});
    try {
        std::optional<runs::RunLock> lock;
        const bool ends = what == "dies" || what == "killed";
        if (!what.empty() && !ends) lock.emplace(what);
        hosted::hostRun(*engine, [&] {
            if (!ends || engine->snapshot().step < lastStep) return false;
            std::fputs("the driver is gone\n", stderr);
            std::signal(SIGSEGV, SIG_DFL); // a sanitizer would end the process in its own way
            std::raise(what == "dies" ? SIGSEGV : SIGKILL);
            return false;
        });
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
