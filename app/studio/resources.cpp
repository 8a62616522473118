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
    const fs::path installed = installedFolder() / "packaging";
    return fs::exists(installed) ? installed.lexically_normal() : fs::path(ROUNDPIPE_CHECKOUT) / "packaging";
}

} // namespace roundpipe::studio
