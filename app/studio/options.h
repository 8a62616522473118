// The command line of roundpipe-studio.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>

namespace roundpipe::studio {

struct Options {
    std::filesystem::path runFile; // the demo if none is named; empty: not even that was found
    bool simulate = false;
    bool autostart = false;
    bool exitWhenDone = false;
    std::optional<QString> screenshot;
    double screenshotAfterSeconds = 10;
    std::optional<QString> theme; // "light", "dark"
    std::optional<QSize> windowSize;
};

// Ends the program for --help, --version and what it does not understand.
Options parseOptions(const QStringList& arguments);

} // namespace roundpipe::studio
