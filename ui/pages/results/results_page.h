// SPDX-License-Identifier: GPL-3.0-or-later
// What came out of a run: answers before and after, adapter and checkpoints, report, curves, and what to do next.
#pragma once

#include "ui/pages/contract/page.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QPlainTextEdit;
class QStackedWidget;

namespace roundpipe::ui::charts {
class CurvesChart;
}
namespace roundpipe::ui::widgets {
class AnswersPane;
class Card;
class StatTile;
} // namespace roundpipe::ui::widgets

namespace roundpipe::ui::pages {

class ExportsCard;

class ResultsPage : public Page {
    Q_OBJECT
public:
    explicit ResultsPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override;
    // `folder` of the run that is to be shown.
    void showField(const QString& folder) override;

    // What the commands do once a place was chosen; in the library's thread, and noticed() says so.
    void writeHtml(const QString& file);
    void writePdf(const QString& file);
    void writeCsv(const QString& file);
    void writeTensorBoard(const QString& folder);
    void writeDebugReport(const QString& file);

private:
    using Details = std::shared_ptr<const bridge::RunDetails>;

    QWidget* buildLearned();
    QWidget* buildTaken();
    QWidget* buildStored();
    QWidget* buildExports();
    QWidget* buildNext();
    QWidget* buildLoss();
    QWidget* buildReport();
    void buildCommands();
    QAction* makeCommand(const QString& name, const QString& toolTip, std::function<void()> act);
    void followProject();
    void showDetails(const Details& details);
    void showStored();
    void askToDelete(const runs::StoredCheckpoint& checkpoint, const QString& name);
    void showNext();
    void showLoss();
    void perform(std::function<void(const bridge::RunDetails&)> work, const QString& done);
    QString suggested(const QString& ending) const; // a file beside the run's folder

    Details m_details;                 // null: no run yet
    std::filesystem::path m_wanted;    // the folder that was asked for last
    std::filesystem::path m_ofProject; // of its newest run; empty: there is none
    QStackedWidget* m_stack;
    widgets::StatTile *m_validation, *m_steps, *m_took, *m_speed, *m_size;
    widgets::AnswersPane* m_answers;
    widgets::Card* m_stored;
    ExportsCard* m_exports;
    QGridLayout* m_storedRows = nullptr;
    QComboBox* m_nextChoice;
    QPlainTextEdit* m_nextCommand;
    widgets::Card* m_next = nullptr;
    charts::CurvesChart* m_loss;
    widgets::Card* m_lossCard = nullptr;
    QPushButton* m_continueButton = nullptr;
    QPushButton* m_timelineButton = nullptr;
    std::vector<QAction*> m_commands;
};

} // namespace roundpipe::ui::pages
