// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe runs compare: settings that differ, what came out, and curves beside each other.
#include "base/error.h"
#include "base/file.h"
#include "base/secrets.h"
#include "commands.h"
#include "console/print_json.h"
#include "console/table.h"
#include "exit_codes.h"
#include "options/choice_option.h"
#include "options/output_option.h"
#include "runs/compare.h"
#include "runs/metrics_file.h"
#include "runs/run_files.h"
#include "runs/run_library.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace roundpipe::cli {
namespace {

struct CompareOptions {
    std::vector<std::string> runs;
    Destination csv;
    runs::CurveValue value = runs::CurveValue::kLoss;
    runs::CurveAxis axis = runs::CurveAxis::kStep;
    bool json = false;
};

struct Compared {
    std::vector<runs::StoredRun> runs;
    std::vector<runs::Difference> differences;
};

std::string labelOf(const runs::StoredRun& run) {
    return runs::shownFolderOf(run);
}

Compared compared(const std::vector<std::string>& names) {
    runs::RunLibrary library = runs::RunLibrary::ofUser();
    Compared result;
    std::vector<session::RunSpec> specs;
    for (const std::string& name : names) {
        result.runs.push_back(library.find(name));
        specs.push_back(runs::specOf(result.runs.back().folder));
    }
    result.differences = runs::differencesOf(specs);
    return result;
}

// Rows of one text for each run.
class RunTable {
public:
    explicit RunTable(const std::vector<runs::StoredRun>& all) : m_table(columnsFor(all)), m_runs(all) {}

    template <class Text>
    void add(const std::string& title, const Text& text) {
        std::vector<std::string> cells = {title};
        for (const runs::StoredRun& run : m_runs)
            cells.push_back(text(run));
        m_table.addRow(std::move(cells));
    }
    std::string text() const { return m_table.text(); }

private:
    static std::vector<Table::Column> columnsFor(const std::vector<runs::StoredRun>& all) {
        std::vector<Table::Column> columns = {{" ", Table::Align::kLeft}};
        for (const runs::StoredRun& run : all)
            columns.push_back({labelOf(run)});
        return columns;
    }
    Table m_table;
    const std::vector<runs::StoredRun>& m_runs;
};

void print(const Compared& found) {
    RunTable table(found.runs);
    for (const runs::Difference& difference : found.differences) {
        std::size_t i = 0;
        table.add(difference.field->label,
                  [&](const runs::StoredRun&) { return runs::textOf(difference.values[i++]); });
    }
    const auto loss = [](const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : "–"; };
    table.add("State", [](const runs::StoredRun& run) { return std::string(spellingOf(run.outcome)); });
    table.add("Steps done", [](const runs::StoredRun& run) { return std::to_string(run.steps); });
    table.add("Loss", [&](const runs::StoredRun& run) { return loss(run.lastLoss); });
    table.add("Best validation loss", [&](const runs::StoredRun& run) { return loss(run.bestValidation); });
    table.add("Tokens a second", [](const runs::StoredRun& run) { return asRate(run.tokensPerSecond()); });
    table.add("Took", [](const runs::StoredRun& run) { return asTime(run.seconds); });
    table.add("Adapter or model", [](const runs::StoredRun& run) { return asBytes(run.resultBytes()); });
    const auto numDifferent = std::ssize(found.differences);
    fmt::print("{}\n{} of {} settings {}.\n", table.text(), numDifferent, runs::numCompared(),
               numDifferent == 1 ? "differs" : "differ");
}

nlohmann::ordered_json jsonOf(const Compared& found) {
    nlohmann::ordered_json json = {{"runs", nlohmann::ordered_json::array()},
                                   {"differences", nlohmann::ordered_json::object()}};
    for (const runs::StoredRun& run : found.runs)
        json["runs"].push_back(withoutSecrets(run.folder.string()));
    for (const runs::Difference& difference : found.differences)
        for (const session::FieldValue& value : difference.values)
            json["differences"][difference.field->key].push_back(
                std::visit([](const auto& held) { return nlohmann::ordered_json(held); }, value));
    return json;
}

void writeCurves(const Compared& found, const CompareOptions& options) {
    std::string text = fmt::format("run,{},{}\n", spellingOf(options.axis), spellingOf(options.value));
    for (const runs::StoredRun& run : found.runs) {
        const auto steps = runs::readMetrics(runs::RunFiles{run.folder}.metrics());
        const runs::Curve curve = runs::curveOf(steps, options.value, options.axis);
        for (std::size_t i = 0; i < curve.x.size(); ++i)
            text += fmt::format("\"{}\",{},{}\n", labelOf(run), curve.x[i], curve.y[i]);
    }
    writeFileAtomically(options.csv, text);
}

int compare(const CompareOptions& options) {
    const Compared found = compared(options.runs);
    if (options.json)
        printJson(jsonOf(found));
    else
        print(found);
    if (!options.csv.path.empty()) writeCurves(found, options);
    return kSuccess;
}

} // namespace

CommandBody addRunsCompareCommand(CLI::App& app) {
    const auto options = std::make_shared<CompareOptions>();
    app.add_option("runs", options->runs,
                   "Two runs or more: their folders' names, as `runs list` shows them, or paths.")
        ->required()
        ->expected(2, 100);
    addOutputFile(app, "--csv", options->csv, "Write their curves into this file: run, place, value.");
    addChoice(app, "--curve", options->value, "Which curve.");
    addChoice(app, "--by", options->axis, "Over what.");
    app.add_flag("--json", options->json, "Print one JSON object.");
    return [options] { return compare(*options); };
}

} // namespace roundpipe::cli
