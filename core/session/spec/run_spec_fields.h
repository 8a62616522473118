// SPDX-License-Identifier: GPL-3.0-or-later
// The table of RunSpec's fields: names, help, limits and access. The JSON form, the command line's options and the
// GUI's editors are all made from it, so a field is described once.
#pragma once

#include "session/spec/run_spec.h"

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace roundpipe::session {

using FieldValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>, std::vector<int64_t>>;

struct Field {
    std::string key;                  // "lora.rank": section and name ("seed" for those without a section)
    std::string option;               // "--rank": of the command line, unique
    std::string label;                // "Rank": of the GUI
    std::string help;                 // one sentence, with the unit
    double minimum = 0;               // of numbers
    double maximum = 0;               // of numbers; both 0: no limits
    std::vector<std::string> choices; // of a text or of each in a list; empty: any
    bool isPath = false;              // made absolute against the file that the RunSpec came from
    bool isOfDataset = false;         // each dataset has its own: "data.files" stands in data.datasets
    std::function<FieldValue(const RunSpec&, std::size_t dataset)> read;
    std::function<void(RunSpec&, FieldValue, std::size_t dataset)> write;

    // `dataset`: which one's, of fields that each has; it must exist.
    FieldValue get(const RunSpec& spec, std::size_t dataset = 0) const { return read(spec, dataset); }
    // The value has get()'s alternative. Throws kInvalidInput where it, or one of a list, is none of the choices.
    void set(RunSpec& spec, FieldValue value, std::size_t dataset = 0) const { write(spec, std::move(value), dataset); }
};

std::span<const Field> runSpecFields();        // in the order of RunSpec
const Field& fieldByKey(std::string_view key); // throws kInvalidInput, naming the nearest key

// Throws kInvalidInput, naming the field, where a number is outside its limits or not finite.
void checkLimits(const Field& field, const FieldValue& value);
// Likewise where a text holds a password or a token (base/secrets.h): what a run is told is stored with it and passed
// on. A run that has been told one keeps it.
void requireNoSecret(const Field& field, const FieldValue& value);
void checkValue(const Field& field, const FieldValue& value); // both: of what a person enters
// The fields whose values differ, of each dataset those of the first one, in the order of the table.
std::vector<const Field*> differingFields(const RunSpec& a, const RunSpec& b);

} // namespace roundpipe::session
