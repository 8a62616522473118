// SPDX-License-Identifier: GPL-3.0-or-later
#include "options/run_spec_options.h"

#include "base/error.h"
#include "session/spec/dataset_words.h"
#include "session/spec/value_text.h"

#include <charconv>
#include <filesystem>
#include <map>
#include <ranges>
#include <utility>

#include <fmt/format.h>

namespace roundpipe::cli {
namespace {

using session::Field;
using session::FieldValue;

std::string defaultText(const FieldValue& value) {
    struct Visitor {
        std::string operator()(bool flag) const { return flag ? "on" : "off"; }
        std::string operator()(int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const {
            char text[32];
            std::snprintf(text, sizeof text, "%g", number);
            return text;
        }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(const std::vector<std::string>& texts) const {
            return texts.empty() ? "" : texts.front();
        }
        std::string operator()(const std::vector<int64_t>&) const { return ""; }
    };
    return std::visit(Visitor{}, value);
}

std::string helpOf(const Field& field) {
    std::string help = field.help;
    if (!field.choices.empty()) {
        help += " [";
        for (const std::string& choice : field.choices)
            help += (help.back() == '[' ? "" : "|") + choice;
        help += ']';
    }
    const std::string usual = defaultText(field.get(session::RunSpec{}));
    return usual.empty() ? help : help + " (" + usual + ")";
}

std::vector<std::string> splitAtCommas(const std::string& text) {
    std::vector<std::string> parts;
    for (const auto part : std::views::split(text, ','))
        parts.emplace_back(part.begin(), part.end());
    return parts;
}

// "weight=0" takes nothing, which nobody writes a dataset for.
void requireShare(const std::string& kind, const std::string& amount) {
    double number = 0;
    const auto [end, failed] = std::from_chars(amount.data(), amount.data() + amount.size(), number);
    if (failed != std::errc() || end != amount.data() + amount.size() || !(number > 0))
        throw invalidInput("--data …," + kind + "=" + amount + ": '" + amount + "' should be a number above 0.",
                           "To take nothing of a dataset, leave it out.");
    const Field& field = session::fieldByKey("data.share_amount");
    if (number < field.minimum || number > field.maximum)
        throw invalidInput(fmt::format("--data …,{0}={1}: '{1}' should be between {2} and {3}.", kind, amount,
                                       field.minimum, field.maximum));
}

[[noreturn]] void refuseSetting(const std::string& word, const std::string& name) {
    std::string key = "data." + name;
    std::ranges::replace(key, '-', '_');
    const auto& fields = session::runSpecFields();
    const auto ofAll = std::ranges::find(fields, key, &Field::key);
    if (ofAll != std::end(fields))
        throw invalidInput("--data " + word + ": '" + name + "' is a setting of all datasets.",
                           "Give it by itself: " + ofAll->option + ".");
    std::string names;
    for (const std::string& known : session::datasetSettingNames())
        names += (names.empty() ? "" : ", ") + known;
    throw invalidInput("--data " + word + ": a dataset has no setting '" + name + "'.", "Settings are " + names + ".");
}

// A value that is one word has no comma: what stands behind one would be a setting, if there were one of its name.
void requireNoOtherSetting(const std::string& name, const std::string& value) {
    const std::size_t comma = value.find(','), equals = value.find('=', std::min(comma, value.size()));
    const bool isKind = fromSpelling<ShareKind>(name).has_value();
    const Field& field = session::fieldByKey(isKind ? "data.share_amount" : "data." + name);
    const FieldValue example = field.get(session::RunSpec{});
    const bool isNumber = std::holds_alternative<int64_t>(example) || std::holds_alternative<double>(example);
    if (equals != std::string::npos && (isNumber || !field.choices.empty()))
        refuseSetting("…," + name + "=" + value, value.substr(comma + 1, equals - comma - 1));
}

// What stood behind a dataset's file. A kind of share says share and amount at once.
void applySetting(session::RunSpec& spec, std::size_t dataset, const std::string& name, const std::string& value) {
    requireNoOtherSetting(name, value);
    if (const auto kind = fromSpelling<ShareKind>(name)) {
        requireShare(name, value);
        spec.data.datasets[dataset].share = *kind;
        return applySetting(spec, dataset, "share_amount", value);
    }
    const Field& field = session::fieldByKey("data." + name);
    const FieldValue example = field.get(spec, dataset);
    const bool isList = std::holds_alternative<std::vector<std::string>>(example);
    FieldValue set = session::valueFrom(field, isList ? splitAtCommas(value) : std::vector{value});
    session::requireNoSecret(field, set);
    field.set(spec, std::move(set), dataset);
}

// A setting that is spelled wrong is a part of the file's name, of which there is none then.
void requireNoMisspelling(const std::string& path) {
    const std::size_t comma = path.find(',');
    const std::size_t equals = path.find('=', std::min(comma, path.size()));
    if (equals == std::string::npos || std::filesystem::exists(path) || !std::filesystem::exists(path.substr(0, comma)))
        return;
    refuseSetting(path, path.substr(comma + 1, equals - comma - 1));
}

// Of two settings of one dataset that say the same, neither wins in silence.
void requireOnce(const std::vector<session::DatasetWord>& words) {
    std::map<std::string, std::string> given; // by what they say, a kind of share being the share
    for (const session::DatasetWord& word : words)
        for (const auto& [name, value] : word.settings) {
            const std::string setting = name + "=" + value;
            const auto [before, isNew] = given.emplace(fromSpelling<ShareKind>(name) ? "share" : name, setting);
            if (!isNew)
                throw invalidInput("--data " + word.path + ": '" + setting + "' stands beside '" + before->second +
                                       "'.",
                                   "Give one of them.");
        }
}

void applyWords(session::RunSpec& spec, std::size_t dataset, const std::vector<session::DatasetWord>& words) {
    const Field& files = session::fieldByKey("data.files");
    std::vector<std::string> paths;
    requireOnce(words);
    for (const session::DatasetWord& word : words) {
        requireNoMisspelling(word.path);
        paths.push_back(word.path);
        for (const auto& [name, value] : word.settings)
            applySetting(spec, dataset, name, value);
    }
    FieldValue named = session::valueFrom(files, paths);
    session::requireNoSecret(files, named);
    files.set(spec, std::move(named), dataset);
}

// The words of each --data; CLI11 puts an empty one between two of them.
std::vector<std::vector<session::DatasetWord>> datasetsIn(const std::vector<std::string>& words) {
    std::vector<std::vector<session::DatasetWord>> datasets(1);
    for (const std::string& word : words) {
        if (word.empty())
            datasets.emplace_back();
        else
            datasets.back().push_back(session::parseDatasetWord(word));
    }
    return datasets;
}

} // namespace

void RunSpecOptions::addTo(CLI::App& app, const std::vector<std::string>& prefixes, const std::string& without) {
    for (const Field& field : session::runSpecFields()) {
        const auto begins = [&](const std::string& prefix) { return field.key.starts_with(prefix); };
        if (field.key == "version" || field.key == without ||
            (!prefixes.empty() && !std::ranges::any_of(prefixes, begins)))
            continue;
        Given& given = m_given[field.key];
        given.field = &field;
        const FieldValue example = field.get(session::RunSpec{});
        if (std::holds_alternative<bool>(example)) {
            const std::string name = field.option.substr(2);
            given.option = app.add_flag("--" + name + ",!--no-" + name, given.flag, helpOf(field));
        } else {
            given.option = app.add_option(field.option, given.texts, helpOf(field));
            const bool isList = std::holds_alternative<std::vector<std::string>>(example) ||
                                std::holds_alternative<std::vector<int64_t>>(example);
            if (field.key == "data.files") given.option->inject_separator();
            if (isList && field.isPath)
                given.option->expected(1, 1 << 20);
            else if (isList)
                given.option->delimiter(',')->expected(
                    -1); // at least one, and one behind each `--targets`: main says so
            else
                given.option->expected(1)->allow_extra_args(false); // what follows is no part of it
        }
        given.option->group(field.key.find('.') == std::string::npos ? "run"
                                                                     : field.key.substr(0, field.key.find('.')));
    }
}

bool RunSpecOptions::hasData() const {
    return wasGiven("data.files");
}

bool RunSpecOptions::wasGiven(const std::string& key) const {
    const auto given = m_given.find(key);
    return given != m_given.end() && given->second.option->count() > 0;
}

// Files first, as they say how many datasets there are, and what stands behind them last.
void RunSpecOptions::apply(session::RunSpec& spec) const {
    std::vector<std::vector<session::DatasetWord>> datasets;
    if (hasData()) datasets = datasetsIn(m_given.at("data.files").texts);
    if (hasData()) spec.data.datasets.resize(datasets.size());
    for (const auto& [key, given] : m_given) {
        if (given.option->count() == 0 || key == "data.files") continue;
        const bool isFlag = std::holds_alternative<bool>(given.field->get(spec));
        const FieldValue value = isFlag ? FieldValue(given.flag) : session::valueFrom(*given.field, given.texts);
        session::requireNoSecret(*given.field, value); // also of a run that goes on
        for (std::size_t i = 0; i < (given.field->isOfDataset ? spec.data.datasets.size() : 1); ++i)
            given.field->set(spec, value, i);
    }
    for (std::size_t i = 0; i < datasets.size(); ++i)
        applyWords(spec, i, datasets[i]);
}

} // namespace roundpipe::cli
