// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/return_key.h"

#include <QAbstractButton>
#include <QDialog>
#include <QKeyEvent>

namespace roundpipe::ui::shell {

bool ReturnKey::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!isReturn || (key->modifiers() & ~Qt::KeypadModifier) != 0) return false;
    auto* button = qobject_cast<QAbstractButton*>(watched);
    if (button == nullptr || !button->isEnabled() || qobject_cast<QDialog*>(button->window()) != nullptr) return false;
    if (!key->isAutoRepeat()) button->click();
    return true;
}

} // namespace roundpipe::ui::shell
