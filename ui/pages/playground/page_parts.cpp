// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/page_parts.h"

#include <QEvent>
#include <QPlainTextEdit>
#include <QStyle>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {

FieldFrame::FieldFrame(QPlainTextEdit& field, QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("field"));
    field.setTabChangesFocus(true);
    field.document()->setDocumentMargin(2);
    auto* inside = new QVBoxLayout(this);
    inside->setContentsMargins(6, 4, 4, 2);
    inside->addWidget(&field);
    field.installEventFilter(this);
}

bool FieldFrame::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        setProperty("focused", event->type() == QEvent::FocusIn);
        style()->unpolish(this);
        style()->polish(this);
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace roundpipe::ui::pages
