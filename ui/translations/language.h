// SPDX-License-Identifier: GPL-3.0-or-later
// The languages of the window, and with them how it writes numbers and dates.
#pragma once

#include "base/spelling.h"

#include <QString>
#include <QStringList>

class QCoreApplication;

namespace roundpipe::ui::translations {

// What a user can choose, as the preferences and --language write it.
enum class Language { kSystem, kEnglish, kGerman, kChinese };
constexpr std::array<const char*, 4> spellings(Language) {
    return {"system", "en", "de", "zh_CN"};
}

QString nameOf(Language language); // as those call it who speak it: "Deutsch"; the system's is worded

// The one whose texts are shown: `wanted`, or for kSystem the first of `systemLanguages` ("de-AT", "en", the most
// wanted first) that there are texts in; English where there are none.
Language shownLanguage(Language wanted, const QStringList& systemLanguages);

// Texts, those of Qt's own dialogs too, and the default locale. Once, before the first widget is made: what is on show
// does not change.
void use(Language wanted, QCoreApplication& application);

} // namespace roundpipe::ui::translations
