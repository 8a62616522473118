// SPDX-License-Identifier: GPL-3.0-or-later
// What training needs and an installed program does not bring: how large it is, and a button that fetches it.
#pragma once

#include "ui/setup/set_up_process.h"

#include <QDialog>
#include <QElapsedTimer>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace roundpipe::ui::widgets {
class ElidedLabel;
}

namespace roundpipe::ui::setup {

// Stands beside the window, which goes on working. Closed while it fetches, it goes on and tells by its signals.
class SetUpDialog : public QDialog {
    Q_OBJECT
public:
    SetUpDialog(std::filesystem::path packaging, QWidget* parent);

    bool isFetching() const { return m_process.isFetching(); }

signals:
    void ready();            // what was missing is there
    void simulationWanted(); // to look around without it
    void putOff();           // closed without having begun

protected:
    void done(int result) override;

private:
    QWidget* buildNumbers();
    QWidget* buildProgress();
    QLayout* buildButtons();
    void showMissing(int downloadMb, int diskMb);
    void showFree(int64_t needed);
    void showProgress(int doneMb, int ofMb);
    void begin();
    void rest(const QString& word, const QString& problem); // not under way any more
    void fit();
    void finish();

    SetUpProcess m_process;
    QElapsedTimer m_sinceBegin;
    QLabel* m_download;
    QLabel* m_disk;
    QLabel* m_free;
    QWidget* m_way; // what is shown from the first fetch on
    QLabel* m_amount;
    QProgressBar* m_bar;
    widgets::ElidedLabel* m_line;
    QLabel* m_problem;
    QPlainTextEdit* m_log;
    QPushButton* m_fetch;
    QPushButton* m_cancel;
    QPushButton* m_later;
    QPushButton* m_simulate;
};

} // namespace roundpipe::ui::setup
