// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/message_banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace roundpipe::ui::shell {

MessageBanner::MessageBanner(QWidget* parent)
    : QFrame(parent), m_message(new QLabel), m_advice(new QLabel), m_action(new QPushButton) {
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
    m_message->setText(message);
    m_advice->setText(advice);
    m_advice->setVisible(!advice.isEmpty());
    m_action->hide();
    show();
}

void MessageBanner::offer(const QString& action, std::function<void()> run) {
    m_run = std::move(run);
    m_action->setText(action);
    m_action->show();
}

} // namespace roundpipe::ui::shell
