// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe data inspect: what data files hold, without a model.
#include "base/units.h"
#include "commands.h"
#include "console/passing_line.h"
#include "console/print_json.h"
#include "console/stop_signal.h"
#include "data/files/records/compression.h"
#include "data/in_part.h"
#include "data/report/inspect.h"
#include "exit_codes.h"
#include "options/data_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace roundpipe::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownBytes = 400; // of a row

struct InspectDataOptions {
    FileInput input;
    int64_t limit = 0;
    bool json = false;
};

std::string mappingOf(const data::RowFormat& format) {
    std::vector<std::string> mappings;
    for (const auto& [field, column] : format.columns)
        if (!column.empty()) mappings.push_back(field + "=" + column);
    return fmt::format("{}", fmt::join(mappings, ","));
}

// Fields that neither we nor OpenAI's form of messages know, as paths: "messages.mask".
std::vector<std::string> odderFieldsOf(const data::FileReport& report) {
    constexpr std::string_view kUsual[] = {"name", "tool_call_id"};
    std::vector<std::string> paths;
    for (const auto& [column, name, isOfCall] : report.messageFields)
        if (std::ranges::find(kUsual, name) == std::end(kUsual)) paths.push_back(column + "." + name);
    return paths;
}

Json jsonOf(const data::FileReport& report) {
    Json columns = Json::array(), badRows = Json::array(), firstRows = Json::array(), missing = Json::array(),
         notUsed = Json::array();
    for (const data::ColumnReport& column : report.columns)
        columns.push_back({{"name", column.name},
                           {"rows", column.numRows},
                           {"types", column.types},
                           {"read", column.isRead},
                           {"example", column.example}});
    for (const data::NamedColumn& column : report.missingColumns)
        missing.push_back({{"name", column.name}, {"setting", column.setting}});
    for (const session::RowRemark idle : report.idleSettings)
        notUsed.push_back(session::Remark(idle).text());
    for (const data::BadRow& row : report.badRows)
        badRows.push_back({{"number", row.number}, {"problem", row.problem}});
    for (const std::string& row : report.firstRows)
        firstRows.push_back(Json::parse(row));
    return {{"path", report.file.path.string()},
            {"kind", toString(report.file.kind)},
            {"compression", toString(report.file.compression)},
            {"bytes", report.fileBytes},
            {"unit", unitOf(report.file.kind)},
            {"rows", report.numRows},
            {"all_rows_read", report.isWhole},
            {"bad_rows", report.numBad},
            {"format", spellingOf(report.format.kind)},
            {"format_reason", report.formatReason.text()},
            {"format_problem", report.formatProblem},
            {"column_mapping", mappingOf(report.format)},
            {"columns", std::move(columns)},
            {"message_fields", odderFieldsOf(report)},
            {"missing_columns", std::move(missing)},
            {"not_used", std::move(notUsed)},
            {"first_rows", std::move(firstRows)},
            {"first_bad_rows", std::move(badRows)}};
}

void printCounts(const data::FileReport& report) {
    fmt::print("  rows     {}{}, {}\n", report.numRows, report.isWhole ? "" : " read so far",
               report.format.kind == DataFormat::kAuto ? "none of which can be used"
                                                       : fmt::format("{} of them cannot be used", report.numBad));
}

void printColumns(const data::FileReport& report) {
    fmt::print("  columns\n");
    for (const data::ColumnReport& column : report.columns)
        fmt::print("    {}: {} in {}{}, such as {}\n", data::inPartOnOneLine(column.name),
                   column.types.empty() ? "null" : fmt::format("{}", fmt::join(column.types, " or ")),
                   column.numRows == 1 ? "1 row" : fmt::format("{} rows", column.numRows),
                   column.isRead ? "" : ", not read", column.example);
    if (const std::vector<std::string> fields = odderFieldsOf(report); !fields.empty())
        fmt::print("    {}: not read, unless by the model's chat template; data stats --model DIR tells\n",
                   data::inPartOnOneLine(fmt::format("{}", fmt::join(fields, ", ")), kShownBytes));
}

void printBadRows(const data::FileReport& report) {
    for (const data::BadRow& row : report.badRows)
        fmt::print("  {} {} {}\n", unitOf(report.file.kind), row.number, row.problem);
    if (report.numBad > static_cast<int64_t>(report.badRows.size()))
        fmt::print("  and {} more bad rows\n", report.numBad - static_cast<int64_t>(report.badRows.size()));
}

void print(const data::FileReport& report) {
    const std::string compression = report.file.compression == data::Compression::kNone
                                        ? ""
                                        : fmt::format(", {}", toString(report.file.compression));
    fmt::print("{}\n", report.file.path.string());
    fmt::print("  kind     {}{}, {}\n", toString(report.file.kind), compression, formatBytes(report.fileBytes));
    printCounts(report);
    if (report.formatProblem.empty())
        fmt::print("  format   {}{}{}\n", spellingOf(report.format.kind),
                   report.formatReason.empty() ? "" : ": " + report.formatReason.text(),
                   mappingOf(report.format).empty() ? "" : " (--columns " + mappingOf(report.format) + ")");
    else
        fmt::print("  format   unknown. {}\n", report.formatProblem);
    for (const session::RowRemark idle : report.idleSettings)
        fmt::print("  not used {}\n", session::Remark(idle).text());
    for (const data::NamedColumn& column : report.missingColumns)
        fmt::print("  missing  no row has a column '{}' ({})\n", column.name, column.setting);
    printColumns(report);
    for (const std::string& row : report.firstRows)
        fmt::print("  row      {}\n", data::inPart(row, kShownBytes));
    printBadRows(report);
}

// A large file's first rows are shown at once, and what is different of all of them when they have been read.
class Inspector {
public:
    explicit Inspector(const data::InspectLimits& limits) : m_limits(limits) {}

    data::FileReport inspect(const std::filesystem::path& file, const data::RowFormat& format, bool prints) {
        bool isShown = false;
        const auto report = data::inspectFile(file, format, m_limits, [&](const auto& progress, const auto& soFar) {
            if (prints && !std::exchange(isShown, true)) {
                print(soFar());
                fmt::print("Reading on for the other rows; Ctrl-C stops.\n");
                std::fflush(stdout);
            }
            m_line.showRowsRead(progress.numRows, progress.fraction);
            return !m_stop.requested();
        });
        m_line.show({});
        if (prints && isShown)
            printAll(report);
        else if (prints)
            print(report);
        return report;
    }

private:
    static void printAll(const data::FileReport& report) {
        fmt::print("{}, {}\n", report.file.path.string(), report.isWhole ? "all of it" : "stopped");
        printCounts(report);
        printColumns(report);
        printBadRows(report);
    }

    data::InspectLimits m_limits;
    StopSignal m_stop;
    PassingLine m_line;
};

} // namespace

CommandBody addDataInspectCommand(CLI::App& app) {
    const auto options = std::make_shared<InspectDataOptions>();
    options->input.addTo(app);
    app.add_option("--rows", options->limit, "Rows of each file to read at most; 0: all.")
        ->check(CLI::Range(int64_t{0}, int64_t{1} << 48));
    app.add_flag("--json", options->json, "Print one JSON object.");
    app.footer(
        "Exit status: 0 where there are rows to use, 9 where there are none, 2 where no row has a column that was "
        "named.");
    return [options] {
        const data::DataOptions read = options->input.options();
        data::InspectLimits limits;
        limits.numRows = options->limit;
        const std::vector<std::filesystem::path> files = read.allFiles();
        Json found = Json::array(), validation = Json::array(), skipped = Json::array();
        bool isUsable = false;
        std::size_t numWithout = 0; // files that lack a column that was named
        Inspector inspector(limits);
        for (const auto& file : files) {
            const data::FileReport report = inspector.inspect(file, read.format, !options->json);
            numWithout += report.missingColumns.empty() ? 0 : 1;
            isUsable = isUsable || (report.format.kind != DataFormat::kAuto && report.numBad < report.numRows);
            if (options->json) found.push_back(jsonOf(report));
        }
        for (const std::filesystem::path& file : read.validationFiles)
            if (options->json)
                validation.push_back(file.string());
            else
                fmt::print("to validate on, by its name: {}\n", file.string());
        for (const data::SkippedFile& file : read.skippedFiles)
            if (options->json)
                skipped.push_back({{"path", file.path.string()}, {"reason", file.reason.text()}});
            else
                fmt::print("not read: {} {}\n", file.path.string(), file.reason.text());
        if (options->json) printJson(Json{{"files", found}, {"validation", validation}, {"skipped", skipped}});
        if (numWithout == files.size()) return static_cast<int>(kInvalidInput);
        return static_cast<int>(isUsable ? kSuccess : kNothingUsable);
    };
}

} // namespace roundpipe::cli
