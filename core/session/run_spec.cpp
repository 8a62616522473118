// RunSpec as JSON and its checks, both driven by the table of fields.
#include "session/run_spec.h"

#include "base/error.h"
#include "base/file.h"
#include "session/run_spec_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace roundpipe::session {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

Json toJsonValue(const FieldValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

const char* expectedType(const FieldValue& example) {
    static constexpr const char* kNames[] = {"true or false", "a whole number",  "a number",
                                             "a text",        "a list of texts", "a list of whole numbers"};
    return kNames[example.index()];
}

bool isWholeNumber(const Json& value) {
    return value.is_number_integer() ||
           (value.is_number_float() && value.get<double>() == std::floor(value.get<double>()));
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
        if (value.is_string()) return value.get<std::string>();
        break;
    case 4:
        if (isListOf([](const Json& item) { return item.is_string(); })) return value.get<std::vector<std::string>>();
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

void setField(RunSpec& spec, const std::string& key, const Json& value, const std::string& file) {
    try {
        const Field& field = fieldByKey(key);
        field.set(spec, fromJsonValue(field, value, file));
    } catch (const Error& error) {
        if (error.message().starts_with(file)) throw;
        throw invalidInput(file + ": " + error.message(), error.advice());
    }
}

bool isSection(const std::string& name) {
    return std::ranges::any_of(runSpecFields(), [&](const Field& field) { return field.key.starts_with(name + "."); });
}

void checkNumber(const Field& field, double value) {
    const bool limited = field.minimum != 0 || field.maximum != 0;
    if (std::isfinite(value) && (!limited || (value >= field.minimum && value <= field.maximum))) return;
    const auto text = [](double number) {
        return Json(number == std::floor(number) && std::abs(number) < 1e15 ? Json(static_cast<int64_t>(number))
                                                                            : Json(number))
            .dump();
    };
    throw invalidInput("'" + field.key + "' is " + text(value) + ".",
                       "It must be between " + text(field.minimum) + " and " + text(field.maximum) + ".");
}

void checkField(const RunSpec& spec, const Field& field) {
    const FieldValue value = field.get(spec);
    if (const auto* whole = std::get_if<int64_t>(&value)) checkNumber(field, static_cast<double>(*whole));
    if (const auto* real = std::get_if<double>(&value)) checkNumber(field, *real);
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value))
        for (const int64_t item : *list)
            checkNumber(field, static_cast<double>(item));
    const auto* text = std::get_if<std::string>(&value);
    if (text != nullptr && !field.choices.empty() && std::ranges::find(field.choices, *text) == field.choices.end()) {
        std::string choices;
        for (const std::string& choice : field.choices)
            choices += (choices.empty() ? "" : ", ") + choice;
        throw invalidInput("'" + field.key + "' is '" + *text + "'.", "Choose one of: " + choices + ".");
    }
}

void makeAbsolute(RunSpec& spec, const fs::path& folder) {
    const auto resolved = [&](const std::string& path) {
        return path.empty() ? path : fs::weakly_canonical(folder / path).string();
    };
    for (const Field& field : runSpecFields()) {
        if (!field.isPath) continue;
        FieldValue value = field.get(spec);
        if (auto* path = std::get_if<std::string>(&value)) *path = resolved(*path);
        if (auto* paths = std::get_if<std::vector<std::string>>(&value))
            for (std::string& path : *paths)
                path = resolved(path);
        field.set(spec, std::move(value));
    }
}

} // namespace

RunSpec parseRunSpec(std::string_view text, const std::string& nameForErrors) {
    Json root;
    try {
        root = Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw invalidInput(nameForErrors + " is not valid JSON (byte " + std::to_string(error.byte) + ").");
    }
    if (!root.is_object()) throw invalidInput(nameForErrors + " should hold one JSON object.");
    RunSpec spec;
    for (const auto& [name, value] : root.items()) {
        if (!isSection(name)) {
            setField(spec, name, value, nameForErrors);
            continue;
        }
        if (!value.is_object()) throw invalidInput(nameForErrors + ": '" + name + "' should be an object.");
        for (const auto& [key, inner] : value.items())
            setField(spec, name + "." + key, inner, nameForErrors);
    }
    return spec;
}

RunSpec readRunSpec(const fs::path& path) {
    RunSpec spec = parseRunSpec(readTextFile(path, int64_t{1} << 24), path.string());
    makeAbsolute(spec, fs::absolute(path).parent_path());
    return spec;
}

std::string toJson(const RunSpec& spec) {
    Json root = Json::object();
    for (const Field& field : runSpecFields()) {
        const std::size_t dot = field.key.find('.');
        Json& place =
            dot == std::string::npos ? root[field.key] : root[field.key.substr(0, dot)][field.key.substr(dot + 1)];
        place = toJsonValue(field.get(spec));
    }
    return root.dump(2) + "\n";
}

ColumnChoice parseColumnChoice(const std::string& text) {
    static constexpr const char* kFields[] = {"messages",    "conversations", "system", "tools",
                                              "instruction", "input",         "output", "history",
                                              "prompt",      "completion",    "text",   "segments"};
    const std::size_t equals = text.find('=');
    ColumnChoice choice{text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)};
    if (choice.column.empty())
        throw invalidInput("'data.columns' has the entry '" + text + "'.",
                           "Write field=column, for example prompt=question.");
    if (std::ranges::find(kFields, choice.field) != std::end(kFields)) return choice;
    std::string fields;
    for (const char* name : kFields)
        fields += (fields.empty() ? "" : ", ") + std::string(name);
    throw invalidInput("'data.columns' has the entry '" + text + "', but no format has a field '" + choice.field + "'.",
                       "Fields are " + fields + "; the column of your file stands behind the '='.");
}

void validate(const RunSpec& spec) {
    for (const Field& field : runSpecFields())
        checkField(spec, field);
    if (spec.model.path.empty()) throw invalidInput("'model.path' is empty.", "Choose a model folder.");
    if (spec.data.files.empty()) throw invalidInput("'data.files' is empty.", "Choose at least one data file.");
    std::set<std::string> mapped;
    for (const std::string& text : spec.data.columns)
        if (const std::string field = parseColumnChoice(text).field; !mapped.insert(field).second)
            throw invalidInput("'data.columns' names the field '" + field + "' twice.");
    if (spec.data.turnBegin.empty() != spec.data.turnEnd.empty())
        throw invalidInput("Only one of 'data.turn_begin' and 'data.turn_end' is given.", "Give both, or neither.");
    if (spec.lora.targets.empty()) throw invalidInput("'lora.targets' is empty.", "Name linear layers, or all-linear.");
    if (spec.engine.devices.empty()) throw invalidInput("'engine.devices' is empty.", "Write auto, or name devices.");
    if (spec.duration.epochs == 0 && spec.duration.maxSteps == 0)
        throw invalidInput("'duration.epochs' and 'duration.max_steps' are both 0.", "Set one of them.");
    if (spec.engine.forwardStages.empty() != spec.engine.backwardStages.empty())
        throw invalidInput("Only one of 'engine.forward_stages' and 'engine.backward_stages' is given.",
                           "Give both, or neither.");
}

} // namespace roundpipe::session
