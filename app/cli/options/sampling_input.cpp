// SPDX-License-Identifier: GPL-3.0-or-later
#include "options/sampling_input.h"

#include "base/error.h"

#include <fmt/format.h>

namespace roundpipe::cli {
namespace {

// What is wrong with a value, as CLI11 prints it behind the option's name; empty: nothing.
std::string complaint(const session::SamplingField& field, const std::string& text) {
    try {
        double value = 0;
        if (!CLI::detail::lexical_cast(text, value)) return "'" + text + "' is no number.";
        session::SamplingOptions scratch;
        setSampling(scratch, field, value, text);
        return {};
    } catch (const Error& error) {
        return error.advice();
    }
}

} // namespace

void addSampling(CLI::App& app, session::SamplingOptions& options) {
    for (const session::SamplingField& field : session::samplingFields())
        app.add_option_function<double>(
               field.option, [&options, &field](double value) { setSampling(options, field, value, field.option); },
               fmt::format("{} ({:g})", field.help, samplingValue(options, field)))
            ->type_name(field.isWhole() ? "INT" : "FLOAT")
            ->check([&field](const std::string& text) { return complaint(field, text); });
    app.add_option("--stop", options.stops, "A text before which an answer ends; may be repeated.")
        ->check([](const std::string& text) {
            try {
                session::checkStops({text});
                return std::string();
            } catch (const Error& error) {
                return error.message();
            }
        });
}

} // namespace roundpipe::cli
