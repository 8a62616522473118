// A message of the desktop's own, for who looks at another window.
#pragma once

#include <QDBusConnection>
#include <QString>

namespace roundpipe::ui::desktop {

// GUI thread; waits for nothing. No-op where there is no bus, or nobody who shows it.
void notify(QDBusConnection bus, const QString& headline, const QString& text);

} // namespace roundpipe::ui::desktop
