// SPDX-License-Identifier: GPL-3.0-or-later
// What a model answers: plain text that wraps wherever it must (an answer may be a line of digits, or a long address),
// and can be selected and copied as it is.
#pragma once

#include <QLabel>

namespace roundpipe::ui::widgets {

class AnswerLabel : public QLabel {
    Q_OBJECT
public:
    explicit AnswerLabel(const QString& words, QWidget* parent = nullptr);
    void setWords(const QString& words);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void copySelection() const;
};

} // namespace roundpipe::ui::widgets
