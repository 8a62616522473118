// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/contract/page.h"

#include "ui/pages/contract/words_line.h"
#include "ui/theme/theme.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/help_place.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {

Page::Page(const Services& services, PageLook look, QWidget* parent)
    : QWidget(parent)
    , m_services(services)
    , m_look(std::move(look))
    , m_title(new QLabel(m_look.title))
    , m_words(new WordsLine)
    , m_pill(new widgets::Pill)
    , m_commands(new QHBoxLayout)
    , m_header(new QHBoxLayout)
    , m_body(new QVBoxLayout) {
    setAccessibleName(m_look.title);
    widgets::setHelpPlace(*this, QStringLiteral("studio-pages.md#") + m_look.id);
    m_title->setObjectName(QStringLiteral("headline"));
    auto* first = new QHBoxLayout;
    first->setSpacing(10);
    first->addWidget(m_title);
    first->addWidget(m_pill);
    first->addStretch(1);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addLayout(first);
    words->addWidget(m_words);
    m_commands->setSpacing(8);
    m_header->setSpacing(theme::kSpacing);
    m_header->addLayout(words, 1);
    m_header->addLayout(m_commands);

    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(theme::kSpacing);
    layout->addLayout(m_header);
    layout->addLayout(m_body, 1);
    m_body->setSpacing(theme::kSpacing);
    placeMargins();
}

void Page::setMostWidth(int pixels) {
    m_mostWidth = pixels;
    placeMargins();
}

void Page::reachIntoMargin() {
    m_gutter = widgets::ColumnScroll::kGutter;
    placeMargins();
}

QSize Page::minimumSizeHint() const {
    const int spare = layout()->contentsMargins().left() - theme::kMargin;
    return QWidget::minimumSizeHint() - QSize(2 * spare, 0);
}

bool Page::prepare() {
    ensurePolished();
    return false;
}

void Page::placeMargins() {
    const int side = std::max(theme::kMargin, (width() - m_mostWidth) / 2);
    layout()->setContentsMargins(side, 12, side - m_gutter, theme::kSpacing);
    m_header->setContentsMargins(0, 0, m_gutter, 0);
}

void Page::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeMargins();
}

void Page::setTitle(const QString& text) {
    m_title->setText(text);
}

void Page::setSubtitle(const QString& text, const QStringList& shorter) {
    m_words->setWords(text, shorter);
}

QPushButton* Page::addCommand(QAction* action, bool primary) {
    QPushButton* button = widgets::makeActionButton(*action, primary);
    m_commands->addWidget(button);
    return button;
}

void Page::leadOnTo(const QString& id, const QString& text) {
    connect(m_words->addLink(text), &QPushButton::clicked, this, [this, id] { emit pageWanted(id); });
    const auto showWhereDone = [this] { m_words->showLink(status().mark == PageStatus::Mark::kDone); };
    connect(this, &Page::statusChanged, m_words, showWhereDone);
    showWhereDone();
}

void Page::openFolder(const QString& path) {
    if (QDesktopServices::openUrl(QUrl::fromLocalFile(path))) return;
    emit noticed(tr("No program here shows folders. It lies in %1.").arg(path), tr("Copy the path"),
                 [path] { QGuiApplication::clipboard()->setText(path); });
}

void Page::addToHeader(QWidget* widget) {
    m_commands->addWidget(widget);
}

} // namespace roundpipe::ui::pages
