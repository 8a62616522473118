// SPDX-License-Identifier: GPL-3.0-or-later
#include "resources.h"

#include <QCoreApplication>

namespace roundpipe::studio {
namespace {

namespace fs = std::filesystem;

fs::path installedFolder() {
    return fs::path(QCoreApplication::applicationDirPath().toStdString()) / ".." / "share" / "roundpipe";
}

} // namespace

fs::path resourceFolder() {
    const fs::path installed = installedFolder();
    return fs::exists(installed / "demo") ? installed.lexically_normal() : fs::path(ROUNDPIPE_CHECKOUT) / "resources";
}

fs::path packagingFolder() {
    return isInstalled() ? (installedFolder() / "packaging").lexically_normal()
                         : fs::path(ROUNDPIPE_CHECKOUT) / "packaging";
}

bool isInstalled() {
    return fs::exists(installedFolder() / "packaging" / "setup");
}

} // namespace roundpipe::studio
