// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/plan_picture.h"

#include "ui/pages/plan/faded.h"

#include <algorithm>

namespace roundpipe::ui::pages {

PlanPicture::PlanPicture(const theme::ThemeManager& themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PlanPicture::setRoom(double room) {
    if (room == m_room) return;
    m_room = room;
    updateGeometry();
    update();
}

void PlanPicture::setDimmed(bool dimmed) {
    m_dimmed = dimmed;
    update();
}

int PlanPicture::roomyRow(int usual) const {
    return static_cast<int>(usual * (1 + 0.7 * m_room));
}

int PlanPicture::filledRow(int usual, int count, int beside) const {
    return std::max(roomyRow(usual), (height() - beside) / count);
}

double PlanPicture::opacity() const {
    return m_dimmed ? kDimmed : 1;
}

} // namespace roundpipe::ui::pages
