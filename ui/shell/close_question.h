// What is asked, once, when the window is closed during a run.
#pragma once

class QWidget;

namespace roundpipe::ui::shell {

bool askToStopAndClose(QWidget* parent); // false: keep training

} // namespace roundpipe::ui::shell
