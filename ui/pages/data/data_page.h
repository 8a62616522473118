// The Data page: the rows, what training makes of each, how long they are, and what of them deserves a look.
#pragma once

#include "ui/pages/contract/page.h"
#include "ui/pages/data/findings.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace roundpipe::ui::widgets {
class StatTile;
}

namespace roundpipe::ui::pages {

class ColumnsPanel;
class DatasetsPanel;
class FindingsList;
class LengthHistogram;
class LensPanel;
class RowFinder;
class RowsTable;

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
    QWidget* buildRowsCard();
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
    void requestLens(session::RowPlace place);
    const session::DroppedRow* leftOutByRule(session::RowPlace place) const;
    void showLens(session::TokenLens lens);
    void refreshLens();
    void choose(const RowsChoice& choice);
    void chooseRow(const QString& key, bool leavesOut);
    void showState();
    void showFailure();
    void showReport();
    void showTiles(const session::DatasetReport& report);
    void showRows(const QString& title, std::vector<ListedRow> rows); // an empty title: all of them
    void list(const QString& title, std::vector<ListedRow> rows);     // the same, and the focus stays where it is
    void find();                                                      // what stands in the field
    void showFound(const std::vector<session::RowPlace>& rows);
    void showCount();
    void goToRow();
    bool eventFilter(QObject* watched, QEvent* event) override; // keys of the field that finds
    bool hasFiles() const;

    bridge::WorkbenchController& m_workbench;
    RowsModel* m_model;
    QStackedWidget* m_stack; // empty, filled
    widgets::StatTile* m_used;
    widgets::StatTile* m_split;
    widgets::StatTile* m_tokens;
    widgets::StatTile* m_trained;
    widgets::StatTile* m_length;
    RowsTable* m_table;
    QLabel* m_count;
    RowFinder* m_finder;
    QLineEdit* m_find;
    QTimer m_findSoon;
    QLineEdit* m_goTo;
    QPushButton* m_all;
    QPushButton* m_listed;
    LengthHistogram* m_lengths;
    FindingsList* m_findings;
    QStackedWidget* m_right; // lens, columns, datasets
    LensPanel* m_lens;
    ColumnsPanel* m_columns;
    DatasetsPanel* m_datasets;
    QAction* m_showColumns;
    QAction* m_showDatasets;

    QTimer m_openSoon;
    bool m_opened = false;                                  // the workbench holds the project's dataset, or is about to
    session::FilesResult m_files;                           // of all datasets
    QStringList m_fileNames;                                // as they are listed
    std::vector<std::string> m_paths;                       // of the dataset that is open
    std::shared_ptr<const session::DatasetReport> m_report; // the last one, also while another is being made
    QString m_failure;                                      // that is shown in its place
    uint64_t m_filesRequest = 0, m_lensRequest = 0;         // 0: none is awaited
    session::RowPlace m_lensPlace;                          // of the row that is shown or asked for; number 0: none
};

} // namespace roundpipe::ui::pages
