// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/action_button.h"

#include <QAction>
#include <QMenu>
#include <QStyle>

namespace roundpipe::ui::widgets {
namespace {

constexpr const char* kPrimary = "isPrimary"; // as the page wants it
constexpr const char* kDoubted = "isDoubted"; // by its action

void showPrimary(QPushButton& button) {
    const bool isPrimary = button.property(kPrimary).toBool() && !button.property(kDoubted).toBool();
    const QString name = isPrimary ? QStringLiteral("primary") : QString();
    if (button.objectName() == name) return;
    button.setObjectName(name);
    button.style()->unpolish(&button); // its colours depend on that
    button.style()->polish(&button);
}

} // namespace

void setPrimary(QPushButton& button, bool primary) {
    button.setProperty(kPrimary, primary);
    showPrimary(button);
}

QPushButton* makeActionButton(QAction& action, bool primary, QWidget* parent) {
    auto* button = new QPushButton(parent);
    const auto update = [button, &action] {
        button->setText(action.text());
        button->setEnabled(action.isEnabled());
        button->setCheckable(action.isCheckable());
        button->setChecked(action.isChecked());
        button->setToolTip(action.toolTip());
        button->setMenu(action.menu());
        button->setProperty(kDoubted, action.priority() == QAction::LowPriority);
        showPrimary(*button);
    };
    QObject::connect(&action, &QAction::changed, button, update);
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    update();
    setPrimary(*button, primary);
    return button;
}

} // namespace roundpipe::ui::widgets
