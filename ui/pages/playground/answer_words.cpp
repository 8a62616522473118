// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/answer_words.h"

#include "ui/translations/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::pages {
namespace {

struct AnswerWords { // the context of their translations
    Q_DECLARE_TR_FUNCTIONS(AnswerWords)
};

const QString kApart = QStringLiteral(" · ");

QString countText(int64_t numTokens) {
    return AnswerWords::tr("%Ln token(s)", nullptr, static_cast<int>(numTokens));
}

QString rateText(int64_t numTokens, double answerSeconds) {
    if (numTokens < 2 || answerSeconds <= 0) return {};
    return AnswerWords::tr("%1 tokens/s")
        .arg(translations::shortText(static_cast<double>(numTokens - 1) / answerSeconds, 3));
}

} // namespace

QString endText(session::AnswerEnd end) {
    switch (end) {
    case session::AnswerEnd::kEndToken:
        return AnswerWords::tr("ended by itself");
    case session::AnswerEnd::kStopText:
        return AnswerWords::tr("ended by a stop text");
    case session::AnswerEnd::kLimit:
        return AnswerWords::tr("cut off: no more tokens allowed");
    case session::AnswerEnd::kStopped:
        return AnswerWords::tr("stopped");
    }
    return {};
}

QString speedText(int64_t numTokens, double promptSeconds, double answerSeconds) {
    QStringList parts{countText(numTokens)};
    if (const QString rate = rateText(numTokens, answerSeconds); !rate.isEmpty()) parts.append(rate);
    if (numTokens > 0)
        parts.append(AnswerWords::tr("first after %1").arg(translations::durationText(std::max(promptSeconds, 0.001))));
    return parts.join(kApart);
}

QStringList figuresOf(const session::ChatAnswer& answer) {
    const QString end = endText(answer.end), count = countText(answer.numTokens);
    const QString rate = rateText(answer.numTokens, answer.answerSeconds);
    QStringList figures{speedText(answer.numTokens, answer.promptSeconds, answer.answerSeconds) + kApart + end};
    if (!rate.isEmpty()) figures.append(count + kApart + rate + kApart + end);
    figures.append(count + kApart + end);
    figures.append(end);
    return figures;
}

QString percentText(double logProbability) {
    const double percent = 100 * std::exp(logProbability);
    if (percent > 0 && percent < 0.1) return AnswerWords::tr("under %1 %").arg(translations::fixedText(0.1, 1));
    return AnswerWords::tr("%1 %").arg(translations::fixedText(percent, 1));
}

QString quotedToken(const session::TokenText& token) {
    if (token.text.empty()) return AnswerWords::tr("nothing");
    QString text = QString::fromStdString(token.text);
    text.replace(QLatin1Char('\n'), QStringLiteral("⏎")).replace(QLatin1Char('\t'), QStringLiteral("⇥"));
    text.replace(QLatin1Char('\r'), QStringLiteral("␍"));
    return token.isSpecial ? text : QStringLiteral("“%1”").arg(text);
}

} // namespace roundpipe::ui::pages
