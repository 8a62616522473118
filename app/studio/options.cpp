// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include "resources.h"
#include "trace/files/trace_file.h"

#include <QCommandLineParser>
#include <QCoreApplication>

#include <cstdio>
#include <cstdlib>

namespace roundpipe::studio {
namespace {

std::filesystem::path demoRun() {
    const std::filesystem::path run = resourceFolder() / "demo" / "run.json";
    return std::filesystem::exists(run) ? run : std::filesystem::path();
}

std::optional<QSize> parseSize(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('x'));
    if (parts.size() != 2 || parts[0].toInt() < 1 || parts[1].toInt() < 1) return std::nullopt;
    return QSize(parts[0].toInt(), parts[1].toInt());
}

} // namespace

Options parseOptions(int argc, char** argv) {
    QCoreApplication application(argc, argv); // without a window: for the parser, and gone when it is done
    QCoreApplication::setApplicationName(QStringLiteral("roundpipe-studio"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ROUNDPIPE_VERSION));
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Fine-tunes language models on gaming GPUs, and shows how."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("RUN.json"),
                                 QStringLiteral("The project to open, or a trace (FILE.rptrace); if none is named, an "
                                                "empty project at the page that offers the demo."),
                                 QStringLiteral("[RUN.json]"));
    const QCommandLineOption simulate(QStringLiteral("simulate"),
                                      QStringLiteral("Use the simulated engine: nothing is trained."));
    const QCommandLineOption rig(
        QStringLiteral("rig"),
        QStringLiteral("The machine that is simulated, as 4x4090,ram=256, or a rig file; together with --simulate."),
        QStringLiteral("RIG"));
    const QCommandLineOption autostart(QStringLiteral("autostart"),
                                       QStringLiteral("Start the run as soon as the engine is loaded."));
    const QCommandLineOption exitWhenDone(QStringLiteral("exit-when-done"),
                                          QStringLiteral("Close when the run has ended; exit status 1 if it failed."));
    const QCommandLineOption exitWhenPainted(
        QStringLiteral("exit-when-painted"),
        QStringLiteral("Close as soon as the window has painted, to measure the start."));
    const QCommandLineOption screenshot(
        QStringLiteral("screenshot"), QStringLiteral("Write a picture of the window to FILE."), QStringLiteral("FILE"));
    const QCommandLineOption after(
        QStringLiteral("after"),
        QStringLiteral("… so many seconds after the window opened (10), or when the program ends before."),
        QStringLiteral("SECONDS"), QStringLiteral("10"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("system, light or dark, this time."),
                                   QStringLiteral("NAME"));
    const QCommandLineOption language(QStringLiteral("language"), QStringLiteral("system, en, de or zh_CN, this time."),
                                      QStringLiteral("NAME"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Size of the window, as 1600x1000."),
                                  QStringLiteral("SIZE"));
    parser.addOptions(
        {simulate, rig, autostart, exitWhenDone, exitWhenPainted, screenshot, after, theme, language, size});
    parser.process(application);

    Options options;
    for (const QString& name : parser.positionalArguments())
        if (name.endsWith(QLatin1String(trace::kTraceExtension)))
            options.traces += name;
        else if (options.runFile.empty())
            options.runFile = name.toStdString();
    options.demo = demoRun();
    options.simulate = parser.isSet(simulate);
    options.rig = parser.value(rig).toStdString();
    options.autostart = parser.isSet(autostart);
    options.exitWhenDone = parser.isSet(exitWhenDone);
    options.exitWhenPainted = parser.isSet(exitWhenPainted);
    if (parser.isSet(screenshot)) options.screenshot = parser.value(screenshot);
    options.screenshotAfterSeconds = parser.value(after).toDouble();
    const auto refuse = [&](const QCommandLineOption& option, const char* expected) {
        std::fprintf(stderr, "--%s is '%s', but should be %s.\n", qPrintable(option.names().first()),
                     qPrintable(parser.value(option)), expected);
        std::exit(EXIT_FAILURE);
    };
    if (parser.isSet(theme)) {
        options.theme = fromSpelling<ui::theme::Choice>(parser.value(theme).toStdString());
        if (!options.theme) refuse(theme, "system, light or dark");
    }
    if (parser.isSet(language)) {
        options.language = fromSpelling<ui::translations::Language>(parser.value(language).toStdString());
        if (!options.language) refuse(language, "system, en, de or zh_CN");
    }
    if (parser.isSet(size)) {
        options.windowSize = parseSize(parser.value(size));
        if (!options.windowSize) refuse(size, "width x height, as 1600x1000");
    }
    return options;
}

} // namespace roundpipe::studio
