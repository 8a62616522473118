// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/answer_label.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QTextBoundaryFinder>

namespace roundpipe::ui::widgets {
namespace {

constexpr QChar kMayBreak(0x200b); // a space of no width
constexpr qsizetype kLongestWhole = 20;

// A QLabel wraps between words alone: what is long without a place to wrap gets some.
QString breakable(const QString& words) {
    QTextBoundaryFinder breaks(QTextBoundaryFinder::Line, words);
    QTextBoundaryFinder characters(QTextBoundaryFinder::Grapheme, words);
    QString result;
    for (qsizetype from = 0, to = breaks.toNextBoundary(); to >= 0; from = to, to = breaks.toNextBoundary()) {
        if (to - from <= kLongestWhole) {
            result += words.mid(from, to - from);
            continue;
        }
        characters.setPosition(from);
        for (qsizetype at = from, next = characters.toNextBoundary(); next >= 0 && next <= to;
             at = next, next = characters.toNextBoundary()) {
            if (at > from) result += kMayBreak;
            result += words.mid(at, next - at);
        }
    }
    return result;
}

} // namespace

AnswerLabel::AnswerLabel(const QString& words, QWidget* parent) : QLabel(parent) {
    setWordWrap(true);
    setTextFormat(Qt::PlainText); // whatever it contains
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setWords(words);
}

void AnswerLabel::setWords(const QString& words) {
    setText(breakable(words));
}

void AnswerLabel::copySelection() const {
    QString words = selectedText().remove(kMayBreak);
    QGuiApplication::clipboard()->setText(words.replace(QChar(QChar::ParagraphSeparator), QLatin1Char('\n')));
}

void AnswerLabel::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy) && hasSelectedText())
        copySelection();
    else
        QLabel::keyPressEvent(event);
}

void AnswerLabel::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy"), this, &AnswerLabel::copySelection)->setEnabled(hasSelectedText());
    menu.exec(event->globalPos());
}

} // namespace roundpipe::ui::widgets
