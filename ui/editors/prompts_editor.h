// SPDX-License-Identifier: GPL-3.0-or-later
// The project's prompts, answered before training and after: a list of them, and the text of the chosen one.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace roundpipe::ui::editors {

// Bound both ways to the document, which is given the prompts that have a text: one that was just added has none yet.
class PromptsEditor : public QWidget {
    Q_OBJECT
public:
    explicit PromptsEditor(document::Document& document, QWidget* parent = nullptr);
    void focusInput();

signals:
    void begun(); // another prompt, whose text is to be written and so has to be in view

private:
    QWidget* buildList();
    QWidget* buildButtons();
    void showAll(); // the document's, if they are not these already
    void showRow(int row);
    int rowHeight() const;
    void showCurrent();
    void showProblem(); // of the chosen one, that a run refuses it
    void add();
    void remove();
    void move(int by);
    void take(bool continues);
    std::vector<std::string> written() const;

    document::Document& m_document;
    std::vector<std::string> m_prompts; // as they are listed
    QListWidget* m_list;
    QPlainTextEdit* m_text;
    QLabel* m_problem;
    QPushButton* m_add;
    QPushButton* m_remove;
    QPushButton* m_up;
    QPushButton* m_down;
    bool m_continues = false; // what is typed next goes on with what was typed before
};

} // namespace roundpipe::ui::editors
