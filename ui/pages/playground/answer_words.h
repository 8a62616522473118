// SPDX-License-Identifier: GPL-3.0-or-later
// An answer's figures and its end, as the window words them.
#pragma once

#include "session/chat.h"

#include <QString>
#include <QStringList>

namespace roundpipe::ui::pages {

QString endText(session::AnswerEnd end); // "ended by itself"
// "61 tokens · 23.4 tokens/s · first after 0.42 s"; `promptSeconds`: until the first.
QString speedText(int64_t numTokens, double promptSeconds, double answerSeconds);
// Of a whole answer, the longest first: for widgets::ElidedLabel.
QStringList figuresOf(const session::ChatAnswer& answer);

QString percentText(double logProbability); // "62.1 %"
// What a token says, in quotes, with line feeds and the like to be seen.
QString quotedToken(const session::TokenText& token);

} // namespace roundpipe::ui::pages
