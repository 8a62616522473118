// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stats_json.h"

#include "console/report_lines.h"

#include <cstddef>
#include <ranges>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

namespace roundpipe::cli {
namespace {

using Json = nlohmann::ordered_json;
using session::DatasetReport;

Json jsonOf(session::RowPlace place, const DatasetReport& report) {
    return {{"file", report.files[static_cast<std::size_t>(place.file)]}, {"row", place.number}};
}

Json jsonOf(const session::DuplicateCounts& counts, const DatasetReport& report) {
    Json json = {{"rows", counts.numRows}, {"examples", Json::array()}};
    constexpr std::size_t kShown = 20;
    for (const session::RowPair& pair : counts.examples | std::views::take(kShown))
        json["examples"].push_back({{"row", jsonOf(pair.row, report)}, {"earlier", jsonOf(pair.earlier, report)}});
    return json;
}

// By what is counted, as the table calls it.
template <class Count>
Json jsonOf(const std::vector<Count>& counts) {
    Json json = Json::object();
    for (const auto& [code, count] : counts)
        json[spellingOf(code)] = count;
    return json;
}

Json lengthsOf(const DatasetReport& report) {
    const session::LengthStatistics& lengths = report.lengths;
    Json json = {{"mean", lengths.mean}, {"p50", lengths.p50}, {"p90", lengths.p90},         {"p95", lengths.p95},
                 {"p99", lengths.p99},   {"max", lengths.max}, {"histogram", Json::array()}, {"limits", Json::array()}};
    for (const session::LengthBin& bin : lengths.histogram)
        json["histogram"].push_back({{"begin", bin.begin}, {"end", bin.end}, {"rows", bin.numRows}});
    for (const session::LengthChoice& choice : shownLengths(report))
        json["limits"].push_back({{"length", choice.length},
                                  {"rows_over", choice.numOver},
                                  {"tokens_lost", choice.lostTokens},
                                  {"trained_lost", choice.lostTrained}});
    return json;
}

Json jsonOf(const session::DatasetPart& dataset, std::size_t index, const DatasetReport& report) {
    const auto files =
        std::span(report.files)
            .subspan(static_cast<std::size_t>(dataset.firstFile), static_cast<std::size_t>(dataset.numFiles));
    const batch::DatasetLengths& training = report.training.datasets()[index];
    return {{"files", std::vector(files.begin(), files.end())},
            {"rows", dataset.numRows},
            {"used", dataset.numUsed},
            {"dropped", dataset.numDropped},
            {"not_taken", dataset.numNotTaken},
            {"training", training.size},
            {"validation", report.validation.datasets()[index].size},
            {"tokens", training.numTokens},
            {"trained", training.numTrained}};
}

} // namespace

nlohmann::ordered_json statsJson(const session::DatasetReport& report) {
    Json json = {{"files", report.files},
                 {"datasets", Json::array()},
                 {"rows", report.numRows},
                 {"used", report.numUsed},
                 {"not_taken", report.numNotTaken},
                 {"training", report.training.size()},
                 {"validation", report.validation.size()},
                 {"drop_reasons", jsonOf(report.dropReasons)},
                 {"tokens", report.training.numTokens()},
                 {"trained", report.training.numTrained()},
                 {"refusal", report.refusal.empty() ? Json() : Json(report.refusal.text())},
                 {"masked_by", jsonOf(report.maskSources)},
                 {"length_limit", report.lengthLimit},
                 {"truncated", report.numTruncated},
                 {"split", report.numSplit},
                 {"pieces", report.numPieces},
                 {"lengths", lengthsOf(report)},
                 {"duplicates", jsonOf(report.exact, report)},
                 {"near_duplicates", jsonOf(report.near, report)},
                 {"leaked", jsonOf(report.leaked, report)},
                 {"nearly_leaked", jsonOf(report.nearlyLeaked, report)},
                 {"duplicates_across", jsonOf(report.repeatedAcross, report)},
                 {"leaked_across", jsonOf(report.leakedAcross, report)},
                 {"empty_turns", report.emptyTurns.numRows},
                 {"one_sided", report.oneSided.numRows},
                 {"unanswered", report.unanswered.numRows},
                 {"without_end", report.withoutEnd.numRows},
                 {"without_bos", report.withoutBos.numRows},
                 {"doubled_bos", report.doubledBos.numRows},
                 {"not_read", Json::array()},
                 {"not_used", Json::array()},
                 {"skipped", Json::array()},
                 {"special_tokens", Json::array()},
                 {"dropped", Json::array()}};
    for (std::size_t i = 0; i < report.datasets.size(); ++i)
        json["datasets"].push_back(jsonOf(report.datasets[i], i, report));
    for (const session::ColumnsNotRead& file : report.notRead)
        json["not_read"].push_back(
            {{"file", report.files[static_cast<std::size_t>(file.file)]}, {"columns", file.columns}});
    for (const session::RowsNotUsed& rows : report.notUsed)
        json["not_used"].push_back({{"what", rows.what.text()},
                                    {"rows", rows.rows.numRows},
                                    {"example", jsonOf(rows.rows.examples.front(), report)}});
    for (const session::LeftOutFile& file : report.leftOut)
        json["skipped"].push_back({{"path", file.path}, {"reason", file.reason.text()}});
    for (const session::SpecialTokenUse& use : report.specialTokens)
        json["special_tokens"].push_back(
            {{"token", use.token}, {"rows", use.numRows}, {"example", jsonOf(use.example, report)}});
    for (const session::DroppedRow& row : report.dropped) {
        Json item = jsonOf(row.place, report);
        item["reason"] = spellingOf(row.reason);
        item["text"] = row.text;
        json["dropped"].push_back(std::move(item));
    }
    return json;
}

} // namespace roundpipe::cli
