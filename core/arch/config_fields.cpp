// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/config_fields.h"

#include "base/json_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::arch {

using Json = nlohmann::json;

struct ConfigFields::Object {
    explicit Object(Json object) : json(std::move(object)) {} // std::make_shared of clang 14 makes no aggregates

    Json json;

    const Json* find(const char* key) const { // not null
        const auto found = json.find(key);
        return found == json.end() || found->is_null() ? nullptr : &*found;
    }
};

namespace {

std::string jsonText(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parseObject(std::string_view text, const std::string& name) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::exception& error) {
        throw invalidInput(
            fmt::format("'{}' is not valid JSON: {}.", name, wordsForJsonError(error.id, error.what(), text)));
    }
    if (!json.is_object()) throw invalidInput(fmt::format("'{}' must hold a JSON object.", name));
    return json;
}

bool fitsInteger(const Json& value) {
    return value.is_number_integer() &&
           !(value.is_number_unsigned() &&
             value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
}

} // namespace

ConfigFields::ConfigFields(std::string_view text, std::string file)
    : ConfigFields(std::make_shared<const Object>(parseObject(text, file)), file, {}) {}

ConfigFields::ConfigFields(std::shared_ptr<const Object> object, std::string file, std::string prefix)
    : m_object(std::move(object)), m_file(std::move(file)), m_prefix(std::move(prefix)) {}

bool ConfigFields::has(const char* key) const {
    return m_object->find(key) != nullptr;
}

bool ConfigFields::mentions(const char* key) const {
    return m_object->json.contains(key);
}

bool ConfigFields::isObject(const char* key) const {
    return has(key) && m_object->find(key)->is_object();
}

bool ConfigFields::isText(const char* key) const {
    return has(key) && m_object->find(key)->is_string();
}

bool ConfigFields::isEmpty() const {
    return m_object->json.empty();
}

std::vector<std::string> ConfigFields::objects() const {
    std::vector<std::string> keys;
    for (const auto& [key, value] : m_object->json.items())
        if (value.is_object()) keys.push_back(key);
    return keys;
}

std::optional<int64_t> ConfigFields::integer(const char* key, int64_t least, int64_t most) const {
    const Json* value = m_object->find(key);
    if (value == nullptr) return std::nullopt;
    if (!fitsInteger(*value) || value->get<int64_t>() < least || value->get<int64_t>() > most)
        throw bad(key, fmt::format("an integer from {} to {}", least, most));
    return value->get<int64_t>();
}

std::optional<double> ConfigFields::number(const char* key, double least) const {
    const Json* value = m_object->find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number() || !std::isfinite(value->get<double>()) || value->get<double>() < least)
        throw bad(key, fmt::format("a number of at least {}", least));
    return value->get<double>();
}

std::optional<std::string> ConfigFields::text(const char* key) const {
    const Json* value = m_object->find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) throw bad(key, "a string");
    return value->get<std::string>();
}

std::optional<ConfigFields> ConfigFields::object(const char* key) const {
    const Json* value = m_object->find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_object()) throw bad(key, "an object");
    return ConfigFields(std::make_shared<const Object>(*value), m_file, m_prefix + key + ".");
}

bool ConfigFields::flag(const char* key, bool otherwise) const {
    const Json* value = m_object->find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_boolean()) throw bad(key, "true or false");
    return value->get<bool>();
}

double ConfigFields::positive(const char* key, double otherwise) const {
    const double value = number(key, 0).value_or(otherwise);
    if (value <= 0) throw bad(key, "a number above 0");
    return value;
}

int64_t ConfigFields::requiredSize(const char* key, int64_t most) const {
    const auto value = integer(key, 1, most);
    if (!value) throw missing(key);
    return *value;
}

double ConfigFields::requiredNumber(const char* key, double least) const {
    const auto value = number(key, least);
    if (!value) throw missing(key);
    return *value;
}

std::optional<std::vector<double>> ConfigFields::numbers(const char* key, const std::string& expected) const {
    const Json* list = m_object->find(key);
    if (list == nullptr) return std::nullopt;
    const auto isNumber = [](const Json& item) { return item.is_number() && std::isfinite(item.get<double>()); };
    if (!list->is_array() || !std::ranges::all_of(*list, isNumber)) throw bad(key, expected);
    return list->get<std::vector<double>>();
}

std::optional<std::vector<std::string>> ConfigFields::names(const char* key, const std::string& expected) const {
    const Json* list = m_object->find(key);
    if (list == nullptr) return std::nullopt;
    if (!list->is_array()) throw bad(key, expected);
    std::vector<std::string> result;
    for (const Json& item : *list)
        result.push_back(item.is_string() ? item.get<std::string>() : jsonText(item));
    return result;
}

std::optional<std::vector<int64_t>> ConfigFields::integers(const char* key, const std::string& expected) const {
    const Json* value = m_object->find(key);
    if (value == nullptr) return std::nullopt;
    std::vector<int64_t> result;
    for (const Json& item : value->is_array() ? *value : Json::array({*value})) {
        if (!fitsInteger(item)) throw bad(key, expected);
        result.push_back(item.get<int64_t>());
    }
    return result;
}

std::vector<int32_t> ConfigFields::ids(const char* key) const {
    const std::string expected = "a token id or a list of token ids";
    std::vector<int32_t> result;
    for (const int64_t id : integers(key, expected).value_or(std::vector<int64_t>())) {
        if (id < -1 || id > std::numeric_limits<int32_t>::max()) throw bad(key, expected);
        if (id >= 0) result.push_back(static_cast<int32_t>(id)); // -1 was used for "none"
    }
    return result;
}

Error ConfigFields::missing(const char* key) const {
    return invalidInput(fmt::format("'{}': the field '{}{}' is missing.", m_file, m_prefix, key),
                        "Fetch that file again, from where its folder comes from.");
}

Error ConfigFields::badValue(const char* key, const std::string& expected, std::string found) const {
    if (found.size() > 80) found = found.substr(0, 77) + "...";
    return invalidInput(
        fmt::format("'{}': the field '{}{}' must be {}, but is {}.", m_file, m_prefix, key, expected, found));
}

Error ConfigFields::bad(const char* key, const std::string& expected) const {
    return badValue(key, expected, shown(key));
}

Error ConfigFields::bad(const char* key, const std::string& expected, int64_t found) const {
    return badValue(key, expected, jsonText(found));
}

Error ConfigFields::bad(const char* key, const std::string& expected, double found) const {
    return badValue(key, expected, jsonText(found));
}

std::string ConfigFields::shown(const char* key) const {
    const Json* value = m_object->find(key);
    return value == nullptr ? "" : jsonText(*value);
}

} // namespace roundpipe::arch
