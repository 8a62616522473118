// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/options.h"

#include "base/error.h"
#include "base/log.h"
#include "base/user_folders.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

// A line feed and a tab as people write them where they cannot type them.
std::string unescaped(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
        if (next == 'n' || next == 't' || next == '\\') {
            result += next == 'n' ? '\n' : next == 't' ? '\t' : '\\';
            ++i;
        } else {
            result += text[i];
        }
    }
    return result;
}

text::CivilTime dateOf(const std::string& day) {
    if (day.empty()) {
        const text::CivilTime now = text::localTimeNow();
        return {now.year, now.month, now.day};
    }
    text::CivilTime date;
    int length = 0;
    const int found = std::sscanf(day.c_str(), "%4d-%2d-%2d%n", &date.year, &date.month, &date.day, &length);
    const std::chrono::year_month_day checked{std::chrono::year(date.year),
                                              std::chrono::month(static_cast<unsigned>(date.month)),
                                              std::chrono::day(static_cast<unsigned>(date.day))};
    if (found != 3 || static_cast<std::size_t>(length) != day.size() || !checked.ok())
        throw invalidInput(fmt::format("data.template_date is '{}', but must be a day such as 2026-01-31.", day));
    return date;
}

// What the settings name goes before what a folder's names say, and both before a share of the rows.
void chooseValidation(const session::DataSection& data, std::size_t dataset,
                      std::vector<std::filesystem::path> ofFolders, DataOptions& options) {
    if (data.validationFile.empty()) {
        for (const std::filesystem::path& file : ofFolders)
            log::info(fmt::format("'{}' is validated on, as its name says.", file.string()));
        options.validationFiles = std::move(ofFolders);
        if (options.validationFiles.empty()) options.validationFraction = data.validationFraction;
        return;
    }
    if (dataset == 0) options.validationFiles = {data.validationFile};
    for (std::filesystem::path& file : ofFolders)
        if (std::error_code none; !std::filesystem::equivalent(file, data.validationFile, none))
            options.skippedFiles.push_back({std::move(file), session::Remark(session::RowRemark::kOtherValidation)});
}

} // namespace

std::vector<std::filesystem::path> DataOptions::allFiles() const {
    std::vector<std::filesystem::path> all = files;
    all.insert(all.end(), validationFiles.begin(), validationFiles.end());
    return all;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char character : text)
        if (character == '\n' || character == '\t' || character == '\\')
            result += {'\\', character == '\n' ? 'n' : character == '\t' ? 't' : '\\'};
        else
            result += character;
    return result;
}

bool DataOptions::leavesOut(LeaveOut rule) const {
    return std::ranges::find(leaveOut, rule) != leaveOut.end();
}

RowFormat rowFormatOf(const session::DatasetSection& dataset) {
    RowFormat format = dataset.format;
    for (const std::string& text : dataset.columns)
        format.columns.push_back(session::parseColumnChoice(text));
    format.prompt = session::parsePromptTemplate(unescaped(dataset.promptTemplate));
    format.system = {unescaped(dataset.systemPrompt), dataset.systemPromptUse};
    format.table = {session::delimiterOf(dataset), dataset.header};
    return format;
}

DataOptions dataOptionsOf(const session::RunSpec& spec, std::size_t index) {
    const session::DatasetSection& dataset = spec.data.datasets.at(index);
    DataOptions options;
    FileList list = listFiles({dataset.files.begin(), dataset.files.end()});
    options.files = std::move(list.files);
    options.skippedFiles = std::move(list.skipped);
    chooseValidation(spec.data, index, std::move(list.validation), options);
    for (const SkippedFile& file : options.skippedFiles)
        log::info(fmt::format("'{}' is not read: it {}.", file.path.string(), file.reason.text()));
    options.format = rowFormatOf(dataset);
    options.maxValidationRows = spec.data.maxValidationRows;
    options.maxLength = spec.data.maxLength;
    options.overLength = spec.data.overLength;
    options.overlap = spec.data.overlap;
    options.trainOn = dataset.trainOn;
    options.turnMarkers = {unescaped(dataset.turnBegin), unescaped(dataset.turnEnd)};
    options.leaveOut = dataset.leaveOut;
    for (const std::string& text : dataset.leaveOutRows)
        options.leaveOutRows.push_back(session::parseRowKey(text));
    std::ranges::sort(options.leaveOutRows);
    options.maxRows = dataset.maxRows;
    options.subset = dataset.subset;
    options.minTrainedShare = spec.data.minTrainedShare;
    options.templateArguments = spec.model.chatTemplateArgs;
    options.now = dateOf(spec.data.templateDate);
    options.seed = static_cast<uint64_t>(spec.seed);
    options.modelFolder = spec.model.path;
    if (spec.data.cache) options.cacheFolder = userCacheFolder() / "data";
    return options;
}

std::vector<DataOptions> datasetsOf(const session::RunSpec& spec) {
    std::vector<DataOptions> datasets;
    for (std::size_t i = 0; i < spec.data.datasets.size(); ++i)
        datasets.push_back(dataOptionsOf(spec, i));
    return datasets;
}

} // namespace roundpipe::data
