// What the model answers before and after training, prompt by prompt, side by side.
#pragma once

#include <QScrollArea>
#include <QStringList>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace roundpipe::ui::widgets {

class AnswersPane : public QScrollArea {
    Q_OBJECT
public:
    explicit AnswersPane(QWidget* parent = nullptr);
    void setPrompts(const QStringList& prompts); // forgets the answers
    void setAnswer(const QString& prompt, const QString& answer, bool tuned);

private:
    struct Row {
        QString prompt;
        QLabel* before;
        QLabel* after;
    };
    QVBoxLayout* m_rowsLayout = nullptr;
    std::vector<Row> m_rows;
};

} // namespace roundpipe::ui::widgets
