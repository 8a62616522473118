// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/journal_view.h"

#include "runs/journal.h"
#include "runs/run_files.h"
#include "ui/models/journal_text.h"

#include <QScrollBar>

#include <memory>
#include <vector>

namespace roundpipe::ui::pages {

JournalView::JournalView(bridge::RunLibraryController& library, QWidget* parent)
    : QPlainTextEdit(parent), m_library(library) {
    setAccessibleName(tr("Journal"));
    setPlaceholderText(tr("This run has kept no journal."));
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
}

void JournalView::showJournalOf(const std::filesystem::path& runFolder) {
    if (runFolder != m_folder) clear();
    m_folder = runFolder;
    if (runFolder.empty()) return;
    const auto journal = std::make_shared<std::vector<runs::JournalEntry>>();
    m_library.perform(
        [journal, runFolder](runs::RunLibrary&) { *journal = runs::readJournal(runs::RunFiles{runFolder}.journal()); },
        *this,
        [this, journal, runFolder] {
            if (m_folder == runFolder) say(models::journalText(*journal));
        });
}

void JournalView::say(const QString& text) {
    const QString before = toPlainText();
    if (text == before) return;
    const bool isAtEnd = verticalScrollBar()->value() == verticalScrollBar()->maximum();
    if (!before.isEmpty() && text.startsWith(before + QLatin1Char('\n')))
        appendPlainText(text.mid(before.size() + 1));
    else
        setPlainText(text);
    if (isAtEnd) verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

} // namespace roundpipe::ui::pages
