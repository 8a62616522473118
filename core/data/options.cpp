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

} // namespace

std::vector<std::filesystem::path> DataOptions::allFiles() const {
    std::vector<std::filesystem::path> all = files;
    if (!validationFile.empty()) all.push_back(validationFile);
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
    for (const SkippedFile& file : options.skippedFiles)
        log::info(fmt::format("'{}' is not read: it {}.", file.path.string(), file.reason.text()));
    options.format = rowFormatOf(dataset);
    if (index == 0) options.validationFile = spec.data.validationFile;
    if (spec.data.validationFile.empty()) options.validationFraction = spec.data.validationFraction;
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
