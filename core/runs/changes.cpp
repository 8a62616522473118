// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/changes.h"

#include "runs/run_files.h"
#include "runs/run_names.h"
#include "session/spec/run_spec_fields.h"
#include "session/spec/value_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace roundpipe::runs {
namespace {

using session::Field;
using session::RunSpec;

bool standsIn(const Field& field, std::string_view section) {
    return field.key.starts_with(section);
}

// Whether a step computes something else with another value, on the same rows and the same model.
bool decidesSteps(const Field& field, Method method) {
    static constexpr std::array kOfOrder = {"data.shuffle", "data.share", "data.share_amount"};
    static constexpr std::array kAlone = {"seed", "method", "model.weights", "engine.precision", "engine.determinism"};
    if (standsIn(field, "data.")) return std::ranges::find(kOfOrder, field.key) != kOfOrder.end();
    if (standsIn(field, "lora.")) return method == Method::kLora && field.key != "lora.init_from";
    if (field.key == "optimizer.when_diverging") return false;
    return standsIn(field, "optimizer.") || standsIn(field, "batch.") ||
           std::ranges::find(kAlone, field.key) != kAlone.end();
}

bool decidesTensors(const Field& field, Method method) {
    static constexpr std::array kOfAdapters = {"lora.rank", "lora.targets", "lora.modules_to_save"};
    return field.key == "method" ||
           (method == Method::kLora && std::ranges::find(kOfAdapters, field.key) != kOfAdapters.end());
}

// Whether rows become other tokens with another value.
bool shapesRows(const Field& field) {
    return standsIn(field, "data.") || field.key == "model.chat_template" || field.key == "model.chat_template_args";
}

std::string valueOf(const Field& field, const RunSpec& spec) {
    const std::size_t count = field.isOfDataset ? spec.data.datasets.size() : 1;
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += (i > 0 ? "; " : "") + session::textOf(field.get(spec, i));
    return text.empty() ? "empty" : text;
}

std::string changeOf(const Field& field, const RunSpec& before, const RunSpec& now) {
    return "'" + field.key + "' was " + valueOf(field, before) + " and is " + valueOf(field, now) + ".";
}

// Which settings may be why, of those that only the rows show.
std::string ofRows(const RunSpec& before, const RunSpec& now) {
    std::string why;
    for (const Field* field : differingFields(before, now))
        if (shapesRows(*field) && !decidesSteps(*field, now.method)) why += " " + changeOf(*field, before, now);
    return "The rows are other ones, or became other tokens." +
           (why.empty() ? " A file of rows, the tokenizer or the chat template has changed." : why);
}

std::string ofWeights(const RunSpec& before, const RunSpec& now) {
    const std::string of = before.model.path == now.model.path ? "in '" + now.model.path + "' have changed."
                                                               : "are another model's: it was '" + before.model.path +
                                                                     "' and is '" + now.model.path + "'.";
    return "The bytes of the weights " + of;
}

bool differ(const std::string& before, const std::string& now) {
    return !before.empty() && !now.empty() && before != now;
}

RunSpec specOf(const FoundCheckpoint& checkpoint) {
    return session::readRunSpec(checkpoint.folder / kCheckpointSettings);
}

} // namespace

std::vector<std::string> changedRun(const FoundCheckpoint& checkpoint) {
    if (checkpoint.state.run.empty()) return {};
    const RunNames own = namesOfRun(RunFiles{checkpoint.folder.parent_path().parent_path()});
    if (own.names.empty() || own.names.contains(checkpoint.state.run)) return {};
    return {"'" + checkpoint.folder.string() + "' was made by another run than '" + own.by.filename().string() +
            "' tells of: one of the two was put here."};
}

std::vector<std::string> changedTensors(const FoundCheckpoint& checkpoint, const RunSpec& now) {
    std::vector<std::string> changes;
    if (!checkpoint.state.fingerprint) return changes;
    const RunSpec before = specOf(checkpoint);
    for (const Field* field : differingFields(before, now))
        if (decidesTensors(*field, now.method)) changes.push_back(changeOf(*field, before, now));
    return changes;
}

std::vector<std::string> changedSettings(const FoundCheckpoint& checkpoint, const RunSpec& now) {
    std::vector<std::string> changes;
    if (!checkpoint.state.fingerprint) return changes;
    const RunSpec before = specOf(checkpoint);
    std::vector<std::string> ofRows; // which may come to the same, as files that were moved mostly do
    for (const Field* field : differingFields(before, now))
        if (decidesSteps(*field, now.method))
            changes.push_back(changeOf(*field, before, now));
        else if (shapesRows(*field) && !field->isPath)
            ofRows.push_back(changeOf(*field, before, now));
    if (!changes.empty()) std::ranges::move(ofRows, std::back_inserter(changes));
    return changes;
}

std::vector<std::string> changedContent(const FoundCheckpoint& checkpoint, const RunSpec& now,
                                        const Fingerprint& printNow) {
    std::vector<std::string> changes;
    const auto& print = checkpoint.state.fingerprint;
    if (!print) return changes;
    const RunSpec before = specOf(checkpoint);
    if (differ(print->rows, printNow.rows))
        changes.push_back(ofRows(before, now));
    else if (differ(print->validation, printNow.validation))
        changes.push_back("The validation's rows have changed, so that losses of before and after would not compare.");
    if (differ(print->weights, printNow.weights))
        changes.push_back(ofWeights(before, now));
    else if (differ(print->config, printNow.config))
        changes.push_back("'" + now.model.path + "/config.json' is another one than it was.");
    return changes;
}

} // namespace roundpipe::runs
