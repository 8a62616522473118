// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/coded_text.h"

#include "ui/translations/number_text.h"

#include <QCoreApplication>

namespace roundpipe::ui::models {

QString wordsOf(const char* context, const char* english, const std::vector<std::string>& arguments) {
    const QString words = QCoreApplication::translate(context, english);
    return QString::fromStdString(withArguments(words.toUtf8().constData(), translations::localTexts(arguments)));
}

} // namespace roundpipe::ui::models
