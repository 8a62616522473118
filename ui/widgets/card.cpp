// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace roundpipe::ui::widgets {

Card::Card(const QString& title, QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("card"));
    m_body = new QVBoxLayout(this);
    m_body->setContentsMargins(theme::kPadding, 10, theme::kPadding, 10);
    m_body->setSpacing(6);
    if (title.isEmpty()) return;
    m_titleRow = new QHBoxLayout;
    m_titleRow->setSpacing(8);
    m_title = new QLabel(title);
    m_title->setObjectName(QStringLiteral("title"));
    m_titleRow->addWidget(m_title);
    m_titleRow->addStretch(1);
    m_body->addLayout(m_titleRow);
}

void Card::setTitle(const QString& title) {
    m_title->setText(title);
}

} // namespace roundpipe::ui::widgets
