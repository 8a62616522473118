// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of roundpipe-studio.
#pragma once

#include "ui/theme/theme_manager.h"
#include "ui/translations/language.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>

namespace roundpipe::studio {

struct Options {
    std::filesystem::path runFile; // empty: none was named
    QStringList traces;            // files to open, each in a window of its own
    std::filesystem::path demo;    // empty: it was not found
    bool simulate = false;
    std::string rig; // what the simulated machine's devices "auto" are; empty: this machine's processor
    bool autostart = false;
    bool exitWhenDone = false;
    bool exitWhenPainted = false;
    std::optional<QString> screenshot;
    double screenshotAfterSeconds = 10;
    std::optional<ui::theme::Choice> theme;
    std::optional<ui::translations::Language> language;
    std::optional<QSize> windowSize;
};

// Ends the program for --help, --version and what it does not understand; needs no display for that. To be called
// before there is an application.
Options parseOptions(int argc, char** argv);

} // namespace roundpipe::studio
