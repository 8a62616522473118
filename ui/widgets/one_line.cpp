// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/one_line.h"

namespace roundpipe::ui::widgets {

QString inOneLine(QString text) {
    for (QChar& c : text)
        if (c.category() == QChar::Other_Control || c.category() == QChar::Separator_Line ||
            c.category() == QChar::Separator_Paragraph)
            c = QLatin1Char(' ');
    return text;
}

} // namespace roundpipe::ui::widgets
