// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/page_view.h"

#include <QAbstractTextDocumentLayout>
#include <QResizeEvent>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace roundpipe::ui::help {
namespace {

constexpr int kWidestText = 820;
constexpr int kAboveHeading = 16;

} // namespace

PageView::PageView(QWidget* parent) : QTextBrowser(parent) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_held.reset(); });
}

void PageView::showPage(std::unique_ptr<QTextDocument> page, int position) {
    page->setParent(this); // QTextEdit deletes a document that is its child when it gets another
    setDocument(page.release());
    scrollTo(position);
}

int PageView::topPosition() const {
    return m_held ? *m_held : cursorForPosition(QPoint(viewport()->width() / 2, kAboveHeading)).position();
}

void PageView::scrollTo(int position) {
    m_held = position;
    const QTextBlock block = document()->findBlock(position);
    document()->documentLayout()->documentSize(); // lays all of it out
    const double y = document()->documentLayout()->blockBoundingRect(block).top();
    verticalScrollBar()->setValue(block.position() == 0 ? 0 : std::max(0, static_cast<int>(y) - kAboveHeading));
}

// Shown for the first time, a QTextEdit scrolls to its cursor, which is at the beginning.
void PageView::showEvent(QShowEvent* event) {
    QTextBrowser::showEvent(event);
    if (m_held) scrollTo(*m_held);
}

void PageView::resizeEvent(QResizeEvent* event) {
    const int top = topPosition();
    const int whole = event->size().width() + viewportMargins().left() + viewportMargins().right();
    const int aside = std::max(0, (whole - kWidestText) / 2);
    if (viewportMargins().left() != aside) setViewportMargins(aside, 0, aside, 0);
    QTextBrowser::resizeEvent(event);
    scrollTo(top);
}

} // namespace roundpipe::ui::help
