// SPDX-License-Identifier: GPL-3.0-or-later
// The table of rows: narrow numbers, a wide text, and a bar for what is trained.
#pragma once

#include "ui/pages/data/rows/rows_model.h"
#include "ui/theme/theme_manager.h"

#include <QTableView>

namespace roundpipe::ui::pages {

class RowsTable : public QTableView {
    Q_OBJECT
public:
    RowsTable(RowsModel& model, const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void showFiles(bool shows);             // the column of the files' names
    bool select(session::RowPlace place);   // and brings it into sight; false where the table has no such row
    session::RowPlace currentPlace() const; // number 0: none

signals:
    void placeChosen(const roundpipe::session::RowPlace& place);
    void deletePressed(); // on the current row

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void resizeColumns();

    RowsModel& m_model;
};

} // namespace roundpipe::ui::pages
