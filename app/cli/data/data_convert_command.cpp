// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe data convert: any chat format → OpenAI's messages, one JSON object a line.
#include "base/error.h"
#include "base/file.h"
#include "commands.h"
#include "data/files/row_file.h"
#include "data/report/inspect.h"
#include "exit_codes.h"
#include "options/data_input.h"
#include "options/output_option.h"

#include <fmt/format.h>

#include <memory>
#include <span>

namespace roundpipe::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertDataOptions {
    FileInput input;
    Destination target;
};

void refuseToReplaceWhatIsRead(const ConvertDataOptions& options, const data::DataOptions& read) {
    for (const fs::path& file : read.files)
        if (std::error_code none; fs::equivalent(file, options.target.path, none))
            throw invalidInput(
                fmt::format("'{}' is read and cannot be written at the same time.", options.target.path.string()),
                "Choose another name for --to.");
}

int convert(const ConvertDataOptions& options) {
    const data::DataOptions read = options.input.options();
    refuseToReplaceWhatIsRead(options, read);
    data::Converted total;
    writeFileAtomically(options.target, [&](const std::function<void(std::span<const std::byte>)>& put) {
        for (const fs::path& file : read.files) {
            const char* unit = unitOf(data::examineFile(file).kind);
            const data::Converted converted = data::convertToMessages(
                file, read.format, [&](const std::string& line) { put(std::as_bytes(std::span(line))); },
                [&](const data::BadRow& row) {
                    fmt::print(stderr, "left out: '{}', {} {}: {}\n", file.string(), unit, row.number, row.problem);
                });
            total.numWritten += converted.numWritten;
            total.numLeftOut += converted.numLeftOut;
        }
        for (const fs::path& file : read.validationFiles)
            fmt::print(stderr, "left out: '{}', which is to validate on, by its name\n", file.string());
        if (total.numWritten == 0) throw invalidInput("No row can be converted.", "The reasons stand above.");
    });
    fmt::print("{} row{} written to {}{}\n", total.numWritten, total.numWritten == 1 ? "" : "s",
               options.target.path.string(),
               total.numLeftOut == 0 ? "" : fmt::format(", {} left out", total.numLeftOut));
    return kSuccess;
}

} // namespace

CommandBody addDataConvertCommand(CLI::App& app) {
    const auto options = std::make_shared<ConvertDataOptions>();
    addOutputFile(app, "--to", options->target, "File to write, as JSONL of OpenAI's messages.")->required();
    options->input.addTo(app);
    return [options] { return convert(*options); };
}

} // namespace roundpipe::cli
