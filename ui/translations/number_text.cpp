// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/translations/number_text.h"

#include "base/units.h"

#include <QLocale>
#include <QRegularExpression>

#include <cmath>

namespace roundpipe::ui::translations {
namespace {

constexpr double kLeastPlain = 1e-6; // below it, zeros are no longer counted at a glance

} // namespace

QString localText(const std::string& written) {
    static const QRegularExpression number(QStringLiteral("^[-−+±]?[\\d:]+\\.\\d+([eE][-+]?\\d+)?( \\S+)?$"));
    static const QRegularExpression figure(QStringLiteral("^[-−+±]?\\d[\\d:.]*( \\p{L}+(/\\p{L}+)?( \\d+ \\p{L}+)?)$"));
    QString text = QString::fromStdString(written);
    const bool hasUnit = figure.match(text).hasMatch();
    if (number.match(text).hasMatch()) text.replace(QLatin1Char('.'), QLocale().decimalPoint());
    return hasUnit ? text.replace(QLatin1Char(' '), QChar(QChar::Nbsp)) : text;
}

QString withWholeFigures(QString sentence) {
    static const QRegularExpression blank(
        QStringLiteral("(?<=\\d) (?=(?:%|°C|GB/s|[KMGTP]?i?B|W|[mµn]?s|min|h)(?!\\w))"));
    return sentence.replace(blank, QChar(QChar::Nbsp));
}

std::vector<std::string> localTexts(std::vector<std::string> written) {
    for (std::string& text : written)
        text = localText(text).toStdString();
    return written;
}

QString bytesText(int64_t bytes) {
    return localText(formatBytes(bytes));
}

QString durationText(double seconds) {
    return localText(formatDuration(seconds));
}

QString countText(double count) {
    return localText(formatCount(count));
}

QString fixedText(double value, int decimals) {
    return QLocale().toString(value, 'f', decimals);
}

QString shortText(double value, int significantDigits) {
    QString text = QString::number(value, 'g', significantDigits);
    if (std::abs(value) >= kLeastPlain && text.contains(QLatin1String("e-"))) {
        const int power = static_cast<int>(std::floor(std::log10(std::abs(value))));
        text = QString::number(value, 'f', significantDigits - 1 - power);
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
    }
    return localText(text.toStdString());
}

QString wholeText(int64_t value) {
    return QLocale().toString(static_cast<qlonglong>(value));
}

std::optional<double> numberOf(const QString& typed) {
    QString text = typed.trimmed();
    // "1.500" where the language has points between thousands; what begins with 0 is no such number.
    const QLocale locale;
    const auto escaped = [](const QString& sign) { return QRegularExpression::escape(sign); };
    const QRegularExpression grouped(QStringLiteral("^[-−+]?[1-9]\\d{0,2}(%1\\d{3})+(%2\\d*)?$")
                                         .arg(escaped(locale.groupSeparator()), escaped(locale.decimalPoint())));
    if (grouped.match(text).hasMatch()) text.remove(locale.groupSeparator());
    if (!text.contains(QLatin1Char('.'))) text.replace(QLocale().decimalPoint(), QStringLiteral("."));
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    return isNumber ? std::optional(value) : std::nullopt;
}

} // namespace roundpipe::ui::translations
