// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/report_lines.h"

#include "base/short_names.h"
#include "console/terminal.h"

#include <bit>
#include <cstdint>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::cli {
namespace {

std::string fileOf(int32_t file, const session::DatasetReport& report) {
    return shortNames(report.files)[static_cast<std::size_t>(file)];
}

std::string exampleOf(const session::DuplicateCounts& counts, const session::DatasetReport& report) {
    if (counts.examples.empty()) return {};
    return nameOf(counts.examples[0].row, report) + " like " + nameOf(counts.examples[0].earlier, report);
}

} // namespace

std::string nameOf(session::RowPlace place, const session::DatasetReport& report) {
    const std::string row = fmt::format("{} {}", report.units[static_cast<std::size_t>(place.file)], place.number);
    return report.files.size() == 1 ? row : fileOf(place.file, report) + " " + row;
}

std::vector<RowFinding> repeatsIn(const session::DatasetReport& report) {
    struct Kind {
        const session::DuplicateCounts& counts;
        const char *before, *verb, *behind; // "to validate on", "stand", "among those to train on"
    };
    const Kind kinds[] = {
        {report.leaked, "to validate on ", "stand", " among those to train on"},
        {report.nearlyLeaked, "to validate on ", "stand", ", nearly so, among those to train on"},
        {report.leakedAcross, "to validate on ", "stand", ", or nearly so, among those that another dataset trains on"},
        {report.exact, "", "repeat", " an earlier one"},
        {report.near, "nearly ", "repeat", " an earlier one"},
        {report.repeatedAcross, "", "repeat", " one of another dataset, or nearly so"},
    };
    std::vector<RowFinding> found;
    for (const auto& [counts, before, verb, behind] : kinds)
        if (counts.numRows > 0)
            found.push_back({counts.numRows,
                             fmt::format("{}{}{}{}", before, verb, counts.numRows == 1 ? "s" : "", behind),
                             exampleOf(counts, report)});
    return found;
}

std::vector<std::string> notUsedLines(const session::DatasetReport& report) {
    std::vector<std::string> lines;
    for (const session::ColumnsNotRead& file : report.notRead)
        lines.push_back(fmt::format("columns that nothing reads, of {}: {}", fileOf(file.file, report),
                                    fmt::join(file.columns, ", ")));
    for (const session::RowsNotUsed& rows : report.notUsed)
        lines.push_back(fmt::format("{}: in {} row{} ({})", rows.what.text(), grouped(rows.rows.numRows),
                                    rows.rows.numRows == 1 ? "" : "s", nameOf(rows.rows.examples.front(), report)));
    for (const session::LeftOutFile& file : report.leftOut)
        lines.push_back(fmt::format("the file {}: it {}", file.path, file.reason.text()));
    return lines;
}

std::string ofValidationFiles(std::span<const data::DataOptions> datasets) {
    std::vector<std::string> files;
    for (const data::DataOptions& options : datasets)
        for (const std::filesystem::path& file : options.validationFiles)
            files.push_back(file.string());
    return files.empty() ? "" : fmt::format(", of {}", fmt::join(shortNames(files), ", "));
}

std::vector<session::LengthChoice> shownLengths(const session::DatasetReport& report) {
    std::vector<session::LengthChoice> shown;
    for (const session::LengthChoice& choice : report.lengths.choices) {
        const bool isRound = choice.length >= 128 && std::has_single_bit(static_cast<uint64_t>(choice.length));
        if (isRound || choice.length == report.lengthLimit) shown.push_back(choice);
    }
    return shown;
}

} // namespace roundpipe::cli
