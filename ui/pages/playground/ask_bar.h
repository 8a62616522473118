// SPDX-License-Identifier: GPL-3.0-or-later
// Where questions are written: one field, as high as what stands in it, and the button that asks or stops.
#pragma once

#include "ui/widgets/card.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace roundpipe::ui::pages {

class AskBar : public widgets::Card {
    Q_OBJECT
public:
    explicit AskBar(QWidget* parent = nullptr);

    void setAnswering(bool isAnswering);
    void setHint(const QString& words);                 // in the empty field
    void edit(qsizetype message, const QString& words); // in place of an earlier question
    void putBack(const QString& words);                 // it was refused; what was typed since stays
    void clear();
    void focusField();

signals:
    void asked(const QString& words);
    void askedInstead(qsizetype message, const QString& words);
    void stopWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void ask();
    void leaveEditing();
    void update();
    void takeHeight();

    QPlainTextEdit* m_field;
    QPushButton *m_ask, *m_stop;
    QWidget* m_editing;
    qsizetype m_message = -1; // that is being edited
    bool m_isAnswering = false;
};

} // namespace roundpipe::ui::pages
