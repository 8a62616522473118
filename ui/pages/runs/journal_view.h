// SPDX-License-Identifier: GPL-3.0-or-later
// What happened to a run, from its beginning on; read in the library's thread.
#pragma once

#include "ui/bridge/run_library_controller.h"

#include <QPlainTextEdit>

#include <filesystem>

namespace roundpipe::ui::pages {

class JournalView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit JournalView(bridge::RunLibraryController& library, QWidget* parent = nullptr);
    // Reads it, and again with each call: of the same run what is new comes at the end, and whoever reads keeps his
    // place. Empty: of no run.
    void showJournalOf(const std::filesystem::path& runFolder);

private:
    void say(const QString& text);

    bridge::RunLibraryController& m_library;
    std::filesystem::path m_folder; // whose it shows, or is about to
};

} // namespace roundpipe::ui::pages
