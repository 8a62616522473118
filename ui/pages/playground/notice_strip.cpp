// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/notice_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace roundpipe::ui::pages {

NoticeStrip::NoticeStrip(QWidget* parent) : QFrame(parent), m_words(new QLabel), m_button(new QPushButton) {
    setObjectName(QStringLiteral("strip"));
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QPushButton(QStringLiteral("×"));
    close->setObjectName(QStringLiteral("close"));
    close->setAccessibleName(tr("Close the message"));
    auto* cells = new QHBoxLayout(this);
    cells->setContentsMargins(14, 8, 8, 8);
    cells->setSpacing(12);
    cells->addWidget(m_words, 1);
    cells->addWidget(m_button);
    cells->addWidget(close);
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_button, &QPushButton::clicked, this, [this] {
        hide();
        if (const auto action = std::exchange(m_action, {})) action();
    });
    hide();
}

void NoticeStrip::say(const QString& words, const QString& actionName, std::function<void()> action) {
    m_words->setText(words);
    m_button->setText(actionName);
    m_button->setVisible(!actionName.isEmpty());
    m_action = std::move(action);
    show();
}

} // namespace roundpipe::ui::pages
