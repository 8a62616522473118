// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign_numbers.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QLabel>
#include <QLocale>
#include <QRegularExpression>

namespace roundpipe::testing {
namespace {

// "0.35", "8.2", "1.2345"; three figures after the point may be thousands as the language groups them.
bool holdsAPoint(const QString& text) {
    static const QRegularExpression number(
        QStringLiteral("(?<![\\w.,/-])(?<!PCIe )(0\\.\\d+|\\d+\\.(\\d{1,2}|\\d{4,}))(?![\\w.-])"));
    return number.match(text).hasMatch();
}

void check(QStringList& found, const QWidget& widget, const QString& text) {
    if (holdsAPoint(text))
        found +=
            QStringLiteral("%1 “%2”").arg(QString::fromLatin1(widget.metaObject()->className()), text.simplified());
}

void checkCells(QStringList& found, const QAbstractItemView& view) {
    const QAbstractItemModel* model = view.model();
    for (int row = 0; model != nullptr && row < std::min(40, model->rowCount()); ++row)
        for (int column = 0; column < model->columnCount(); ++column)
            check(found, view, model->index(row, column).data().toString());
}

} // namespace

QStringList foreignNumbers(const QWidget& window) {
    QStringList found;
    if (QLocale().decimalPoint() == QLatin1String(".")) return found;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->property("asRecorded").toBool()) continue;
        check(found, *widget, widget->toolTip());
        check(found, *widget, widget->accessibleName());
        if (const auto* label = qobject_cast<const QLabel*>(widget)) check(found, *label, label->text());
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) check(found, *button, button->text());
        if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) checkCells(found, *view);
    }
    found.removeDuplicates();
    return found;
}

} // namespace roundpipe::testing
