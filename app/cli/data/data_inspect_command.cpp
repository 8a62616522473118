// roundpipe data inspect: what data files hold, without a model.
#include "base/units.h"
#include "commands.h"
#include "console/print_json.h"
#include "data/files/compression.h"
#include "data/report/inspect.h"
#include "data/rows/in_part.h"
#include "exit_codes.h"
#include "options/data_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <memory>

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

Json jsonOf(const data::FileReport& report) {
    Json columns = Json::array(), badRows = Json::array(), firstRows = Json::array(), missing = Json::array();
    for (const data::ColumnReport& column : report.columns)
        columns.push_back({{"name", column.name},
                           {"rows", column.numRows},
                           {"types", column.types},
                           {"read", column.isRead},
                           {"example", column.example}});
    for (const data::NamedColumn& column : report.missingColumns)
        missing.push_back({{"name", column.name}, {"setting", column.setting}});
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
            {"missing_columns", std::move(missing)},
            {"first_rows", std::move(firstRows)},
            {"first_bad_rows", std::move(badRows)}};
}

void print(const data::FileReport& report) {
    const char* unit = unitOf(report.file.kind);
    const std::string compression = report.file.compression == data::Compression::kNone
                                        ? ""
                                        : fmt::format(", {}", toString(report.file.compression));
    fmt::print("{}\n", report.file.path.string());
    fmt::print("  kind     {}{}, {}\n", toString(report.file.kind), compression, formatBytes(report.fileBytes));
    fmt::print("  rows     {}{}, {} of them cannot be used\n", report.numRows, report.isWhole ? "" : " read so far",
               report.numBad);
    if (report.formatProblem.empty())
        fmt::print("  format   {}{}{}\n", spellingOf(report.format.kind),
                   report.formatReason.empty() ? "" : ": " + report.formatReason.text(),
                   mappingOf(report.format).empty() ? "" : " (--columns " + mappingOf(report.format) + ")");
    else
        fmt::print("  format   unknown. {}\n", report.formatProblem);
    for (const data::NamedColumn& column : report.missingColumns)
        fmt::print("  missing  no row has a column '{}' ({})\n", column.name, column.setting);
    fmt::print("  columns\n");
    for (const data::ColumnReport& column : report.columns)
        fmt::print("    {}: {} in {}{}, such as {}\n", data::inPartOnOneLine(column.name),
                   column.types.empty() ? "null" : fmt::format("{}", fmt::join(column.types, " or ")),
                   column.numRows == 1 ? "1 row" : fmt::format("{} rows", column.numRows),
                   column.isRead ? "" : ", not read", column.example);
    for (const std::string& row : report.firstRows)
        fmt::print("  row      {}\n", data::inPart(row, kShownBytes));
    for (const data::BadRow& row : report.badRows)
        fmt::print("  {} {} {}\n", unit, row.number, row.problem);
    if (report.numBad > static_cast<int64_t>(report.badRows.size()))
        fmt::print("  and {} more bad rows\n", report.numBad - static_cast<int64_t>(report.badRows.size()));
}

} // namespace

CommandBody addDataInspectCommand(CLI::App& app) {
    const auto options = std::make_shared<InspectDataOptions>();
    options->input.addTo(app);
    app.add_option("--rows", options->limit, "Rows of each file to read at most; 0: all.")
        ->check(CLI::Range(int64_t{0}, int64_t{1} << 48));
    app.add_flag("--json", options->json, "Print one JSON object.");
    return [options] {
        const data::DataOptions read = options->input.options();
        data::InspectLimits limits;
        limits.numRows = options->limit;
        Json files = Json::array(), skipped = Json::array();
        bool isUsable = false;
        std::size_t numWithout = 0; // files that lack a column that was named
        for (const auto& file : read.files) {
            const data::FileReport report = data::inspectFile(file, read.format, limits);
            numWithout += report.missingColumns.empty() ? 0 : 1;
            isUsable = isUsable || (report.format.kind != DataFormat::kAuto && report.numBad < report.numRows);
            if (options->json)
                files.push_back(jsonOf(report));
            else
                print(report);
        }
        for (const data::SkippedFile& file : read.skippedFiles)
            if (options->json)
                skipped.push_back({{"path", file.path.string()}, {"reason", file.reason.text()}});
            else
                fmt::print("not read: {} {}\n", file.path.string(), file.reason.text());
        if (options->json) printJson(Json{{"files", files}, {"skipped", skipped}});
        return static_cast<int>(isUsable && numWithout < read.files.size() ? kSuccess : kInvalidInput);
    };
}

} // namespace roundpipe::cli
