// SPDX-License-Identifier: GPL-3.0-or-later
// The input for one field of a RunSpec, made from what the table of fields says of it.
#pragma once

#include "session/spec/run_spec_fields.h"

#include <QWidget>

namespace roundpipe::ui::editors {

// Knows a field's kind and shape; neither a project nor whether a value is allowed.
class FieldControl : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual void show(const session::FieldValue& value) = 0; // emits nothing
    virtual void setWrong(bool wrong) = 0;                   // draws attention to the input
    // What is named for screen readers: one input, or what holds several. No focus proxy: Qt would hide from Tab what
    // stands beside it.
    QWidget* input() const { return m_input; }
    void setInput(QWidget* input) { m_input = input; }
    void focusInput();

signals:
    void edited(const roundpipe::session::FieldValue& value, bool continues); // by the user
    void rejected(const QString& why, bool continues);                        // what was typed is not even of the kind

private:
    QWidget* m_input = nullptr;
};

// A box for numbers, a list for choices, a path with a button, a tick, a line of text, a list. The input has
// the field's label and help for screen readers.
FieldControl* makeFieldControl(const session::Field& field, QWidget* parent = nullptr);

} // namespace roundpipe::ui::editors
