// SPDX-License-Identifier: GPL-3.0-or-later
// Return presses the button that has the focus, as Space does, in every window of the program.
#pragma once

#include <QObject>

namespace roundpipe::ui::shell {

// A filter for the application's events. Dialogs keep their own meaning of Return: their default button.
class ReturnKey : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace roundpipe::ui::shell
