// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/column_scroll.h"

#include <QEvent>
#include <QScrollBar>
#include <QVBoxLayout>

namespace roundpipe::ui::widgets {

ColumnScroll::ColumnScroll(QWidget* content, QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* place = new QWidget;
    setWidget(place); // empty: what is full would be laid out and styled now, seen or not
    auto* layout = new QVBoxLayout(place);
    layout->setContentsMargins(0, 0, kGutter, 0);
    layout->addWidget(content);
    verticalScrollBar()->installEventFilter(this);
}

bool ColumnScroll::eventFilter(QObject* watched, QEvent* event) {
    if (watched == verticalScrollBar() && (event->type() == QEvent::Show || event->type() == QEvent::Hide)) {
        const int bar = event->type() == QEvent::Show ? verticalScrollBar()->sizeHint().width() : 0;
        widget()->layout()->setContentsMargins(0, 0, kGutter - bar, 0);
    }
    return QScrollArea::eventFilter(watched, event);
}

} // namespace roundpipe::ui::widgets
