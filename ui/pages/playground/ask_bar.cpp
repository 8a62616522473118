// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/ask_bar.h"

#include "ui/pages/playground/page_parts.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::pages {
namespace {

constexpr int kMostLines = 6;

} // namespace

AskBar::AskBar(QWidget* parent)
    : Card({}, parent)
    , m_field(new QPlainTextEdit)
    , m_ask(new QPushButton(tr("Ask")))
    , m_stop(new QPushButton(tr("Stop")))
    , m_editing(new QWidget) {
    m_field->setAccessibleName(tr("Question"));
    m_field->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_field->installEventFilter(this);
    m_ask->setObjectName(QStringLiteral("primary"));
    m_ask->setToolTip(tr("Ask (Return; Shift+Return begins a new line)"));
    m_stop->setToolTip(tr("End the answer here (Esc)"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(new FieldFrame(*m_field), 1);
    row->addWidget(m_ask, 0, Qt::AlignBottom);
    row->addWidget(m_stop, 0, Qt::AlignBottom);

    auto* what = new QLabel(tr("In place of an earlier question; what followed it will be forgotten."));
    what->setObjectName(QStringLiteral("remark"));
    what->setWordWrap(true);
    auto* keep = new QPushButton(tr("Leave it as it was"));
    keep->setObjectName(QStringLiteral("link"));
    auto* cells = new QHBoxLayout(m_editing);
    cells->setContentsMargins(0, 0, 0, 0);
    cells->addWidget(what, 1);
    cells->addWidget(keep, 0, Qt::AlignTop);
    m_editing->hide();
    body()->addWidget(m_editing);
    body()->addLayout(row);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);

    connect(m_ask, &QPushButton::clicked, this, &AskBar::ask);
    connect(m_stop, &QPushButton::clicked, this, &AskBar::stopWanted);
    connect(keep, &QPushButton::clicked, this, [this] {
        leaveEditing();
        clear();
        focusField();
    });
    connect(m_field, &QPlainTextEdit::textChanged, this, [this] {
        takeHeight();
        update();
    });
    takeHeight();
    update();
}

// A line more, and the field is as high as that; from some on it scrolls.
void AskBar::takeHeight() {
    int lines = 0;
    for (QTextBlock block = m_field->document()->begin(); block.isValid() && lines < kMostLines; block = block.next())
        lines += std::max(1, block.lineCount());
    const int line = m_field->fontMetrics().lineSpacing();
    m_field->setFixedHeight(std::clamp(lines, 1, kMostLines) * line + FieldFrame::kAround);
}

void AskBar::setAnswering(bool isAnswering) {
    m_isAnswering = isAnswering;
    const bool hadFocus = m_ask->hasFocus() || m_stop->hasFocus();
    update();
    if (hadFocus) focusField();
}

void AskBar::update() {
    m_stop->setVisible(m_isAnswering);
    m_ask->setVisible(!m_isAnswering);
    m_ask->setEnabled(!m_field->toPlainText().trimmed().isEmpty());
}

void AskBar::setHint(const QString& words) {
    m_field->setPlaceholderText(words);
}

void AskBar::edit(qsizetype message, const QString& words) {
    m_message = message;
    m_editing->show();
    m_field->setPlainText(words);
    m_field->moveCursor(QTextCursor::End);
    focusField();
}

void AskBar::leaveEditing() {
    m_message = -1;
    m_editing->hide();
}

void AskBar::putBack(const QString& words) {
    if (!m_field->toPlainText().isEmpty()) return;
    m_field->setPlainText(words);
    m_field->moveCursor(QTextCursor::End);
}

void AskBar::clear() {
    leaveEditing();
    m_field->clear();
}

void AskBar::focusField() {
    m_field->setFocus(Qt::OtherFocusReason);
}

void AskBar::ask() {
    const QString words = m_field->toPlainText();
    if (m_isAnswering || words.trimmed().isEmpty()) return;
    const qsizetype message = m_message;
    clear();
    if (message >= 0)
        emit askedInstead(message, words);
    else
        emit asked(words);
}

bool AskBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) takeHeight();
    if (event->type() != QEvent::KeyPress) return Card::eventFilter(watched, event);
    const auto* const key = static_cast<QKeyEvent*>(event);
    const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!isReturn || (key->modifiers() & Qt::ShiftModifier) != 0) return Card::eventFilter(watched, event);
    ask();
    return true;
}

} // namespace roundpipe::ui::pages
