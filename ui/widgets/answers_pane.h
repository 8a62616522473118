// SPDX-License-Identifier: GPL-3.0-or-later
// What the model answers before and after training, prompt by prompt, side by side.
#pragma once

#include <QScrollArea>
#include <QStringList>

#include <vector>

class QVBoxLayout;

namespace roundpipe::ui::widgets {

class AnswerLabel;

class AnswersPane : public QScrollArea {
    Q_OBJECT
public:
    // `none`: what stands there without prompts. `link`: the text of a button below them that leads on.
    AnswersPane(QString none, QString link, QWidget* parent = nullptr);
    void setPrompts(const QStringList& prompts, bool hasLink = true); // forgets the answers
    void setAnswer(const QString& prompt, const QString& answer, bool tuned);
    QSize sizeHint() const override; // as high as all of it, at the width that it has

signals:
    void linkClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addLink();

    struct Row {
        QString prompt;
        AnswerLabel* before;
        AnswerLabel* after;
    };
    QString m_none, m_link;
    QVBoxLayout* m_rowsLayout = nullptr;
    std::vector<Row> m_rows;
};

} // namespace roundpipe::ui::widgets
