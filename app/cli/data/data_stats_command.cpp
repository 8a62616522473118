// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe data stats: what can be said of a dataset before a run: lengths, masks, duplicates, leaks, dropped rows.
#include "commands.h"
#include "console/passing_line.h"
#include "console/print_error.h"
#include "console/print_json.h"
#include "console/stop_signal.h"
#include "console/terminal.h"
#include "console/warn.h"
#include "data/report/survey.h"
#include "data/row_problem.h"
#include "data/stats_json.h"
#include "data/stats_text.h"
#include "exit_codes.h"
#include "options/data_input.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace roundpipe::cli {
namespace {

struct DataStatsOptions {
    DataInput input;
    bool json = false;
    ColourChoice colours;
};

int showReport(const DataStatsOptions& options) {
    const std::vector<data::DataOptions> datasets = options.input.datasets();
    const text::Tokenizer tokenizer = options.input.openTokenizer();
    const text::ChatTemplate chatTemplate = options.input.openTemplate();
    const StopSignal stop;
    PassingLine line;
    const auto report =
        data::surveyOf(datasets, tokenizer, chatTemplate, [&](const data::LoadProgress& progress, const auto&) {
            line.showRowsRead(progress.numRows, progress.fraction);
            return !stop.requested();
        });
    line.show({});
    if (options.json)
        printJson(statsJson(report));
    else
        printStats(report, datasets, options.colours.wanted());
    warn(options.input.remarks());
    const int64_t longest = std::max(report.training.longest(), report.validation.longest());
    if (const auto remark = session::remarkOnPositions(options.input.maxPositions(), longest)) warn({*remark});
    if (report.refusal.empty()) return kSuccess;
    return report.numUsed == 0 ? kNothingUsable : kWouldNotStart;
}

} // namespace

CommandBody addDataStatsCommand(CLI::App& app) {
    const auto options = std::make_shared<DataStatsOptions>();
    options->input.addTo(app);
    app.add_flag("--json", options->json, "Print one JSON object, with every dropped row.");
    app.add_flag("--no-color", options->colours.never, "No colours; so does NO_COLOR.");
    app.add_flag("--color", options->colours.always, "Colours even where the output is no terminal.")
        ->excludes("--no-color");
    app.footer(
        "Exit status: 0 where a run would start, 9 where no row can be used or the format is unknown, 10 where a run "
        "would be refused all the same.");
    return [options]() -> int {
        try {
            return showReport(*options);
        } catch (const data::NothingUsable& error) { // as `data inspect` ends, which looks no further
            printError(error);
            return kNothingUsable;
        }
    };
}

} // namespace roundpipe::cli
