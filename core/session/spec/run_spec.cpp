// SPDX-License-Identifier: GPL-3.0-or-later
// RunSpec as JSON and its checks, both driven by the table of fields.
#include "session/spec/run_spec.h"

#include "base/bytes_as_text.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"
#include "session/spec/hub_prefix.h"
#include "session/spec/prompt_template.h"
#include "session/spec/row_key.h"
#include "session/spec/run_spec_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace roundpipe::session {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

using Texts = std::vector<std::string>;

FieldValue withTexts(FieldValue value, std::string (*change)(std::string_view)) {
    if (auto* text = std::get_if<std::string>(&value)) *text = change(*text);
    if (auto* texts = std::get_if<Texts>(&value)) std::ranges::transform(*texts, texts->begin(), change);
    return value;
}

Json toJsonValue(const FieldValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, withTexts(value, asText));
}

const char* expectedType(const FieldValue& example) {
    static constexpr const char* kNames[] = {"true or false", "a whole number",  "a number",
                                             "a text",        "a list of texts", "a list of whole numbers"};
    return kNames[example.index()];
}

bool isWholeNumber(const Json& value) { // of 64 bits
    if (value.is_number_unsigned()) return value.get<uint64_t>() <= std::numeric_limits<int64_t>::max();
    if (!value.is_number_float()) return value.is_number_integer();
    constexpr double kEnd = 9223372036854775808.0; // 2^63
    const auto number = value.get<double>();
    return number == std::floor(number) && number >= -kEnd && number < kEnd;
}

// The JSON value as the alternative that the field has; throws where it is of another type.
FieldValue fromJsonValue(const Field& field, const Json& value, const std::string& file) {
    const FieldValue example = field.get(RunSpec{});
    const auto isListOf = [&](auto test) { return value.is_array() && std::ranges::all_of(value, test); };
    switch (example.index()) {
    case 0:
        if (value.is_boolean()) return value.get<bool>();
        break;
    case 1:
        if (isWholeNumber(value)) return value.get<int64_t>();
        break;
    case 2:
        if (value.is_number()) return value.get<double>();
        break;
    case 3:
        if (value.is_string()) return bytesOf(value.get<std::string>());
        break;
    case 4:
        if (isListOf([](const Json& item) { return item.is_string(); })) return withTexts(value.get<Texts>(), bytesOf);
        break;
    case 5:
        if (isListOf(isWholeNumber)) return value.get<std::vector<int64_t>>();
        break;
    default:
        break;
    }
    throw invalidInput(file + ": '" + field.key + "' is " + value.dump() + ", but should be " + expectedType(example) +
                       ".");
}

constexpr int kDeepest = 100; // brackets within brackets: words for a wrong value print it, bracket by bracket

// Refuses a key that an object has twice, of which a parser would take the last without a word.
Json parsed(std::string_view text, const std::string& file) {
    std::vector<std::set<std::string>> keys; // of the objects around
    const auto watch = [&](int depth, Json::parse_event_t event, const Json& value) {
        if (depth > kDeepest)
            throw invalidInput(file + " is nested more than " + std::to_string(kDeepest) + " deep.",
                               "A run file has sections with settings in them, and lists.");
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
            throw invalidInput(file + ": '" + value.get<std::string>() + "' stands twice in one object.",
                               "Leave one of them out.");
        return true;
    };
    try {
        return Json::parse(text, watch);
    } catch (const Json::exception& error) {
        throw invalidInput(file + " is not valid JSON: " + wordsForJsonError(error.id, error.what(), text) + ".");
    }
}

// Where in the JSON a field stands.
struct Place {
    std::size_t dataset = 0;
    std::optional<bool> inDataset; // where datasets are listed: in one of them, or beside the list
};

void checkPlace(const Field& field, const Place& place) {
    if (place.inDataset.value_or(field.isOfDataset) == field.isOfDataset) return;
    if (field.isOfDataset)
        throw invalidInput("'" + field.key + "' stands beside 'data.datasets'.",
                           "Put it into the dataset that it is for.");
    throw invalidInput("'" + field.key + "' stands in a dataset, but holds for all of them.",
                       "Put it beside 'data.datasets'.");
}

void setField(RunSpec& spec, const std::string& key, const Json& value, const std::string& file,
              const Place& place = {}) {
    try {
        const Field& field = fieldByKey(key);
        checkPlace(field, place);
        field.set(spec, fromJsonValue(field, value, file), place.dataset);
    } catch (const Error& error) {
        if (error.message().starts_with(file)) throw;
        throw invalidInput(file + ": " + error.message(), error.advice());
    }
}

void readSection(RunSpec& spec, const std::string& name, const Json& section, const std::string& file,
                 const Place& place = {}) {
    if (!section.is_object()) throw invalidInput(file + ": '" + name + "' should be an object.");
    for (const auto& [key, value] : section.items())
        setField(spec, name + "." + key, value, file, place);
}

void readData(RunSpec& spec, Json section, const std::string& file) {
    const Json datasets = section["datasets"];
    section.erase("datasets");
    readSection(spec, "data", section, file, {0, false});
    if (!datasets.is_array() || datasets.empty())
        throw invalidInput(file + ": 'data.datasets' should be a list of at least one object.");
    spec.data.datasets.resize(datasets.size());
    for (std::size_t i = 0; i < datasets.size(); ++i) {
        if (!datasets[i].is_object())
            throw invalidInput(file + ": 'data.datasets[" + std::to_string(i) + "]' should be an object.");
        readSection(spec, "data", datasets[i], file, {i, true});
    }
}

void readVersion(RunSpec& spec, const Json& root, const std::string& file) {
    if (!root.contains("version")) return;
    const int64_t newest = spec.version;
    setField(spec, "version", root["version"], file);
    if (spec.version < 1 || spec.version > newest)
        throw invalidInput(file + " is of version " + std::to_string(spec.version) + " of the format.",
                           "This program reads versions 1 to " + std::to_string(newest) + ".");
    const char* tooNew = nullptr;
    if (root.contains("method")) tooNew = "method";
    if (root.contains("data") && root["data"].contains("datasets")) tooNew = "data.datasets";
    if (spec.version == 1 && tooNew != nullptr)
        throw invalidInput(file + ": '" + tooNew + "' is not known in version 1 of the format.",
                           "Write \"version\": 2, or leave it out.");
    spec.version = newest;
}

// A field that stands beside the sections. "lora.rank" is how messages write it: in a file it is 'rank' in 'lora'.
void setTopField(RunSpec& spec, const std::string& name, const Json& value, const std::string& file) {
    setField(spec, name, value, file);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return;
    const std::string section = name.substr(0, dot), key = name.substr(dot + 1);
    throw invalidInput(file + ": '" + name + "' is no key of a run file.", "Put '" + key + "' into the section '" +
                                                                               section + "': {\"" + section +
                                                                               "\": {\"" + key + "\": …}}.");
}

bool isSection(const std::string& name) {
    return std::ranges::any_of(runSpecFields(), [&](const Field& field) { return field.key.starts_with(name + "."); });
}

// Whole and without links, but that its own name stays where it is a link itself: a name tells what a file holds, and
// in Hugging Face's cache files are links to what is called by its hash.
std::string wholePath(const fs::path& path) {
    return path.has_filename() && path.filename() != ".." && path.filename() != "."
               ? (fs::weakly_canonical(path.parent_path()) / path.filename()).string()
               : fs::weakly_canonical(path).string();
}

// Puts what `change` makes of it into the place of each path that is not empty. Names of the Hub are none.
void changePaths(RunSpec& spec, const std::function<std::string(const std::string&)>& change) {
    const auto changed = [&](const std::string& path) { return path.empty() || isHubName(path) ? path : change(path); };
    for (const Field& field : runSpecFields()) {
        const std::size_t numValues = field.isOfDataset ? spec.data.datasets.size() : 1;
        for (std::size_t i = 0; field.isPath && i < numValues; ++i) {
            FieldValue value = field.get(spec, i);
            if (auto* path = std::get_if<std::string>(&value)) *path = changed(*path);
            if (auto* paths = std::get_if<std::vector<std::string>>(&value))
                std::ranges::transform(*paths, paths->begin(), changed);
            field.set(spec, std::move(value), i);
        }
    }
}

void checkColumns(const DatasetSection& dataset) {
    std::set<std::string> mapped;
    for (const std::string& text : dataset.columns)
        if (const std::string field = parseColumnChoice(text).field; !mapped.insert(field).second)
            throw invalidInput("'data.columns' names the field '" + field + "' twice.");
    if (parsePromptTemplate(dataset.promptTemplate).empty()) return;
    for (const char* field : {"prompt", "instruction", "input"})
        if (mapped.contains(field))
            throw invalidInput("'data.columns' says where '" + std::string(field) +
                                   "' stands, and 'data.prompt_template' what it is.",
                               "Give one of them.");
}

} // namespace

RunSpec parseRunSpec(std::string_view text, const std::string& nameForErrors) {
    const Json root = parsed(text, nameForErrors);
    if (!root.is_object()) throw invalidInput(nameForErrors + " should hold one JSON object.");
    RunSpec spec;
    readVersion(spec, root, nameForErrors);
    for (const auto& [name, value] : root.items()) {
        if (name == "version") continue;
        if (name == "data" && value.contains("datasets"))
            readData(spec, value, nameForErrors);
        else if (isSection(name))
            readSection(spec, name, value, nameForErrors);
        else
            setTopField(spec, name, value, nameForErrors);
    }
    return spec;
}

RunSpec readRunSpec(const fs::path& path) {
    const std::string json = readTextFile(path, int64_t{1} << 24);
    if ((path.extension() == ".yaml" || path.extension() == ".yml") && !json.starts_with("{"))
        throw invalidInput("'" + path.string() + "' is YAML, and a run file is JSON.",
                           "A run of LLaMA-Factory, Axolotl or Unsloth becomes one by `roundpipe import FILE --to "
                           "RUN.json`, or opened in the Studio.");
    RunSpec spec = parseRunSpec(json, path.string());
    const fs::path folder = fs::absolute(path).parent_path();
    changePaths(spec, [&](const std::string& text) { return wholePath(folder / text); });
    return spec;
}

void writeRunSpec(RunSpec spec, const Destination& to) {
    const fs::path folder = fs::absolute(to.path).parent_path().lexically_normal();
    const std::array names{folder, fs::weakly_canonical(folder)}; // the same, by way of links or without
    changePaths(spec, [&](const std::string& text) {
        for (const fs::path& name : names)
            if (const fs::path below = fs::path(text).lexically_relative(name);
                !below.empty() && *below.begin() != "..")
                return below.string();
        return text;
    });
    writeFileAtomically(to, toJson(spec));
}

std::string toJson(RunSpec spec) {
    spec.version = RunSpec{}.version;
    Json root = Json::object();
    for (const Field& field : runSpecFields()) {
        const std::size_t dot = field.key.find('.');
        const std::string name = field.key.substr(dot + 1); // all of it where there is no dot
        Json& section = dot == std::string::npos ? root : root[field.key.substr(0, dot)];
        if (!field.isOfDataset) section[name] = toJsonValue(field.get(spec));
        for (std::size_t i = 0; field.isOfDataset && i < spec.data.datasets.size(); ++i)
            section["datasets"][i][name] = toJsonValue(field.get(spec, i));
    }
    return root.dump(2) + "\n";
}

std::vector<std::string> columnFieldsOf(DataFormat format) {
    switch (format) {
    case DataFormat::kAuto:
        return {"messages", "conversations", "system", "tools",      "instruction", "input",
                "output",   "history",       "prompt", "completion", "text",        "segments"};
    case DataFormat::kMessages:
        return {"messages", "system", "tools"};
    case DataFormat::kShareGpt:
        return {"conversations", "system", "tools"};
    case DataFormat::kAlpaca:
        return {"instruction", "input", "output", "system", "history"};
    case DataFormat::kCompletion:
        return {"prompt", "completion", "system", "tools"};
    case DataFormat::kText:
        return {"text"};
    case DataFormat::kSegments:
        return {"segments"};
    }
    return {};
}

// Which says of a row whether its answer is a good one, in every format.
constexpr const char* kLabelField = "label";

bool isTrainingSwitch(std::string_view name) {
    constexpr std::string_view kNames[] = {"train", "weight", "loss_weight", "loss", "training", "trainable"};
    const auto isSame = [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a + 'a' - 'A' == b); };
    return std::ranges::any_of(kNames, [&](std::string_view known) { return std::ranges::equal(name, known, isSame); });
}

ColumnChoice parseColumnChoice(const std::string& text) {
    const std::vector<std::string> known = columnFieldsOf(DataFormat::kAuto);
    const std::size_t equals = text.find('=');
    ColumnChoice choice{text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)};
    constexpr std::string_view kOptional[] = {"input", "system", "history", "tools"};
    const bool isLeftOut = equals != std::string::npos && choice.column.empty(); // what is called so is not read
    if (isLeftOut &&
        (isTrainingSwitch(choice.field) || std::ranges::find(kOptional, choice.field) != std::end(kOptional)))
        return choice;
    if (choice.field == kLabelField && equals != std::string::npos) return choice;
    if (choice.column.empty())
        throw invalidInput("'data.columns' has the entry '" + text + "'.",
                           "Write field=column, for example prompt=question.");
    if (std::ranges::find(known, choice.field) != known.end()) return choice;
    std::string fields;
    for (const std::string& name : known)
        fields += (fields.empty() ? "" : ", ") + name;
    throw invalidInput("'data.columns' has the entry '" + text + "', but no format has a field '" + choice.field + "'.",
                       "Fields are " + fields + "; the column of your file stands behind the '='.");
}

char delimiterOf(const DatasetSection& dataset) {
    const std::string& text = dataset.delimiter;
    if (text.empty()) return '\0';
    if (text == "tab" || text == "\\t") return '\t';
    const auto isUsable = [](char c) { return c == '\t' || (c >= ' ' && c < 0x7F && c != '"'); };
    if (text.size() == 1 && isUsable(text[0])) return text[0];
    throw invalidInput("'data.delimiter' is '" + text + "'.",
                       "Give the one character that stands between cells, or tab; empty: it is found out.");
}

namespace {

void check(const Field& field, const FieldValue& value, Secrets secrets) {
    checkLimits(field, value);
    if (secrets == Secrets::kRefused) requireNoSecret(field, value);
}

void checkDataset(const RunSpec& spec, std::size_t index, bool needsData, Secrets secrets) try {
    const DatasetSection& dataset = spec.data.datasets[index];
    for (const Field& field : runSpecFields())
        if (field.isOfDataset) check(field, field.get(spec, index), secrets);
    if (needsData && dataset.files.empty())
        throw invalidInput("'data.files' is empty.", "Choose at least one data file.");
    checkColumns(dataset);
    delimiterOf(dataset);
    for (const std::string& text : dataset.leaveOutRows)
        parseRowKey(text);
    if (dataset.turnBegin.empty() != dataset.turnEnd.empty())
        throw invalidInput("Only one of 'data.turn_begin' and 'data.turn_end' is given.", "Give both, or neither.");
} catch (const Error& error) {
    if (spec.data.datasets.size() == 1) throw;
    throw invalidInput("Dataset " + std::to_string(index + 1) + ": " + error.message(), error.advice());
}

} // namespace

namespace {

void checkWeights(const RunSpec& spec) {
    if (!isPacked(spec.model.weights)) return;
    const std::string format = spellingOf(spec.model.weights);
    if (spec.method == Method::kFull)
        throw invalidInput("'model.weights' is " + format + ", but no weights are frozen with 'method' full.",
                           "Leave the weights as-is, or train adapters (method lora).");
}

} // namespace

void validate(const RunSpec& spec, bool needsData, Secrets secrets) {
    if (spec.data.datasets.empty()) throw invalidInput("'data.datasets' lists no dataset.", "Give it at least one.");
    for (const Field& field : runSpecFields())
        if (!field.isOfDataset) check(field, field.get(spec), secrets);
    if (spec.model.path.empty()) throw invalidInput("'model.path' is empty.", "Choose a model folder.");
    for (std::size_t i = 0; i < spec.data.datasets.size(); ++i)
        checkDataset(spec, i, needsData, secrets);
    if (spec.data.overLength == OverLength::kSplit && spec.data.overlap > spec.data.maxLength / 2)
        throw invalidInput("'data.overlap' is " + std::to_string(spec.data.overlap) + ", more than half of " +
                               std::to_string(spec.data.maxLength) + " ('data.max_length').",
                           "Lower it: what a piece repeats is computed again, and not trained.");
    if (spec.method == Method::kFull && !spec.lora.initFrom.empty())
        throw invalidInput("'lora.init_from' names an adapter, but with 'method' full the weights are trained.",
                           "Leave it out, or merge the adapter into a model folder and train that.");
    checkWeights(spec);
    if (spec.method == Method::kLora && spec.lora.targets.empty())
        throw invalidInput("'lora.targets' is empty.", "Name linear layers, or all-linear.");
    if (spec.engine.devices.empty()) throw invalidInput("'engine.devices' is empty.", "Write auto, or name devices.");
    if (spec.duration.epochs == 0 && spec.duration.maxSteps == 0)
        throw invalidInput("'duration.epochs' and 'duration.max_steps' are both 0.", "Set one of them.");
    if (spec.engine.backwardStages.empty() && !spec.engine.forwardStages.empty())
        throw invalidInput("'engine.forward_stages' is given, but 'engine.backward_stages' is not.",
                           "Give both, neither, or 'engine.backward_stages' alone where there is no forward stage.");
}

} // namespace roundpipe::session
