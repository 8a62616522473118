// SPDX-License-Identifier: GPL-3.0-or-later
// A run that another process trains, seen in this window as if it had been started here.
#pragma once

#include "ui/pages/contract/services.h"

#include <QWidget>

#include <filesystem>
#include <functional>

namespace roundpipe::ui::pages {

// Begins to follow it, unless a run is on show that is under way, and calls `then`. Where that fails, `asker` is told
// why; nullptr: nobody is.
void watchRun(QWidget* asker, const Services& services, const std::filesystem::path& runFolder,
              std::function<void()> then = {});

} // namespace roundpipe::ui::pages
