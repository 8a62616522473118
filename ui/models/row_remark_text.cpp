#include "ui/models/row_remark_text.h"

#include <QCoreApplication>

namespace roundpipe::ui::models {
namespace {

// The spellings are the sources of translations: ui/translations/core_texts.cpp prints them.
QString wordedRemark(const char* english) {
    return QCoreApplication::translate("RowRemark", english);
}

} // namespace

QString dropReasonText(session::DropReason reason) {
    return wordedRemark(spellingOf(reason));
}

QString maskSourceText(session::MaskSource source) {
    return wordedRemark(spellingOf(source));
}

QString remarkText(const session::Remark& remark) {
    if (remark.empty()) return {};
    // All arguments at once: one that holds a %1 itself stays as it is.
    const QString words = wordedRemark(spellingOf(remark.code));
    QString text;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const int place = words[i] == QLatin1Char('%') && i + 1 < words.size() ? words[i + 1].digitValue() : 0;
        if (place < 1 || place > std::ssize(remark.arguments)) {
            text += words[i];
            continue;
        }
        text += QString::fromStdString(remark.arguments[static_cast<std::size_t>(place) - 1]);
        ++i;
    }
    return text;
}

} // namespace roundpipe::ui::models
