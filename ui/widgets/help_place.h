// SPDX-License-Identifier: GPL-3.0-or-later
// Where the manual says more of a widget: a page of it and a heading there, "settings.md#lora.rank". F1 asks the widget
// that has the focus, and then those around it.
#pragma once

#include <QString>

class QToolButton;
class QWidget;

namespace roundpipe::ui::widgets {

void setHelpPlace(QWidget& widget, const QString& place);
QString helpPlaceOf(const QWidget* widget); // its own, else that of the nearest one around it; empty: none has one

// A "?" that asks the window to open the place, by the event that Qt has for it (QWhatsThisClickedEvent). For the mouse
// and for screen readers: on the keyboard F1 does the same without one more stop of Tab.
QToolButton* makeHelpButton(const QString& place, const QString& name);

} // namespace roundpipe::ui::widgets
