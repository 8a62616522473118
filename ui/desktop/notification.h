// SPDX-License-Identifier: GPL-3.0-or-later
// A message of the desktop's own, for who looks at another window.
#pragma once

#include <QDBusConnection>
#include <QString>

namespace roundpipe::ui::desktop {

// The desktop's bus; not connected where there is none, and none is started for it.
QDBusConnection desktopBus();

// GUI thread; waits for nothing. No-op where there is no bus, or nobody who shows it.
void notify(QDBusConnection bus, const QString& headline, const QString& text);

} // namespace roundpipe::ui::desktop
