// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/contract/words_line.h"

#include <QEvent>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kBeforeLink = 10;

} // namespace

WordsLine::WordsLine(QWidget* parent) : QWidget(parent), m_words(new widgets::ElidedLabel({}, this)) {}

QPushButton* WordsLine::addLink(const QString& text) {
    m_link = new QPushButton(text, this);
    m_link->setObjectName(QStringLiteral("link"));
    m_link->hide();
    return m_link;
}

void WordsLine::setWords(const QString& text, const QStringList& shorter) {
    m_words->setFullText(text, shorter);
    updateGeometry();
    place();
}

void WordsLine::showLink(bool isShown) {
    m_link->setVisible(isShown);
    updateGeometry();
    place();
}

int WordsLine::linkWidth() const {
    return m_link == nullptr || m_link->isHidden() ? 0 : kBeforeLink + m_link->sizeHint().width();
}

QSize WordsLine::sizeHint() const {
    const QSize words = m_words->sizeHint();
    const int linkHeight = m_link == nullptr ? 0 : m_link->sizeHint().height();
    return {words.width() + linkWidth(), std::max(words.height(), linkHeight)};
}

QSize WordsLine::minimumSizeHint() const {
    return {linkWidth(), sizeHint().height()};
}

// One that nobody sees yet would be styled for it.
void WordsLine::place() {
    if (!isVisible()) return;
    const int room = std::max(width() - linkWidth(), 0);
    const int wide = linkWidth() == 0 ? room : m_words->widthWithin(room);
    m_words->setGeometry(0, 0, wide, height());
    if (m_link == nullptr) return;
    const QSize link = m_link->sizeHint();
    m_link->setGeometry(wide + kBeforeLink, (height() - link.height()) / 2, link.width(), link.height());
}

void WordsLine::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void WordsLine::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    place();
}

// The link's style or font is another, or its words.
bool WordsLine::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) {
        updateGeometry();
        place();
    }
    return QWidget::event(event);
}

} // namespace roundpipe::ui::pages
