// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/action_button.h"

#include <QAction>
#include <QMenu>

namespace roundpipe::ui::widgets {

QPushButton* makeActionButton(QAction& action, bool primary, QWidget* parent) {
    auto* button = new QPushButton(parent);
    if (primary) button->setObjectName(QStringLiteral("primary"));
    const auto update = [button, &action] {
        button->setText(action.text());
        button->setEnabled(action.isEnabled());
        button->setCheckable(action.isCheckable());
        button->setChecked(action.isChecked());
        button->setToolTip(action.toolTip());
        button->setMenu(action.menu());
    };
    QObject::connect(&action, &QAction::changed, button, update);
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    update();
    return button;
}

} // namespace roundpipe::ui::widgets
