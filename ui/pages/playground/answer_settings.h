// SPDX-License-Identifier: GPL-3.0-or-later
// How answers are chosen: the inputs are made from the table that the command line's options are made from.
#pragma once

#include "session/answering.h"
#include "ui/widgets/card.h"

#include <vector>

class QLabel;
class QPlainTextEdit;

namespace roundpipe::ui::editors {
class NumberBox;
}

namespace roundpipe::ui::pages {

class AnswerSettings : public widgets::Card {
    Q_OBJECT
public:
    explicit AnswerSettings(QWidget* parent = nullptr);
    void show(const session::SamplingOptions& options); // emits nothing

signals:
    void edited(const roundpipe::session::SamplingOptions& options); // only what is allowed

private:
    struct Row {
        const session::SamplingField* field;
        editors::NumberBox* box;
        QLabel* problem;
    };
    void addRow(const session::SamplingField& field);
    void addStops();
    void take(const Row& row, double value);
    void takeStops();
    static void say(QLabel& problem, const QString& words);

    session::SamplingOptions m_options;
    std::vector<Row> m_rows;
    QPlainTextEdit* m_stops = nullptr;
    QLabel* m_stopsProblem = nullptr;
};

} // namespace roundpipe::ui::pages
