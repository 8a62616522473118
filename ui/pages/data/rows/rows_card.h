// SPDX-License-Identifier: GPL-3.0-or-later
// The card of rows: the table, which rows it lists, and the fields that find one.
#pragma once

#include "ui/pages/data/rows/rows_model.h"
#include "ui/theme/theme_manager.h"
#include "ui/widgets/card.h"

#include <QTimer>

class QAction;
class QLabel;
class QLineEdit;
class QPushButton;

namespace roundpipe::ui::pages {

class RowFinder;
class RowsTable;

class RowsCard : public widgets::Card {
    Q_OBJECT
public:
    RowsCard(bridge::WorkbenchController& workbench, const theme::ThemeManager& themes, QWidget* parent = nullptr);
    // The workbench has opened the dataset, again with other settings: what was asked before is not answered.
    void reopen();
    void close();                                                     // there is none
    void showFiles(const QStringList& files);                         // all rows of others, by their names
    void setNotes(const std::vector<ListedRow>& notes);               // beside the rows
    void showRows(const QString& title, std::vector<ListedRow> rows); // an empty title: all of them
    session::RowPlace currentPlace() const;                           // number 0: none
    QAction* findAction() const { return m_toFind; }                  // by "/": for the page, wherever the keys are

signals:
    void placeChosen(const roundpipe::session::RowPlace& place);
    void deletePressed(); // on the current row

private:
    void buildFind();
    void buildTitle();
    void list(const QString& title, std::vector<ListedRow> rows); // as showRows(), and the focus stays where it is
    void find();                                                  // what stands in the field
    void showFound(const std::vector<session::RowPlace>& rows);
    void showCount();
    void goToRow();
    bool eventFilter(QObject* watched, QEvent* event) override; // keys of the field that finds

    RowsModel* m_model;
    RowFinder* m_finder;
    RowsTable* m_table;
    QLabel* m_count;
    QLineEdit* m_find;
    QLineEdit* m_goTo;
    QPushButton* m_all;
    QPushButton* m_listed;
    QAction* m_toFind;
    QTimer m_findSoon;
    bool m_isOpen = false;
};

} // namespace roundpipe::ui::pages
