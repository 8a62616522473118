// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/trace_facts.h"

#include "session/spec/run_spec_fields.h"
#include "ui/models/plan_text.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <array>

namespace roundpipe::ui::models {
namespace {

struct TraceFacts { // the context of their translations
    Q_DECLARE_TR_FUNCTIONS(TraceFacts)
};

struct Name {
    const char* written;
    const char* words;
    const char* field; // whose label it has; null: none
};
constexpr std::array<Name, 10> kNames = {
    {{"model", QT_TRANSLATE_NOOP("TraceFacts", "model"), nullptr},
     {"run", QT_TRANSLATE_NOOP("TraceFacts", "run"), nullptr},
     {"device", QT_TRANSLATE_NOOP("TraceFacts", "device"), nullptr},
     {"stages", QT_TRANSLATE_NOOP("TraceFacts", "stages"), nullptr},
     {"steps", QT_TRANSLATE_NOOP("TraceFacts", "planned steps"), nullptr}, // it may have been stopped before
     {"microbatches of a step", QT_TRANSLATE_NOOP("TraceFacts", "microbatches of a step"), nullptr},
     {"predicted for", QT_TRANSLATE_NOOP("TraceFacts", "predicted for"), nullptr},
     {"max_length", nullptr, "data.max_length"},
     {"precision", nullptr, "engine.precision"},
     {"lora.rank", nullptr, "lora.rank"}}};

QString nameOf(const std::string& written) {
    for (const Name& name : kNames)
        if (written == name.written)
            return name.field == nullptr
                       ? TraceFacts::tr(name.words)
                       : QCoreApplication::translate("RunSpec", session::fieldByKey(name.field).label.c_str());
    return QString::fromStdString(written);
}

QString countOf(const QString& written) {
    return translations::localText(written.toStdString());
}

QString modelOf(const QString& written) {
    static const QRegularExpression kForm(
        QStringLiteral("^(.+), (\\d+) blocks(?: of (\\d+) experts \\((\\d+) a token\\))?, hidden (\\d+), "
                       "([\\d.]+(?: [kMBT])?) parameters( \\(simulated\\))?$"));
    const QRegularExpressionMatch found = kForm.match(written);
    if (!found.hasMatch()) return written;
    const auto part = [&](int index) { return found.captured(index); };
    const QString text = found.hasCaptured(3) && !part(3).isEmpty()
                             ? TraceFacts::tr("%1, %2 blocks of %3 experts (%4 a token), hidden %5, %6 parameters")
                                   .arg(part(1), part(2), part(3), part(4), part(5), countOf(part(6)))
                             : TraceFacts::tr("%1, %2 blocks, hidden %3, %4 parameters")
                                   .arg(part(1), part(2), part(5), countOf(part(6)));
    return part(7).isEmpty() ? text : TraceFacts::tr("%1 (simulated)").arg(text);
}

QString stagesOf(const QString& written) {
    static const QRegularExpression kForm(QStringLiteral("^(\\d+) forward, one fused, (\\d+) backward$"));
    const QRegularExpressionMatch found = kForm.match(written);
    if (!found.hasMatch()) return written;
    return TraceFacts::tr("%1 forward, one fused, %2 backward").arg(found.captured(1), found.captured(2));
}

QString stepsOf(const QString& written) {
    static const QRegularExpression kForm(QStringLiteral("^(\\d+) to (\\d+)$"));
    const QRegularExpressionMatch found = kForm.match(written);
    return found.hasMatch() ? TraceFacts::tr("%1 to %2").arg(found.captured(1), found.captured(2)) : written;
}

QString valueOf(const trace::Fact& fact) {
    const QString written = QString::fromStdString(fact.value);
    if (fact.name == "model") return modelOf(written);
    if (fact.name == "stages") return stagesOf(written);
    if (fact.name == "steps") return stepsOf(written);
    if (fact.name == "predicted for") return rigText(fact.value);
    if (fact.name == "precision") return QCoreApplication::translate("RunSpec", fact.value.c_str());
    return written;
}

} // namespace

QString traceFactsText(const std::vector<trace::Fact>& facts) {
    QStringList parts;
    const std::string* before = nullptr;
    for (const trace::Fact& fact : facts) {
        if (before != nullptr && *before == fact.name)
            parts.back() += TraceFacts::tr(", ", "between devices") + valueOf(fact);
        else
            parts += TraceFacts::tr("%1: %2").arg(nameOf(fact.name), valueOf(fact));
        before = &fact.name;
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace roundpipe::ui::models
