// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segmented.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace roundpipe::ui::widgets {

Segmented::Segmented(const QString& name, const QStringList& choices, QWidget* parent) : QWidget(parent) {
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (const QString& choice : choices) {
        auto* button = new QPushButton(choice);
        button->setProperty("segment", layout->isEmpty()          ? "first"
                                       : choice == choices.back() ? "last"
                                                                  : "middle"); // how the theme joins them
        button->setCheckable(true);
        button->setFocusPolicy(Qt::ClickFocus);
        button->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Minimum); // as high as the highest of them
        button->setAccessibleName(name + QStringLiteral(": ") + choice);
        m_group.addButton(button, static_cast<int>(m_group.buttons().size()));
        layout->addWidget(button);
    }
    m_group.setExclusive(true);
    // Tab leads to the chosen one, arrows from there; Qt sees to it only once one of them has had the focus.
    connect(&m_group, &QButtonGroup::idToggled, this, [this](int id, bool isChosen) {
        m_group.button(id)->setFocusPolicy(isChosen ? Qt::StrongFocus : Qt::ClickFocus);
    });
    setCurrent(0);
    connect(&m_group, &QButtonGroup::idClicked, this, &Segmented::chosen);
}

void Segmented::setCurrent(int index) {
    m_group.button(index)->setChecked(true);
}

} // namespace roundpipe::ui::widgets
