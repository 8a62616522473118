// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/help_place.h"

#include <QCoreApplication>
#include <QToolButton>
#include <QVariant>
#include <QWhatsThisClickedEvent>

namespace roundpipe::ui::widgets {
namespace {

constexpr const char* kProperty = "helpPlace";

} // namespace

void setHelpPlace(QWidget& widget, const QString& place) {
    widget.setProperty(kProperty, place);
}

QString helpPlaceOf(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (const QVariant place = widget->property(kProperty); place.isValid()) return place.toString();
    return {};
}

QToolButton* makeHelpButton(const QString& place, const QString& name) {
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("help"));
    button->setText(QStringLiteral("?"));
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::NoFocus);
    button->setCursor(Qt::PointingHandCursor);
    QObject::connect(button, &QToolButton::clicked, button, [button, place] {
        QWhatsThisClickedEvent event(place);
        QCoreApplication::sendEvent(button, &event);
    });
    return button;
}

} // namespace roundpipe::ui::widgets
