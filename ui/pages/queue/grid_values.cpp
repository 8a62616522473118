// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/queue/grid_values.h"

#include "base/error.h"
#include "session/spec/value_text.h"
#include "ui/editors/field_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <optional>

namespace roundpipe::ui::pages {
namespace {

bool isDecimal(const QString& text, qsizetype comma) {
    return comma > 0 && comma + 1 < text.size() && text[comma - 1].isDigit() && text[comma + 1].isDigit();
}

QStringList partsOf(const QString& typed, bool hasDecimalComma) {
    QStringList parts(QString{});
    for (qsizetype i = 0; i < typed.size(); ++i) {
        const bool separates =
            typed[i] == QLatin1Char(';') || (typed[i] == QLatin1Char(',') && !(hasDecimalComma && isDecimal(typed, i)));
        separates ? parts.append(QString()) : void(parts.last().append(typed[i]));
    }
    for (QString& part : parts)
        part = part.trimmed();
    parts.removeAll(QString());
    return parts;
}

session::FieldValue valueOf(const session::Field& field, const std::vector<std::string>& words, const QString& typed) {
    const auto refuse = [&](const QString& why) {
        throw invalidInput((editors::labelOf(field) + QStringLiteral(": ") + why).toStdString());
    };
    std::optional<session::FieldValue> value;
    try {
        value = session::valueFrom(field, words);
    } catch (const Error&) { // it speaks of options
        refuse(QCoreApplication::translate("GridValues", "“%1” is no value of this setting.").arg(typed));
    }
    if (const QString problem = editors::problemOf(field, *value); !problem.isEmpty()) refuse(problem);
    return *value;
}

} // namespace

std::vector<session::FieldValue> gridValuesOf(const session::Field& field, const QString& typed,
                                              const QLocale& locale) {
    const session::FieldValue example = field.get(session::RunSpec());
    const bool isNumber = std::holds_alternative<double>(example) || std::holds_alternative<int64_t>(example);
    const bool isList = session::isList(example);
    const bool hasDecimalComma = isNumber && locale.decimalPoint() == QLatin1String(",");
    std::vector<session::FieldValue> values;
    for (QString part : partsOf(typed, hasDecimalComma)) {
        if (hasDecimalComma) part.replace(QLatin1Char(','), QLatin1Char('.'));
        std::vector<std::string> words;
        for (const QString& word : isList ? part.split(QLatin1Char('+')) : QStringList(part))
            words.push_back(word.trimmed().toStdString());
        values.push_back(valueOf(field, words, part));
    }
    return values;
}

} // namespace roundpipe::ui::pages
