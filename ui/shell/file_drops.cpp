// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/file_drops.h"

#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace roundpipe::ui::shell {
namespace {

bool isInput(const QObject* watched) {
    const QObject* around = watched->parent(); // texts of several lines take what is dropped by the widget inside
    return qobject_cast<const QLineEdit*>(watched) != nullptr || qobject_cast<const QTextEdit*>(around) != nullptr ||
           qobject_cast<const QPlainTextEdit*>(around) != nullptr;
}

} // namespace

bool FileDrops::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::DragEnter || !isInput(watched)) return false;
    auto* enter = static_cast<QDragEnterEvent*>(event);
    if (!enter->mimeData()->hasUrls()) return false;
    enter->ignore(); // Qt asks what is around it next
    return true;
}

} // namespace roundpipe::ui::shell
