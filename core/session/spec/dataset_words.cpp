// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/dataset_words.h"

#include "session/spec/run_spec_fields.h"
#include "session/spec/value_text.h"

#include <algorithm>

namespace roundpipe::session {
namespace {

constexpr std::string_view kSection = "data.";

// The name of the setting that begins here, without its '='; empty: none does.
std::string_view settingAt(std::string_view text, const std::vector<std::string>& names) {
    const std::string_view name = text.substr(0, std::min(text.find('='), text.size()));
    if (name.size() == text.size()) return {};
    std::string key(name);
    std::ranges::replace(key, '-', '_');
    return std::ranges::find(names, key) != names.end() ? name : std::string_view();
}

// With each comma that would begin a setting marked as one that does not.
std::string withMarkedCommas(std::string_view text, const std::vector<std::string>& names) {
    std::string marked;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ',' && !settingAt(text.substr(i + 1), names).empty()) marked += '\\';
        marked += text[i];
    }
    return marked;
}

} // namespace

std::vector<std::string> datasetSettingNames() {
    std::vector<std::string> names;
    for (const Field& field : runSpecFields())
        if (field.isOfDataset && field.key != "data.files") names.push_back(field.key.substr(kSection.size()));
    for (const char* kind : spellings(ShareKind{}))
        names.emplace_back(kind);
    return names;
}

DatasetWord parseDatasetWord(std::string_view word) {
    const std::vector<std::string> names = datasetSettingNames();
    DatasetWord parsed;
    std::string* part = &parsed.path;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const bool isMarked = word[i] == '\\' && i + 1 < word.size() && word[i + 1] == ',';
        const std::string_view name = word[i] == ',' ? settingAt(word.substr(i + 1), names) : std::string_view();
        if (isMarked) {
            *part += word[++i];
        } else if (name.empty()) {
            *part += word[i];
        } else {
            part = &parsed.settings.emplace_back(name, std::string()).second;
            i += name.size() + 1; // the '=' too
        }
    }
    for (auto& [name, value] : parsed.settings)
        std::ranges::replace(name, '-', '_');
    return parsed;
}

std::string datasetWordOf(const std::string& path) {
    return withMarkedCommas(path, datasetSettingNames());
}

std::vector<std::string> datasetWords(const RunSpec& spec, std::size_t dataset) {
    std::vector<std::string> words;
    for (const std::string& file : spec.data.datasets.at(dataset).files)
        words.push_back(datasetWordOf(file));
    if (words.empty()) words.emplace_back();
    for (const Field& field : runSpecFields()) {
        if (!field.isOfDataset || field.key == "data.files") continue;
        const FieldValue value = field.get(spec, dataset);
        if (value != field.get(RunSpec{}))
            words.back() += "," + field.key.substr(kSection.size()) + "=" + datasetWordOf(textOf(value));
    }
    return words;
}

} // namespace roundpipe::session
