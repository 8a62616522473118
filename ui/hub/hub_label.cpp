// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hub_label.h"

#include <QLabel>

namespace roundpipe::ui::hub {

QLabel* wrappedLabel(const char* objectName) {
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(objectName));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace roundpipe::ui::hub
