// SPDX-License-Identifier: GPL-3.0-or-later
// What was made of a run for other programs, each with its proof, and the way to more.
#pragma once

#include "ui/bridge/run_library_controller.h"
#include "ui/pages/contract/services.h"
#include "ui/widgets/card.h"

class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace roundpipe::ui::pages {

// Hidden for a run that left nothing.
class ExportsCard : public widgets::Card {
    Q_OBJECT
public:
    explicit ExportsCard(const Services& services, QWidget* parent = nullptr);
    void showRun(std::shared_ptr<const bridge::RunDetails> details); // null: no run

signals:
    void folderWanted(const QString& path);

private:
    QWidget* buildProgress();
    void showRows();
    void addRow(int row, const runs::ExportRecord& made);
    void showWay(); // what can be done now, or why nothing can
    void showProgress(const session::ExportState& now);
    bool isOfThisRun(const session::ExportTask& request) const;

    Services m_services;
    std::shared_ptr<const bridge::RunDetails> m_details;
    QGridLayout* m_rows;
    QLabel* m_hint; // why nothing can be made just now
    QWidget* m_progress;
    QProgressBar* m_bar;
    QLabel* m_doing;
    QPushButton *m_stop, *m_more;
};

} // namespace roundpipe::ui::pages
