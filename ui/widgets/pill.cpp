// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pill.h"

#include <QStyle>

namespace roundpipe::ui::widgets {

Pill::Pill(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("pill"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    hide();
}

void Pill::say(const QString& text, Tone tone) {
    static constexpr const char* kTones[] = {"neutral", "good", "warning", "bad"};
    setText(text);
    setVisible(!text.isEmpty());
    const QString name = QLatin1String(kTones[static_cast<int>(tone)]);
    if (property("tone").toString() == name) return;
    setProperty("tone", name);
    style()->unpolish(this);
    style()->polish(this);
}

} // namespace roundpipe::ui::widgets
