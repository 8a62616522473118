// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is dropped on an input goes to whoever takes files there, the window in the end, and is not written into
// the input as text.
#pragma once

#include <QObject>

namespace roundpipe::ui::shell {

// A filter for the application's events. Text that is dragged goes into inputs as ever.
class FileDrops : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace roundpipe::ui::shell
