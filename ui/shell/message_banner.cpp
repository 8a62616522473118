// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/message_banner.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::shell {
namespace {

constexpr int kMostLines = 6; // on show at once

} // namespace

MessageBanner::MessageBanner(QWidget* parent)
    : QFrame(parent)
    , m_message(new QLabel)
    , m_advice(new QLabel)
    , m_lines(new QPlainTextEdit)
    , m_action(new QPushButton) {
    setObjectName(QStringLiteral("banner"));
    m_message->setObjectName(QStringLiteral("title"));
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    for (QLabel* label : {m_message, m_advice}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        words->addWidget(label);
    }
    buildLines();
    words->addWidget(m_lines);
    auto* close = new QPushButton(QStringLiteral("✕"));
    close->setObjectName(QStringLiteral("close"));
    close->setToolTip(tr("Close"));
    close->setAccessibleName(tr("Close the message"));
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        m_run();
    });
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(8);
    layout->addLayout(words, 1);
    layout->addWidget(m_action);
    layout->addWidget(close);
    hide();
}

// Their ends are what tells the cause, and lines as a log has them are not wrapped.
void MessageBanner::buildLines() {
    m_lines->setReadOnly(true);
    m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_lines->setAccessibleName(tr("More of the message"));
    m_lines->setTabChangesFocus(true);
}

void MessageBanner::showLines(const QString& message) {
    QString lines = message.section(QLatin1Char('\n'), 1);
    while (lines.endsWith(QLatin1Char('\n'))) // as the last line of a log does
        lines.chop(1);
    m_lines->setVisible(!lines.isEmpty());
    m_lines->setPlainText(lines);
    const auto numLines = std::min<qsizetype>(kMostLines, lines.count(QLatin1Char('\n')) + 1);
    const int around = 2 * m_lines->frameWidth() + static_cast<int>(2 * m_lines->document()->documentMargin());
    m_lines->setFixedHeight(static_cast<int>(numLines) * m_lines->fontMetrics().lineSpacing() + around +
                            m_lines->horizontalScrollBar()->sizeHint().height());
    m_lines->verticalScrollBar()->setValue(m_lines->verticalScrollBar()->maximum());
}

void MessageBanner::showError(const QString& message, const QString& advice) {
    say(message, advice, false);
}

void MessageBanner::showErrorOfPage(const QString& message, const QString& advice) {
    say(message, advice, false);
    m_isOfPage = true;
}

void MessageBanner::leavePage() {
    if (m_isOfPage) hide();
}

void MessageBanner::showNotice(const QString& message, const QString& advice) {
    say(message, advice, true);
}

void MessageBanner::say(const QString& message, const QString& advice, bool isNotice) {
    m_isOfPage = false;
    setProperty("isNotice", isNotice);
    style()->unpolish(this); // its colours depend on that
    style()->polish(this);
    m_message->setText(message.section(QLatin1Char('\n'), 0, 0));
    m_advice->setText(advice);
    m_advice->setVisible(!advice.isEmpty());
    m_action->hide();
    show();
    showLines(message); // whose end is seen where it is on show
}

void MessageBanner::offer(const QString& action, std::function<void()> run) {
    m_run = std::move(run);
    m_action->setText(action);
    m_action->show();
}

} // namespace roundpipe::ui::shell
