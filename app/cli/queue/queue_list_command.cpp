// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe queue list: what trains and what waits.
#include "commands.h"
#include "console/print_json.h"
#include "console/table.h"
#include "exit_codes.h"
#include "queue/expected_times.h"
#include "queue/queue_choices.h"
#include "session/spec/value_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace roundpipe::cli {
namespace {

using queue::LeftRun;
using queue::QueuedRun;
using Json = nlohmann::ordered_json;

void printUnderWay(const std::vector<LeftRun>& left) {
    Table table({{"number"},
                 {"trains now", Table::Align::kLeft},
                 {"sweep", Table::Align::kLeft},
                 {"devices", Table::Align::kLeft},
                 {"step", Table::Align::kLeft},
                 {"since", Table::Align::kLeft},
                 {"left"}});
    bool isAny = false;
    for (const LeftRun& run : left) {
        if (!run.isUnderWay() && !run.isStarting) continue;
        isAny = true;
        const int64_t total = run.run ? run.run->totalSteps : 0;
        const std::string step =
            run.isStarting || total == 0 ? "preparing" : fmt::format("{} of {}", run.run->steps, total);
        table.addRow({std::to_string(run.entry.number), run.name(), run.entry.sweep, session::textOf(run.devices()),
                      step, run.run ? asDate(run.run->startedAt) : "",
                      run.secondsLeft() > 0 ? asTime(run.secondsLeft()) : ""});
    }
    if (isAny) fmt::print("{}\n", table.text());
}

void printWaiting(const std::vector<QueuedRun>& waiting) {
    if (waiting.empty()) return fmt::print("Nothing waits.\n");
    Table table({{"number"},
                 {"waits", Table::Align::kLeft},
                 {"sweep", Table::Align::kLeft},
                 {"model", Table::Align::kLeft},
                 {"devices", Table::Align::kLeft},
                 {"expected"}});
    for (const QueuedRun& run : waiting)
        if (run.isReadable())
            table.addRow({std::to_string(run.number), run.spec.name, run.sweep, run.spec.model.path,
                          session::textOf(run.spec.engine.devices),
                          run.expectedSeconds > 0 ? asTime(run.expectedSeconds) : ""});
        else
            table.addRow({std::to_string(run.number), run.spec.name, run.sweep, "can't be read", "", ""});
    fmt::print("{}", table.text());
    for (const QueuedRun& run : waiting)
        if (!run.isReadable()) fmt::print("{}\n{}\n", run.problem, run.advice);
}

Json jsonOf(const QueuedRun& run) {
    return {{"number", run.number},
            {"name", run.spec.name},
            {"sweep", run.sweep},
            {"devices", run.isReadable() ? Json(run.spec.engine.devices) : Json()},
            {"expected_seconds", run.expectedSeconds},
            {"run", run.isReadable() ? Json::parse(session::toJson(run.spec)) : Json()},
            {"problem", run.problem}};
}

int list(bool asJson) {
    const queue::RunQueue line = queue::RunQueue::ofUser();
    const queue::QueueContents all = line.contents();
    if (asJson) {
        Json waiting = Json::array();
        for (const QueuedRun& run : all.waiting)
            waiting.push_back(jsonOf(run));
        printJson(waiting);
        return kSuccess;
    }
    runs::RunLibrary library = runs::RunLibrary::ofUser();
    const std::vector<LeftRun> left = queue::leftRunsOf(all.begun, library, line.isTrained());
    printUnderWay(left);
    printWaiting(all.waiting);
    printChoices(all.choices);
    if (const std::string words = whenDone(all.waiting, left, all.choices.isPaused); !words.empty())
        fmt::print("{}\n", words);
    return kSuccess;
}

} // namespace

CommandBody addQueueListCommand(CLI::App& app) {
    const auto json = std::make_shared<bool>(false);
    app.add_flag("--json", *json, "What waits, as a list for scripts; `queue results --json` has what trains.");
    return [json] { return list(*json); };
}

} // namespace roundpipe::cli
