// SPDX-License-Identifier: GPL-3.0-or-later
// What a dataset's files are and how their columns are read: the format and a column for each of its fields can be
// chosen.
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

class RowSettings;

QString formatName(const session::DataFile& file); // "alpaca", "no known format", "cannot be read"

class ColumnsPanel : public widgets::Card {
    Q_OBJECT
public:
    explicit ColumnsPanel(document::Document& document, QWidget* parent = nullptr);
    void setFiles(session::FilesResult files); // of them those of the document's current dataset
    void showField(const QString& key);        // leads to it where it has a place here

private:
    void showFiles();
    void showFormat();
    void showMapping();
    void showSuggested(const session::DataFile& file);
    void useSuggested();
    DataFormat shownFormat() const; // chosen, or found
    void addInput(const QString& name, QComboBox& input);
    QComboBox* inputFor(const std::string& field);
    void choose(const std::string& field, const QString& column); // empty: the one of its own name
    void removeCurrent();
    void remove(const std::string& path); // asks where it would take others with it
    void askWhatGoes(const std::string& path, const std::string& folder);
    void leaveOut(const std::string& path, const std::string& folder); // in which it was found
    void leaveOutAlone(const std::string& path);
    const session::DataFile* firstBroken() const; // null: all can be read
    void showBroken();

    void removeFile(session::RunSpec& spec, const std::string& path) const;

    document::Document& m_document;
    session::FilesResult m_files;
    QTreeWidget* m_tree;
    QPushButton* m_remove;
    QComboBox* m_format;
    QLabel* m_why;
    QPushButton* m_useSuggested; // what the columns may be meant as
    QFormLayout* m_mapping;
    RowSettings* m_settings;
    QLabel* m_broken; // why a file cannot be read
    QPushButton* m_leaveOut;
};

} // namespace roundpipe::ui::pages
