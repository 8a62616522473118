// SPDX-License-Identifier: GPL-3.0-or-later
// A run of another program of any bytes: refused in words, or a run of ours that is written and read as the same, with
// a list of the rest.
#include "base/error.h"
#include "foreign/foreign_run.h"
#include "fuzz_target.h"
#include "scratch_file.h"

using namespace roundpipe;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::filesystem::path& file = writtenFile(data, size, ".yaml");
    try {
        const foreign::ForeignRun run = foreign::readForeignRun(file);
        require(!run.program.empty(), "the program is told");
        require(!run.spec.data.datasets.empty(), "a run has a dataset, be it empty");
        for (const foreign::NotTaken& item : run.notTaken)
            require(!item.reason.empty(), "a reason stands beside what is not taken");
        const std::string written = session::toJson(run.spec);
        require(session::toJson(session::parseRunSpec(written, "written")) == written, "a run is read as written");
    } catch (const Error& error) {
        require(error.kind() != ErrorKind::kInternal, error.what());
    }
    return 0;
}
