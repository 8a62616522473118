// SPDX-License-Identifier: GPL-3.0-or-later
// The same run on other rigs: what it would take there. Asks a planner of its own, one rig after the other.
#pragma once

#include "ui/bridge/planner_controller.h"

#include <QWidget>

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace roundpipe::ui::widgets {
class ElidedLabel;
}

namespace roundpipe::ui::pages {

class RigTable : public QWidget {
    Q_OBJECT
public:
    explicit RigTable(std::unique_ptr<session::Planner> planner, QWidget* parent = nullptr);
    // The question about the open project, its rig, and what is known of it there (null: nothing). Asked a moment
    // later, so that a setting that is being turned does not ask for nothing. All rigs are compared by estimated times,
    // the project's own too: no other has run it.
    void ask(session::PlanQuestion question, const std::string& ownRig, const session::PlanAnswer* own);
    void forget(bool asksSoon);        // what was said: the project has changed
    void add(const QString& notation); // a row of its own, at the end
    void setRoom(double room);         // for rows further apart, from 0 to 1
    void focusInput();                 // for the description of another rig
    int numAnswered() const;
    int numRows() const { return static_cast<int>(m_rows.size()); }

signals:
    void rigWanted(const QString& notation); // as the rig of the whole page
    void answered();                         // all rows
    void described(const QString& rig);      // by the user, as a row that was added or is there already

private:
    struct Row {
        QString notation;
        QPushButton* name = nullptr;
        widgets::ElidedLabel* note = nullptr;
        QLabel* step = nullptr;
        QLabel* speed = nullptr;
        QLabel* difference = nullptr;
        bool isAnswered = false;
    };
    void addDescribed(const QString& text);
    void chooseFile();
    void showUnknown(Row& row, bool asksSoon);
    static void showNote(Row& row, const QString& note, const QStringList& shorter = {});
    void begin();
    void askNext();
    void take();
    void takeOwn();
    void showAnswer(Row& row, const session::PlanUpdate& update);

    bridge::PlannerController m_planner;
    QGridLayout* m_grid;
    QLineEdit* m_input;
    QTimer m_soon;
    std::vector<Row> m_rows;
    std::optional<session::PlanQuestion> m_question;
    session::PlanQuestion m_ownQuestion;
    std::string m_ownRig;    // to be asked first; empty: m_ownSeconds is known as well as it can be
    double m_ownSeconds = 0; // of a step on the project's rig, estimated; 0: not known
    std::size_t m_asked = 0; // the row under way
    bool m_isAsking = false;
};

} // namespace roundpipe::ui::pages
