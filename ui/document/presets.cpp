// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/presets.h"

#include "base/error.h"

#include <QCoreApplication>

#include <algorithm>

namespace roundpipe::ui::document {
namespace {

QString say(const char* english) {
    return QCoreApplication::translate("Presets", english);
}

// Of all weights.
QString epochsText(double epochs) {
    return epochs == 1 ? say(QT_TRANSLATE_NOOP("Presets", "1 epoch, all weights"))
                       : say(QT_TRANSLATE_NOOP("Presets", "%1 epochs, all weights")).arg(epochs);
}

} // namespace

std::vector<Preset> builtInPresets(Method method) {
    const auto preset = [&](const char* name, const char* description, double epochs, int64_t rank) {
        if (method == Method::kFull) return Preset{say(name), epochsText(epochs), false, {{"duration.epochs", epochs}}};
        return Preset{
            say(name),
            say(description),
            false,
            {{"duration.epochs", epochs}, {"lora.rank", rank}, {"lora.alpha", 2.0 * static_cast<double>(rank)}}};
    };
    return {preset(QT_TRANSLATE_NOOP("Presets", "First try"), QT_TRANSLATE_NOOP("Presets", "1 epoch, rank 8"), 1, 8),
            preset(QT_TRANSLATE_NOOP("Presets", "Balanced"), QT_TRANSLATE_NOOP("Presets", "3 epochs, rank 16"), 3, 16),
            preset(QT_TRANSLATE_NOOP("Presets", "Thorough"), QT_TRANSLATE_NOOP("Presets", "5 epochs, rank 64"), 5, 64)};
}

bool isOfPresets(const session::Field& field) {
    const auto begins = [&](const char* section) { return field.key.starts_with(section); };
    return begins("lora.") ? field.key != "lora.init_from"
                           : field.key == "method" || begins("optimizer.") || begins("batch.") || begins("duration.");
}

std::string presetText(const session::RunSpec& spec) {
    session::RunSpec kept;
    for (const session::Field& field : session::runSpecFields())
        if (isOfPresets(field)) field.set(kept, field.get(spec));
    return session::toJson(kept);
}

Preset presetFromText(const QString& name, const std::string& text) {
    Preset preset{name, {}, true, {}};
    try {
        const session::RunSpec spec = session::parseRunSpec(text, name.toStdString());
        for (const session::Field& field : session::runSpecFields())
            if (isOfPresets(field)) preset.values.emplace_back(field.key, field.get(spec));
        preset.description = spec.method == Method::kFull ? epochsText(spec.duration.epochs)
                                                          : QCoreApplication::translate("Presets", "%1 epochs, rank %2")
                                                                .arg(spec.duration.epochs)
                                                                .arg(spec.lora.rank);
    } catch (const Error& error) {
        preset.description = QString::fromStdString(error.message());
    }
    return preset;
}

void apply(const Preset& preset, session::RunSpec& spec) {
    for (const auto& [key, value] : preset.values)
        session::fieldByKey(key).set(spec, value);
}

bool isInUse(const Preset& preset, const session::RunSpec& spec) {
    return !preset.values.empty() && std::ranges::all_of(preset.values, [&](const auto& entry) {
        return session::fieldByKey(entry.first).get(spec) == entry.second;
    });
}

} // namespace roundpipe::ui::document
