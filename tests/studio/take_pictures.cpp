// SPDX-License-Identifier: GPL-3.0-or-later
// take_pictures FOLDER --size 1280x800 [--theme dark] [--language de] [SCENE…]: a picture of each scene, and what is
// cut off in it, painted over or has a decimal point where the language has a comma. Exit status 1 where something is.
#include "clipped_texts.h"
#include "foreign_numbers.h"
#include "painted_texts.h"
#include "scenes.h"
#include "ui/translations/language.h"

#include <QCommandLineParser>
#include <QDir>
#include <QScreen>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <optional>

using namespace roundpipe;

namespace {

// Layouts follow their texts a moment later, on a busy machine some moments.
void settleLayouts(QWidget& window) {
    for (int i = 0; i < 30 && !testing::clippedTexts(window).isEmpty(); ++i)
        QTest::qWait(50);
}

// As it stands on the screen, where there is one: with the questions that are over it.
QPixmap pictureOf(QWidget& window) {
    settleLayouts(window);
    const QRect place = window.geometry();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // of a number that has just become longer
    if (QGuiApplication::platformName() != QLatin1String("xcb")) return window.grab();
    QTest::qWait(100); // a screen shows what the last click changed once its paint events have come
    return window.screen()->grabWindow(0, place.x(), place.y(), place.width(), place.height());
}

// What is misspelt would be a picture of something else.
template <typename Choice>
std::optional<Choice> asked(const QCommandLineParser& parser, const char* option) {
    const QString value = parser.value(QLatin1String(option));
    const auto choice = fromSpelling<Choice>(value.toStdString());
    if (!choice) std::fprintf(stderr, "--%s %s: there is no such %s; see --help.\n", option, qPrintable(value), option);
    return choice;
}

std::optional<QSize> sizeOf(const QString& value) {
    const QStringList sides = value.split(QLatin1Char('x'));
    const QSize size = sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
    if (!size.isEmpty()) return size;
    std::fprintf(stderr, "--size %s: write width and height in pixels, as 1280x800.\n", qPrintable(value));
    return std::nullopt;
}

bool allAreScenes(const QStringList& names) {
    for (const QString& name : names) {
        if (std::ranges::find(testing::scenes(), name.toStdString(), &testing::Scene::name) != testing::scenes().end())
            continue;
        std::fprintf(stderr, "%s: there is no such scene; tests/studio/scenes names them.\n", qPrintable(name));
        return false;
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    qputenv("HF_HUB_CACHE", "/nonexistent"); // the models on show are the scene's
    QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions(
        {{QStringLiteral("size"), QStringLiteral("Of the window."), QStringLiteral("SIZE"), QStringLiteral("1280x800")},
         {QStringLiteral("theme"), QStringLiteral("light or dark."), QStringLiteral("NAME"), QStringLiteral("light")},
         {QStringLiteral("language"), QStringLiteral("en, de or zh_CN."), QStringLiteral("NAME"),
          QStringLiteral("en")}});
    parser.addPositionalArgument(QStringLiteral("FOLDER"), QStringLiteral("Where the pictures go."));
    parser.process(application);
    QStringList wanted = parser.positionalArguments();
    if (wanted.isEmpty()) parser.showHelp(2);
    const QDir folder(wanted.takeFirst());
    const auto theme = asked<ui::theme::Choice>(parser, "theme");
    const auto language = asked<ui::translations::Language>(parser, "language");
    const std::optional<QSize> size = sizeOf(parser.value(QStringLiteral("size")));
    if (!theme || !language || !size || !allAreScenes(wanted)) return 2;
    ui::translations::use(*language, application);
    QDir().mkpath(folder.path());

    bool isWhole = true;
    for (const testing::Scene& scene : testing::scenes()) {
        const QString name = QString::fromStdString(scene.name);
        if (!wanted.isEmpty() && !wanted.contains(name)) continue;
        testing::Studio studio(*size, scene.speed);
        studio.services().themes.choose(*theme);
        try {
            scene.play(studio);
        } catch (const std::exception& error) {
            std::printf("%s: %s\n", scene.name.c_str(), error.what());
            isWhole = false;
        }
        pictureOf(studio.front()).save(folder.filePath(name + QStringLiteral(".png")));
        for (const QString& line : testing::clippedTexts(studio.front()) + testing::paintedOver(studio.front()) +
                                       testing::foreignNumbers(studio.front())) {
            std::printf("%s: %s\n", scene.name.c_str(), qPrintable(line));
            isWhole = false;
        }
        std::fflush(stdout);
        studio.endRun();
    }
    return isWhole ? 0 : 1;
}
