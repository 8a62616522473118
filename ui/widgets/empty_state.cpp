// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_state.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace roundpipe::ui::widgets {
namespace {

constexpr int kWidest = 520; // of a line that is read with ease

} // namespace

EmptyState::EmptyState(const theme::ThemeManager& themes, theme::Icon icon, const QString& title, const QString& words,
                       QWidget* parent)
    : QWidget(parent), m_buttons(new QHBoxLayout) {
    auto* picture = new QLabel;
    picture->setAlignment(Qt::AlignCenter);
    const auto paint = [this, &themes, picture, icon] {
        picture->setPixmap(theme::pixmapOf(icon, themes.theme().accent, 48, devicePixelRatioF()));
    };
    connect(&themes, &theme::ThemeManager::changed, picture, paint);
    paint();
    auto* headline = new QLabel(title);
    headline->setObjectName(QStringLiteral("section"));
    headline->setAlignment(Qt::AlignCenter);
    headline->setWordWrap(true);
    auto* text = new QLabel(words);
    text->setObjectName(QStringLiteral("dim"));
    text->setAlignment(Qt::AlignCenter);
    text->setWordWrap(true);
    text->setMaximumWidth(kWidest);
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(text, 100);
    middle->addStretch(1);
    m_buttons->setSpacing(8);
    m_buttons->addStretch(1);
    m_buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addStretch(2);
    layout->addWidget(picture);
    layout->addWidget(headline);
    layout->addLayout(middle);
    layout->addLayout(m_buttons);
    layout->addStretch(3);
}

QPushButton* EmptyState::addButton(const QString& text, bool primary) {
    auto* button = new QPushButton(text);
    if (primary) button->setObjectName(QStringLiteral("primary"));
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    return button;
}

} // namespace roundpipe::ui::widgets
