// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editors/field_text.h"

#include "base/error.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>

namespace roundpipe::ui::editors {
namespace {

using session::FieldValue;

QString translated(const std::string& english) {
    return QCoreApplication::translate("RunSpec", english.c_str());
}

template <class List, class Text>
QString joined(const List& items, const Text& textOf) {
    QStringList texts;
    for (const auto& item : items)
        texts.append(textOf(item));
    return texts.join(QStringLiteral(", "));
}

} // namespace

QString labelOf(const session::Field& field) {
    return translated(field.label);
}

QString helpOf(const session::Field& field) {
    return translated(field.help);
}

QString choiceText(const session::Field&, const std::string& choice) {
    return translated(choice);
}

QString textOfValue(const FieldValue& value) {
    struct Visitor {
        QString operator()(bool on) const {
            return on ? QCoreApplication::translate("RunSpec", "on") : QCoreApplication::translate("RunSpec", "off");
        }
        QString operator()(int64_t number) const { return QString::number(number); }
        QString operator()(double number) const { return translations::shortText(number, 12); }
        QString operator()(const std::string& text) const { return QString::fromStdString(text); }
        QString operator()(const std::vector<std::string>& texts) const {
            return joined(texts, [](const std::string& text) { return QString::fromStdString(text); });
        }
        QString operator()(const std::vector<int64_t>& numbers) const {
            return joined(numbers, [](int64_t number) { return QString::number(number); });
        }
    };
    return std::visit(Visitor{}, value);
}

bool isLeftOpen(const session::Field& field, const FieldValue& value) {
    const bool isChosen = field.key == "batch.microbatches" || field.key == "batch.microbatch_size";
    return isChosen && value == FieldValue(int64_t{0});
}

QString shownValue(const session::Field& field, const FieldValue& value) {
    if (isLeftOpen(field, value)) return QCoreApplication::translate("RunSpec", "chosen", "a number, by the plan");
    QString text;
    if (const auto* chosen = std::get_if<std::vector<std::string>>(&value); chosen && !field.choices.empty())
        text = joined(*chosen, [&](const std::string& choice) { return choiceText(field, choice); });
    else
        text = field.choices.empty() ? textOfValue(value) : choiceText(field, std::get<std::string>(value));
    return text.isEmpty() ? QStringLiteral("–") : text;
}

std::optional<FieldValue> valueFromText(const FieldValue& example, const QString& text) {
    if (std::holds_alternative<std::string>(example)) return text.toStdString();
    std::vector<std::string> texts;
    std::vector<int64_t> numbers;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString item = part.trimmed();
        if (item.isEmpty()) continue;
        texts.push_back(item.toStdString());
        bool isNumber = false;
        numbers.push_back(item.toLongLong(&isNumber));
        if (!isNumber && std::holds_alternative<std::vector<int64_t>>(example)) return std::nullopt;
    }
    if (std::holds_alternative<std::vector<int64_t>>(example)) return numbers;
    return texts;
}

QString problemOf(const session::Field& field, const FieldValue& value) {
    try {
        session::checkValue(field, value);
        return {};
    } catch (const Error&) {
        if (std::holds_alternative<std::string>(value) || std::holds_alternative<std::vector<std::string>>(value))
            return QCoreApplication::translate(
                "RunSpec",
                "It holds a password or a token, which would be stored with the run. The Hub's token belongs "
                "in HF_TOKEN, its own file or the keyring.");
        return QCoreApplication::translate("RunSpec", "It must be between %1 and %2.")
            .arg(textOfValue(field.minimum), textOfValue(field.maximum));
    }
}

bool isOwnToARun(const session::Field& field) {
    constexpr std::array kKeys = {"name", "model.path", "model.base_id", "data.files", "output.folder"};
    return std::ranges::find(kKeys, field.key) != kKeys.end();
}

bool isFilePath(const session::Field& field) {
    return field.key == "model.chat_template" || field.key == "data.validation_file";
}

} // namespace roundpipe::ui::editors
