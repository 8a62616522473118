// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editors/number_box.h"

#include "ui/translations/number_text.h"

#include <QLineEdit>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace roundpipe::ui::editors {

NumberBox::NumberBox(bool isWhole, double minimum, double maximum, QWidget* parent)
    : QAbstractSpinBox(parent), m_isWhole(isWhole), m_minimum(minimum), m_maximum(maximum) {
    if (minimum == 0 && maximum == 0) {
        m_minimum = std::numeric_limits<double>::lowest();
        m_maximum = std::numeric_limits<double>::max();
    }
    setFocusPolicy(Qt::StrongFocus); // the wheel scrolls the page unless the box has the focus
    connect(lineEdit(), &QLineEdit::textEdited, this, &NumberBox::readText);
    connect(this, &QAbstractSpinBox::editingFinished, this, [this] { // as it was understood
        if (read(lineEdit()->text()) == m_value) lineEdit()->setText(textOf(m_value));
    });
    setValue(0);
}

void NumberBox::setValue(double value) {
    m_value = value;
    // What is being typed ("0.0" on the way to "0.01") is not rewritten under the user's fingers.
    if (read(lineEdit()->text()) == value) return;
    lineEdit()->setText(textOf(value));
}

void NumberBox::setOpen(double value, const QString& text) {
    m_open = value;
    lineEdit()->setPlaceholderText(text);
    lineEdit()->setText(textOf(m_value));
}

QString NumberBox::textOf(double value) const {
    if (value == m_open) return {};
    return m_isWhole ? QString::number(static_cast<qint64>(value)) : translations::shortText(value, 12);
}

std::optional<double> NumberBox::read(const QString& text) const {
    return m_open && text.isEmpty() ? m_open : translations::numberOf(text);
}

void NumberBox::readText(const QString& text) {
    const std::optional<double> value = read(text);
    if (!value || !std::isfinite(*value) || (m_isWhole && *value != std::floor(*value))) {
        emit notANumber(text, m_continues);
        return;
    }
    m_value = *value;
    emit edited(*value, m_continues);
    m_continues = true;
}

// Whole numbers by one, and so do others of that size; shares by a twentieth; what is small by what a person would
// write next: 1, 2, 5 of each power of ten.
double NumberBox::stepped(double value, int direction) const {
    if (m_isWhole || (value >= 1 && value + direction >= 1 && value < 100)) return value + direction;
    if (m_minimum == 0 && m_maximum <= 1) return std::round((value + direction * 0.05) * 1e6) / 1e6;
    if (value <= 0) return direction > 0 ? 0.1 : value;
    const double power = std::pow(10, std::floor(std::log10(value) + 1e-9));
    const double mantissa = value / power;
    const double up[] = {1, 2, 5, 10};
    const double down[] = {5, 2, 1, 0.5};
    double next = mantissa;
    if (direction > 0)
        next = *std::ranges::find_if(up, [&](double m) { return m > mantissa + 1e-6; });
    else
        next = *std::ranges::find_if(down, [&](double m) { return m < mantissa - 1e-6; });
    return QString::number(next * power, 'g', 3).toDouble();
}

void NumberBox::stepBy(int steps) {
    double value = m_value;
    for (int i = 0; i < std::abs(steps); ++i)
        value = stepped(value, steps > 0 ? 1 : -1);
    value = std::clamp(value, m_minimum, m_maximum);
    lineEdit()->setText(textOf(value));
    m_value = value;
    emit edited(value, m_continues);
    m_continues = true;
}

QValidator::State NumberBox::validate(QString&, int&) const {
    return QValidator::Acceptable; // nothing is refused while it is typed
}

QAbstractSpinBox::StepEnabled NumberBox::stepEnabled() const {
    StepEnabled enabled = StepNone;
    if (m_value < m_maximum) enabled |= StepUpEnabled;
    if (m_value > m_minimum) enabled |= StepDownEnabled;
    return enabled;
}

QSize NumberBox::sizeHint() const {
    return {fontMetrics().horizontalAdvance(QStringLiteral("0000000000")) + 48, QAbstractSpinBox::sizeHint().height()};
}

void NumberBox::focusInEvent(QFocusEvent* event) {
    m_continues = false; // each visit is one edit
    QAbstractSpinBox::focusInEvent(event);
}

void NumberBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QAbstractSpinBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace roundpipe::ui::editors
