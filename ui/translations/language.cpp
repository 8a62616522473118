// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/translations/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <array>

// The compiled texts lie in this library; a static one has to be told to bring its resources along.
static void bringTexts() {
    Q_INIT_RESOURCE(translations);
}

namespace roundpipe::ui::translations {
namespace {

// Numbers and dates as the system writes them where it speaks the language of the texts, so that Britain's stay
// Britain's; else as the language itself has them.
QLocale localeFor(Language shown) {
    const QLocale system = QLocale::system();
    const QLocale own(QString::fromLatin1(spellingOf(shown)));
    return system.language() == own.language() ? system : own;
}

void install(const QString& file, const QString& folder, QCoreApplication& application) {
    auto* translator = new QTranslator(&application);
    if (translator->load(file, folder))
        QCoreApplication::installTranslator(translator);
    else
        delete translator; // Qt's own texts are a package that may be missing: they stay English then
}

} // namespace

QString nameOf(Language language) {
    static constexpr std::array<const char*, 4> kNames = {nullptr, "English", "Deutsch", "简体中文"};
    const char* name = kNames[static_cast<std::size_t>(language)];
    return name != nullptr ? QString::fromUtf8(name)
                           : QCoreApplication::translate("Language", "Language of the system");
}

Language shownLanguage(Language wanted, const QStringList& systemLanguages) {
    if (wanted != Language::kSystem) return wanted;
    for (const QString& name : systemLanguages) {
        const QLocale locale(name);
        if (locale.language() == QLocale::English) return Language::kEnglish;
        if (locale.language() == QLocale::German) return Language::kGerman;
        if (locale.language() == QLocale::Chinese && locale.script() == QLocale::SimplifiedHanScript)
            return Language::kChinese;
    }
    return Language::kEnglish;
}

void use(Language wanted, QCoreApplication& application) {
    bringTexts();
    const Language shown = shownLanguage(wanted, QLocale::system().uiLanguages());
    const QString name = QString::fromLatin1(spellingOf(shown));
    QLocale::setDefault(localeFor(shown));
    install(QStringLiteral("qtbase_") + name, QLibraryInfo::path(QLibraryInfo::TranslationsPath), application);
    install(QStringLiteral("roundpipe_") + name, QStringLiteral(":/translations"), application);
}

} // namespace roundpipe::ui::translations
