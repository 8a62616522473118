// SPDX-License-Identifier: GPL-3.0-or-later
// What the model answers to the user's prompts: before training, and after any number of steps at which it was asked.
#pragma once

#include <QMap>
#include <QStringList>
#include <QWidget>

class QComboBox;
class QLabel;

namespace roundpipe::ui::widgets {
class AnswersPane;
}

namespace roundpipe::ui::pages {

class SamplesPane : public QWidget {
    Q_OBJECT
public:
    explicit SamplesPane(QWidget* parent = nullptr);
    void setPrompts(const QStringList& prompts); // forgets all answers
    // `step`: steps done, of an answer with the adapter; without it the answer is the one from before.
    // A prompt that was not among them is added.
    void addAnswer(const QString& prompt, const QString& answer, bool tuned, qint64 step);

signals:
    void editWanted(); // of the prompts

private:
    void addPrompt(const QString& prompt);
    void showStep(); // the chosen one

    QMap<QString, QString> m_base;                // by prompt
    QMap<qint64, QMap<QString, QString>> m_tuned; // by step, by prompt
    QStringList m_prompts;
    QWidget* m_top;
    QComboBox* m_steps; // the newest first
    widgets::AnswersPane* m_answers;
};

} // namespace roundpipe::ui::pages
