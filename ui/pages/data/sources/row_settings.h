// SPDX-License-Identifier: GPL-3.0-or-later
// What a dataset's settings say of its rows beside the columns: a prompt made of several columns, the system's words,
// and how tables are cut.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace roundpipe::ui::editors {
class FieldRow;
}

namespace roundpipe::ui::pages {

// Folded until it is opened, or until a setting of the dataset is another than the default.
class RowSettings : public QWidget {
    Q_OBJECT
public:
    explicit RowSettings(document::Document& document, QWidget* parent = nullptr);
    void setTables(bool areTables);     // what holds for tables only is shown where a file is one, or it is set
    void showField(const QString& key); // opens it and leads there; no-op where it is none of these

private:
    void showAll();
    bool isSet(const session::Field& field) const;

    document::Document& m_document;
    bool m_areTables = false;
    QToolButton* m_fold;
    QWidget* m_content;
    std::vector<editors::FieldRow*> m_rows;
};

} // namespace roundpipe::ui::pages
