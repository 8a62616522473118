// SPDX-License-Identifier: GPL-3.0-or-later
// A box for one number, whole or not, of any size. What is typed and can't be taken stays, so that it can be mended.
#pragma once

#include <QAbstractSpinBox>

#include <optional>

namespace roundpipe::ui::editors {

class NumberBox : public QAbstractSpinBox {
    Q_OBJECT
public:
    // Limits keep the steps of keys, wheel and buttons; what is typed is whoever listens to check. Both 0: none.
    NumberBox(bool isWhole, double minimum, double maximum, QWidget* parent = nullptr);
    void setValue(double value); // emits nothing
    // This value is none that anybody chose: the box is empty then, says `text` in pale, and is it when emptied.
    void setOpen(double value, const QString& text);
    double value() const { return m_value; }

    void stepBy(int steps) override;
    QValidator::State validate(QString& input, int& position) const override;
    QSize sizeHint() const override;

signals:
    void edited(double value, bool continues); // by the user; `continues`: goes on with the edit before
    void notANumber(const QString& text, bool continues);

protected:
    StepEnabled stepEnabled() const override;
    void focusInEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    QString textOf(double value) const;
    std::optional<double> read(const QString& text) const; // nothing: no number
    double stepped(double value, int direction) const;
    void readText(const QString& text);

    bool m_isWhole;
    double m_minimum, m_maximum;
    double m_value = 0;
    std::optional<double> m_open;
    bool m_continues = false;
};

} // namespace roundpipe::ui::editors
