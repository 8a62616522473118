// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe import: a run of another program as a run file of ours, and what of it has no counterpart.
#include "commands.h"
#include "data/in_part.h"
#include "exit_codes.h"
#include "foreign/foreign_run.h"
#include "options/output_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

namespace roundpipe::cli {
namespace {

struct ImportOptions {
    std::string file;
    Destination target;
};

int importRun(const ImportOptions& options) {
    const foreign::ForeignRun run = foreign::readForeignRun(options.file);
    session::writeRunSpec(run.spec, options.target);
    fmt::print("{}: a run of {}, written to {}\n", options.file, run.program, options.target.path.string());
    for (const foreign::NotTaken& item : run.notTaken)
        fmt::print("  not taken  {}: {} ({})\n", item.key, data::inPartOnOneLine(item.value), item.reason);
    const auto hasFiles = [](const session::DatasetSection& dataset) { return !dataset.files.empty(); };
    if (std::ranges::any_of(run.spec.data.datasets, hasFiles)) return kSuccess;
    fmt::print(
        "  no data    none of its datasets is here: name files when it is trained (roundpipe train {} --data FILE)\n",
        options.target.path.string());
    return kNothingUsable;
}

} // namespace

CommandBody addImportCommand(CLI::App& app) {
    const auto options = std::make_shared<ImportOptions>();
    app.add_option("file", options->file, "Run of LLaMA-Factory, Axolotl or Unsloth (YAML).")->required();
    addOutputFile(app, "--to", options->target, "Run file to write.")->required();
    app.footer("Exit status: 0 where it has data, 9 where the run file was written without any.");
    return [options] { return importRun(*options); };
}

} // namespace roundpipe::cli
