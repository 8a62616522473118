// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/sweep.h"

#include "base/error.h"
#include "session/spec/no_secret.h"
#include "session/spec/value_text.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>

namespace roundpipe::queue {
namespace {

using session::Field;
using session::FieldValue;

const Field& fieldOf(const std::string& name) {
    for (const Field& field : session::runSpecFields())
        if (field.option == name) return field;
    return session::fieldByKey(name);
}

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    for (const auto part : std::views::split(text, at))
        parts.emplace_back(part.begin(), part.end());
    return parts;
}

// A setting of datasets is meant of each.
void set(const Field& field, const FieldValue& value, QueuedRun& run) {
    for (std::size_t i = 0; i < (field.isOfDataset ? run.spec.data.datasets.size() : 1); ++i)
        field.set(run.spec, value, i);
    run.spec.name += ", " + field.label + " " + session::textOf(value);
}

// What of a run no grid can have, and why.
constexpr std::array<std::pair<std::string_view, const char*>, 3> kOwn = {{
    {"output.folder", "each run has a folder of its own."},
    {"name", "its runs are named by what is different in them."},
    {"version", "it is that of the files in which runs are written down."},
}};

const char* whyOwn(const Field& field) {
    const auto own = std::ranges::find(kOwn, field.key, [](const auto& one) { return one.first; });
    return own == kOwn.end() ? nullptr : own->second;
}

void requireDifferentFields(const std::vector<SweptField>& fields) {
    std::set<std::string> taken;
    for (const SweptField& swept : fields) {
        const std::string refusal = "A grid cannot have '" + swept.field->key + "'";
        if (const char* why = whyOwn(*swept.field)) throw invalidInput(refusal + ": " + why);
        if (!taken.insert(swept.field->key).second)
            throw invalidInput(refusal + " twice: give all its values at once.");
    }
}

// They would train the same run twice.
void requireDifferentValues(const SweptField& swept) {
    for (auto value = swept.values.begin(); value != swept.values.end(); ++value)
        if (std::find(swept.values.begin(), value, *value) != value)
            throw invalidInput("The grid has '" + swept.field->key + "' at " + session::textOf(*value) + " twice.",
                               "Give each value once.");
}

} // namespace

std::string nameOf(const QueuedRun& run) {
    if (!run.spec.name.empty()) return run.spec.name;
    return std::filesystem::path(run.spec.model.path).filename().string();
}

std::vector<const Field*> sweepableFields() {
    std::vector<const Field*> fields;
    for (const Field& field : session::runSpecFields())
        if (whyOwn(field) == nullptr) fields.push_back(&field);
    return fields;
}

SweptField sweptFieldOf(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size())
        throw invalidInput("The grid '" + text + "' names no values.", "Write KEY=VALUE,VALUE, as in lora.rank=8,16.");
    SweptField swept;
    swept.field = &fieldOf(text.substr(0, equals));
    const bool hasParts = session::isList(swept.field->get(session::RunSpec{}));
    for (const std::string& value : split(text.substr(equals + 1), ','))
        swept.values.push_back(session::valueFrom(*swept.field, hasParts ? split(value, '+') : std::vector{value}));
    return swept;
}

std::vector<QueuedRun> sweepOf(const QueuedRun& base, const std::vector<SweptField>& fields) {
    requireDifferentFields(fields);
    session::requireNoSecret("The grid's name", base.sweep);
    QueuedRun first = base;
    first.spec.name = nameOf(base);
    first.spec.output.folder.clear();
    std::vector<QueuedRun> runs = {first};
    for (const SweptField& swept : fields) {
        requireDifferentValues(swept);
        if (runs.size() * swept.values.size() > kMostRuns)
            throw invalidInput("The grid has more than " + std::to_string(kMostRuns) + " runs.", "Take fewer values.");
        std::vector<QueuedRun> finer;
        for (const QueuedRun& run : runs)
            for (const FieldValue& value : swept.values)
                set(*swept.field, value, finer.emplace_back(run));
        runs = std::move(finer);
    }
    for (const QueuedRun& run : runs) {
        try {
            session::validate(run.spec);
        } catch (const Error& error) {
            throw invalidInput("'" + run.spec.name + "': " + error.message(), error.advice());
        }
    }
    return runs;
}

} // namespace roundpipe::queue
