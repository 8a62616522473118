// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/token_paper.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTextCursor>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::pages {
namespace {

constexpr std::size_t kAtOnce = 300; // tokens

struct TokenWords { // the context of its translations
    Q_DECLARE_TR_FUNCTIONS(TokenPaper)
};

// Line feeds are shown, and end the line.
QString shownText(const session::TokenText& token) {
    QString text = QString::fromStdString(token.text);
    text.replace(QLatin1Char('\r'), QStringLiteral("␍")).replace(QLatin1Char('\t'), QStringLiteral("⇥"));
    text.replace(QLatin1Char('\n'), QStringLiteral("⏎\n"));
    return text.isEmpty() ? QStringLiteral("∅") : text;
}

} // namespace

Sureness surenessOf(double logProbability) {
    const double probability = std::exp(logProbability);
    if (probability >= 0.9) return Sureness::kSure;
    if (probability >= 0.5) return Sureness::kLikely;
    return probability >= 0.1 ? Sureness::kUnsure : Sureness::kRare;
}

QString surenessText(Sureness sureness) {
    switch (sureness) {
    case Sureness::kSure:
        return TokenWords::tr("from 90 %");
    case Sureness::kLikely:
        return TokenWords::tr("from 50 %");
    case Sureness::kUnsure:
        return TokenWords::tr("from 10 %");
    case Sureness::kRare:
        return TokenWords::tr("below");
    }
    return {};
}

TokenPaper::TokenPaper(const theme::ThemeManager& themes, const QString& name, QWidget* parent)
    : QTextEdit(parent), m_themes(themes) {
    setAccessibleName(name);
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    document()->setDocumentMargin(0);
    m_more.setInterval(0);
    connect(&m_more, &QTimer::timeout, this, &TokenPaper::writeSome);
    connect(&themes, &theme::ThemeManager::changed, this, [this] { start(m_answer, m_isPrompt); });
}

void TokenPaper::showPrompt(std::shared_ptr<const session::ChatAnswer> answer) {
    start(std::move(answer), true);
}

void TokenPaper::showChosen(std::shared_ptr<const session::ChatAnswer> answer) {
    start(std::move(answer), false);
}

void TokenPaper::start(std::shared_ptr<const session::ChatAnswer> answer, bool ofPrompt) {
    m_answer = std::move(answer);
    m_isPrompt = ofPrompt;
    m_ends.clear();
    m_current = -1;
    clear();
    setExtraSelections({});
    writeSome();
}

std::size_t TokenPaper::numTokens() const {
    if (!m_answer) return 0;
    return m_isPrompt ? m_answer->prompt.size() : m_answer->tokens.size();
}

QTextCharFormat TokenPaper::formatOf(Sureness sureness, const theme::Theme& theme) {
    QTextCharFormat format;
    format.setForeground(theme.text);
    switch (sureness) {
    case Sureness::kSure:
        break;
    case Sureness::kLikely:
        format.setBackground(theme.goodTint);
        break;
    case Sureness::kUnsure:
        format.setBackground(theme.warningTint);
        format.setUnderlineStyle(QTextCharFormat::DotLine);
        format.setUnderlineColor(theme.warning);
        break;
    case Sureness::kRare:
        format.setBackground(theme.badTint);
        format.setUnderlineStyle(QTextCharFormat::SingleUnderline);
        format.setUnderlineColor(theme.bad);
        break;
    }
    return format;
}

// Of a prompt every second token has a tint, so that its ends are seen.
QTextCharFormat TokenPaper::formatOf(std::size_t token) const {
    const theme::Theme& theme = m_themes.theme();
    if (!m_isPrompt) {
        QTextCharFormat format = formatOf(surenessOf(m_answer->tokens[token].logProbability), theme);
        if (m_answer->tokens[token].token.isSpecial) format.setForeground(theme.dim);
        return format;
    }
    QTextCharFormat format;
    const bool isSpecial = m_answer->prompt[token].isSpecial;
    format.setForeground(isSpecial ? theme.accent : theme.text);
    if (isSpecial)
        format.setBackground(theme.accentTint);
    else if (token % 2 == 0)
        format.setBackground(theme.raised);
    return format;
}

void TokenPaper::writeSome() {
    const std::size_t end = std::min(numTokens(), m_ends.size() + kAtOnce);
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    cursor.movePosition(QTextCursor::End);
    for (std::size_t i = m_ends.size(); i < end; ++i) {
        cursor.insertText(shownText(m_isPrompt ? m_answer->prompt[i] : m_answer->tokens[i].token), formatOf(i));
        m_ends.push_back(cursor.position());
    }
    cursor.endEditBlock();
    if (end == numTokens())
        m_more.stop();
    else
        m_more.start();
}

void TokenPaper::setCurrent(int token) {
    if (m_ends.empty()) return;
    m_current = std::clamp(token, 0, static_cast<int>(m_ends.size()) - 1);
    QTextCursor cursor(document());
    cursor.setPosition(m_current == 0 ? 0 : m_ends[static_cast<std::size_t>(m_current - 1)]);
    setTextCursor(cursor);
    mark();
    emit currentChanged(m_current);
}

void TokenPaper::mark() {
    QTextEdit::ExtraSelection here;
    here.cursor = textCursor();
    here.cursor.setPosition(m_ends[static_cast<std::size_t>(m_current)], QTextCursor::KeepAnchor);
    here.format.setBackground(m_themes.theme().accent);
    here.format.setForeground(m_themes.theme().onAccent);
    setExtraSelections({here});
}

void TokenPaper::keyPressEvent(QKeyEvent* event) {
    const bool isPlain = event->modifiers() == Qt::NoModifier;
    if (isPlain && event->key() == Qt::Key_Right) return setCurrent(m_current + 1);
    if (isPlain && event->key() == Qt::Key_Left) return setCurrent(m_current - 1);
    QTextEdit::keyPressEvent(event);
}

void TokenPaper::mouseReleaseEvent(QMouseEvent* event) {
    QTextEdit::mouseReleaseEvent(event);
    if (textCursor().hasSelection()) return;
    const int at = cursorForPosition(event->position().toPoint()).position();
    const auto found = std::ranges::upper_bound(m_ends, at);
    if (found != m_ends.end()) setCurrent(static_cast<int>(found - m_ends.begin()));
}

} // namespace roundpipe::ui::pages
