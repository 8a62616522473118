// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/setting_sections.h"

#include "session/spec/field_advice.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <iterator>

namespace roundpipe::ui::pages {
namespace {

struct SectionTitle {
    const char* prefix; // of keys; empty: those without a section
    const char* title;
};

constexpr std::array<SectionTitle, 9> kSections = {
    {{"duration.", QT_TRANSLATE_NOOP("Settings", "Duration")},
     {"lora.", QT_TRANSLATE_NOOP("Settings", "What is trained")}, // and the method
     {"batch.", QT_TRANSLATE_NOOP("Settings", "Batches and speed")},
     {"optimizer.", QT_TRANSLATE_NOOP("Settings", "Optimizer and schedule")},
     {"data.", QT_TRANSLATE_NOOP("Settings", "Data")},
     {"model.", QT_TRANSLATE_NOOP("Settings", "Model")},
     {"engine.", QT_TRANSLATE_NOOP("Settings", "Machine")},
     {"output.", QT_TRANSLATE_NOOP("Settings", "Results")},
     {"", QT_TRANSLATE_NOOP("Settings", "This run")}}};

constexpr std::array kSimple = {"name",      "method",          "duration.epochs",       "optimizer.learning_rate",
                                "lora.rank", "data.max_length", "batch.microbatch_size", "batch.microbatches"};

bool standsIn(const session::Field& field, const SectionTitle& section) {
    const std::string_view prefix = section.prefix;
    if (field.key == "method") return prefix == "lora.";
    return prefix.empty() ? field.key.find('.') == std::string::npos : field.key.starts_with(prefix);
}

} // namespace

std::vector<SettingSection> settingSections() {
    std::vector<SettingSection> sections;
    for (const SectionTitle& title : kSections) {
        SettingSection section{QCoreApplication::translate("Settings", title.title), {}};
        for (const session::Field& field : session::runSpecFields())
            if (field.key != "version" && standsIn(field, title)) section.fields.push_back(&field);
        sections.push_back(std::move(section));
    }
    return sections;
}

bool isSimple(const session::Field& field) {
    return std::ranges::find(kSimple, field.key) != std::end(kSimple);
}

QString whyIdle(const session::Field& field, Method method) {
    if (method != Method::kFull || !field.key.starts_with("lora.")) return {};
    return QCoreApplication::translate("Settings", "No effect: with method full there is no adapter.");
}

QString qualityOf(const session::Field& field, Method method) {
    const char* const advice = session::adviceOn(field.key, method);
    return *advice == 0 ? QString() : QCoreApplication::translate("Settings", advice);
}

} // namespace roundpipe::ui::pages
