#include "data/options.h"

#include "base/error.h"
#include "base/log.h"
#include "data/store/token_cache.h"
#include "session/run_spec.h"

#include <chrono>
#include <cstdio>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

template <class Choice>
struct Named {
    const char* name;
    Choice choice;
};

constexpr Named<Format> kFormats[] = {
    {"auto", Format::kAuto},        {"messages", Format::kMessages},     {"sharegpt", Format::kShareGpt},
    {"alpaca", Format::kAlpaca},    {"completion", Format::kCompletion}, {"text", Format::kText},
    {"segments", Format::kSegments}};

template <class Choice, std::size_t N>
Choice choiceOf(const char* field, const std::string& value, const Named<Choice> (&choices)[N]) {
    std::string names;
    for (const auto& [name, choice] : choices) {
        if (value == name) return choice;
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    throw invalidInput(fmt::format("{} is '{}', but must be one of {}.", field, value, names));
}

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

const char* toString(Format format) {
    for (const auto& [name, choice] : kFormats)
        if (choice == format) return name;
    return "";
}

DataOptions dataOptionsOf(const session::RunSpec& spec) {
    static constexpr Named<OverLength> kOverLength[] = {{"truncate", OverLength::kTruncate},
                                                        {"drop", OverLength::kDrop}};
    static constexpr Named<TrainOn> kTrainOn[] = {{"assistant", TrainOn::kAssistant},
                                                  {"last-assistant", TrainOn::kLastAssistant},
                                                  {"completion", TrainOn::kCompletion},
                                                  {"all", TrainOn::kAll}};
    DataOptions options;
    FileList list = listFiles({spec.data.files.begin(), spec.data.files.end()});
    options.files = std::move(list.files);
    options.skippedFiles = std::move(list.skipped);
    for (const SkippedFile& file : options.skippedFiles)
        log::info(fmt::format("'{}' is not read: it {}.", file.path.string(), file.reason));
    options.format = choiceOf("data.format", spec.data.format, kFormats);
    for (const std::string& text : spec.data.columns) {
        session::ColumnChoice choice = session::parseColumnChoice(text);
        options.format.columns.push_back({std::move(choice.field), std::move(choice.column)});
    }
    options.validationFile = spec.data.validationFile;
    options.validationFraction = spec.data.validationFraction;
    options.maxValidationRows = spec.data.maxValidationRows;
    options.maxLength = spec.data.maxLength;
    options.overLength = choiceOf("data.over_length", spec.data.overLength, kOverLength);
    options.trainOn = choiceOf("data.train_on", spec.data.trainOn, kTrainOn);
    options.turnMarkers = {unescaped(spec.data.turnBegin), unescaped(spec.data.turnEnd)};
    options.minTrainedShare = spec.data.minTrainedShare;
    options.templateArguments = spec.model.chatTemplateArgs;
    options.now = dateOf(spec.data.templateDate);
    options.seed = static_cast<uint64_t>(spec.seed);
    options.modelFolder = spec.model.path;
    if (spec.data.cache) options.cacheFolder = defaultCacheFolder();
    return options;
}

} // namespace roundpipe::data
