// SPDX-License-Identifier: GPL-3.0-or-later
// Names as rows and lists show them.
#pragma once

#include <QString>

#include <string>

namespace roundpipe::ui::widgets {

// Whoever gave a name may have put line breaks or other control characters into it: blanks stand for them.
QString inOneLine(QString text);
inline QString inOneLine(const std::string& utf8) {
    return inOneLine(QString::fromStdString(utf8));
}

} // namespace roundpipe::ui::widgets
