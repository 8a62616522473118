// What the files are and how their columns are read: the format and a column for each of its fields can be chosen.
#pragma once

#include "session/workbench.h"
#include "ui/document/document.h"
#include "ui/widgets/card.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace roundpipe::ui::pages {

QString formatName(const session::DataFile& file); // "alpaca", "no known format", "cannot be read"

class ColumnsPanel : public widgets::Card {
    Q_OBJECT
public:
    explicit ColumnsPanel(document::Document& document, QWidget* parent = nullptr);
    void setFiles(session::FilesResult files);
    bool needsHelp() const; // a file's rows have no format that we know

private:
    void showFiles();
    void showFormat();
    void showMapping();
    DataFormat shownFormat() const; // chosen, or found
    QComboBox* inputFor(const std::string& field);
    void choose(const std::string& field, const QString& column); // empty: the one of its own name
    void removeCurrent();

    document::Document& m_document;
    session::FilesResult m_files;
    QTreeWidget* m_tree;
    QPushButton* m_remove;
    QComboBox* m_format;
    QLabel* m_why;
    QFormLayout* m_mapping;
};

} // namespace roundpipe::ui::pages
