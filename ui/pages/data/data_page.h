// SPDX-License-Identifier: GPL-3.0-or-later
// The Data page: the rows, what training makes of each, how long they are, and what of them deserves a look.
#pragma once

#include "ui/pages/contract/page.h"
#include "ui/pages/data/report/findings.h"

class QPushButton;
class QStackedWidget;

namespace roundpipe::ui::hub {
class FetchNotice;
}
namespace roundpipe::ui::widgets {
class ElidedLabel;
}

namespace roundpipe::ui::pages {

class ColumnsPanel;
class DatasetTiles;
class DatasetsPanel;
class FindingsList;
class LengthHistogram;
class LensFeed;
class LensPanel;
class RowsCard;

// Opens the project's dataset in the workbench and does so again whenever a setting that it depends on is changed.
class DataPage : public Page {
    Q_OBJECT
public:
    explicit DataPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override;
    std::vector<Missing> missing() const override;
    void showField(const QString& key) override;

private:
    QWidget* buildEmpty();
    QWidget* buildFilled();
    QWidget* buildLengthsCard();
    QWidget* buildFindingsCard();
    void buildCommands();
    void connectDocument();
    void connectWorkbench();
    void addFiles(bool folder);
    void add(const QStringList& paths, std::size_t dataset);
    void addDataset();
    void showPanels();

    void reopen();
    void openDataset();
    void take(const session::WorkbenchResult& result);
    void takeFiles(const session::FilesResult& files);
    void forgetFindings();
    void choose(const RowsChoice& choice);
    void chooseRow(const QString& key, bool leavesOut);
    void showState();
    void showFailure();
    void showReport();
    Missing whereToMend(const QString& problem, const QString& advice) const;
    bool hasFiles() const;
    bool hasModel() const;
    bool isToFetch() const;
    void takeFetched(const std::string& name, const session::HubFetched& rows);

    bridge::WorkbenchController& m_workbench;
    hub::FetchNotice* m_toFetch = nullptr; // null where there is no Hub
    QStackedWidget* m_stack;               // empty, filled
    DatasetTiles* m_tiles;
    RowsCard* m_rows;
    LengthHistogram* m_lengths;
    widgets::ElidedLabel* m_howToLimit; // while there is a line to drag
    FindingsList* m_findings;
    QStackedWidget* m_right; // lens, columns, datasets
    LensPanel* m_lens;
    LensFeed* m_lensFeed;
    ColumnsPanel* m_columns;
    DatasetsPanel* m_datasets;
    QAction* m_showLens; // these three: which panel is at the right
    QAction* m_showColumns;
    QAction* m_showDatasets;
    std::vector<QPushButton*> m_panelButtons; // theirs

    QTimer m_openSoon;
    bool m_opened = false;                                  // the workbench holds the project's dataset, or is about to
    session::FilesResult m_files;                           // of all datasets
    QStringList m_fileNames;                                // as they are listed
    std::vector<std::string> m_paths;                       // of the dataset that is open
    std::shared_ptr<const session::DatasetReport> m_report; // the last one, also while another is being made
    QString m_failure;                                      // that is shown in its place
    uint64_t m_filesRequest = 0;                            // 0: none is awaited
};

} // namespace roundpipe::ui::pages
