// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/setting_sections.h"

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

struct Quality {
    const char* key;
    const char* text;
};

constexpr std::array<Quality, 16> kQualities = {
    {{"duration.epochs", QT_TRANSLATE_NOOP("Settings", "More learns the rows better, too many learn them by heart.")},
     {"duration.max_steps", QT_TRANSLATE_NOOP("Settings", "0: by epochs. There is no hidden limit of steps.")},
     {"method",
      QT_TRANSLATE_NOOP("Settings", "lora: a small adapter, beside a model that stays as it is. full: all of the "
                                    "model's weights, which takes many times the memory.")},
     {"optimizer.learning_rate", QT_TRANSLATE_NOOP("Settings", "Quality only. Usual for adapters: 0.0001 to 0.0005.")},
     {"lora.rank", QT_TRANSLATE_NOOP("Settings", "How much the adapter can learn. Usual: 8 to 64.")},
     {"lora.alpha", QT_TRANSLATE_NOOP("Settings", "Quality only. Usual: twice the rank.")},
     {"lora.dropout",
      QT_TRANSLATE_NOOP("Settings", "Against learning by heart where rows are few; 0.05 is usual then.")},
     {"lora.targets", QT_TRANSLATE_NOOP("Settings", "Fewer layers train faster and learn less.")},
     {"lora.modules_to_save",
      QT_TRANSLATE_NOOP("Settings", "For new tokens or another language. A table takes as much host memory as with "
                                    "method full.")},
     {"data.max_length", QT_TRANSLATE_NOOP("Settings", "Longer rows are cut there.")},
     {"batch.microbatch_size", QT_TRANSLATE_NOOP("Settings", "Examples that go through a layer at once.")},
     {"batch.microbatches",
      QT_TRANSLATE_NOOP("Settings", "More keep all devices busy, and make fewer updates an epoch.")},
     {"batch.packing", QT_TRANSLATE_NOOP("Settings", "Short examples share a microbatch. The loss is the same.")},
     {"engine.precision", QT_TRANSLATE_NOOP("Settings", "fp32 doubles memory and traffic. auto: bf16 on GPUs, fp32 on "
                                                        "the processor.")},
     {"engine.determinism",
      QT_TRANSLATE_NOOP("Settings", "strict: the same bits on every run. fast: within tolerances, "
                                    "and quicker.")},
     {"output.save_every_steps", QT_TRANSLATE_NOOP("Settings", "0: at the end and on stop. A crash costs what came "
                                                               "after the last checkpoint.")}}};

constexpr Quality kRateOfWeights = {
    "optimizer.learning_rate",
    QT_TRANSLATE_NOOP("Settings", "Quality only. Usual for a model's own weights: 0.00001 to 0.00002.")};

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
    if (method == Method::kFull && field.key == kRateOfWeights.key)
        return QCoreApplication::translate("Settings", kRateOfWeights.text);
    const auto* found = std::ranges::find(kQualities, field.key, &Quality::key);
    return found == std::end(kQualities) ? QString() : QCoreApplication::translate("Settings", found->text);
}

} // namespace roundpipe::ui::pages
