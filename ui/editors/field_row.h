// SPDX-License-Identifier: GPL-3.0-or-later
// One setting of the open project: label, input, what is wrong with it, what it does, and the way back to its default.
#pragma once

#include "ui/document/document.h"
#include "ui/editors/field_control.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace roundpipe::ui::editors {

// Nothing moves when a value becomes another than the default: the place of the mark is kept free, and all rows have
// their inputs in one column. Bound both ways: what is typed goes to the document if it is allowed, and what changes
// there is shown. A value that is not allowed stays on show with the reason below it, and the document keeps the one
// from before it was typed: none of those on the way to it either.
class FieldRow : public QWidget {
    Q_OBJECT
public:
    FieldRow(document::Document& document, const session::Field& field, QWidget* parent = nullptr);
    const session::Field& field() const { return m_field; }
    QString problem() const; // empty: what is on show is in the document

    // What the setting does to memory, time and quality; the field's help where nothing is said. Rich text.
    void setEffect(const QString& effect);
    // What deserves a word of the value on show, and a better one by a button; without a text nothing does.
    void setRemark(const QString& text, const QString& betterText, const session::FieldValue& better);
    // Why the setting has no effect just now: said in the place of its effect, and nothing can be put in. Empty: it
    // has.
    void setIdle(const QString& why);
    void focusInput();

signals:
    void problemChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QString helpPlace() const;
    QWidget* buildWords();
    void buildChange();
    void buildRemark();
    void showEffect();
    void makeRoom();
    void showValue();
    void showKey();
    void take(const session::FieldValue& value, bool continues);
    void beginUnless(bool continues); // another edit
    void refuse(const QString& problem);
    void showProblem(const QString& problem);
    void placeEffect();

    document::Document& m_document;
    const session::Field& m_field;
    FieldControl* m_control;
    QLabel* m_key;
    QWidget* m_change; // "changed", and the way back
    QPushButton* m_reset;
    QLabel* m_problem;
    QLabel* m_effect;
    QWidget* m_remark = nullptr;
    QLabel* m_remarkText = nullptr;
    QPushButton* m_useBetter = nullptr;
    session::FieldValue m_better; // that the button sets
    QString m_effectText;
    QString m_idle; // why it has no effect; empty: it has
    QGridLayout* m_grid;
    QVBoxLayout* m_inputs;        // the control, the effect where it is below, and whether it was changed
    bool m_isBelow = false;       // the effect, where there is no room for it beside the input
    session::FieldValue m_before; // when the edit began that is under way
    bool m_isTaken = false;       // the document has a value of this edit
    bool m_isRefusing = false;
};

} // namespace roundpipe::ui::editors
