// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of values that cross the session's door as JSON.
#pragma once

#include "session/serialise.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace roundpipe::session {

// Whether every leaf of `value` is another than in `plain`, which holds one element of each list of objects that
// `value` holds, as it is by default: so a field that a test forgets is found.
inline void differsEverywhere(const nlohmann::json& value, const nlohmann::json& plain, const std::string& where) {
    if (value.is_object()) {
        ASSERT_TRUE(plain.is_object()) << where << " is an object, and no default of it is given";
        for (const auto& [key, field] : value.items())
            differsEverywhere(field, plain.at(key), where + "." + key);
    } else if (value.is_array() && !value.empty() && value[0].is_object()) {
        ASSERT_EQ(plain.size(), 1U) << where << " is a list of objects, and no default of one is given";
        differsEverywhere(value[0], plain[0], where + "[0]");
    } else {
        EXPECT_NE(value, plain) << where << " is as it is by default, so that a test of it shows nothing";
    }
}

// Whether `value` comes back, and each of its fields is missed, and refused where its type is wrong, by name. `plain`
// as above. That no field is left out of the JSON is checked by the compiler (serialise.cpp).
template <class Value>
void survives(const Value& value, const Value& plain) {
    using Json = nlohmann::json;
    const std::string json = toJson(value);
    EXPECT_EQ(toJson(fromJson<Value>(json)), json);
    EXPECT_EQ(json.find('\n'), std::string::npos) << "one line";
    const Json whole = Json::parse(json);
    differsEverywhere(whole, Json::parse(toJson(plain)), "value");
    for (const auto& [key, field] : whole.items()) {
        Json without = whole;
        without.erase(key);
        testing::expectError(ErrorKind::kInvalidInput, {key.c_str(), "missing"},
                             [&] { fromJson<Value>(without.dump()); });
        Json wrong = whole;
        wrong[key] = Json::object({{"no", "such"}});
        testing::expectError(ErrorKind::kInvalidInput, {key.c_str()}, [&] { fromJson<Value>(wrong.dump()); });
    }
}

} // namespace roundpipe::session
