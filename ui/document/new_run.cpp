// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/new_run.h"

#include "runs/run_library.h"

namespace roundpipe::ui::document {

session::RunSpec specForNewRun(const Document& document) {
    session::RunSpec spec = document.spec();
    if (spec.output.folder.empty()) spec.output.folder = runs::newRunFolder(document.name().toStdString()).string();
    return spec;
}

} // namespace roundpipe::ui::document
