// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/panels/lane_filter.h"

#include "ui/timeline/painting/slice_text.h"
#include "ui/translations/device_text.h"

#include <QMenu>

#include <algorithm>

namespace roundpipe::ui::timeline {

LaneFilter::LaneFilter(TimelinePlot& plot, QWidget* parent)
    : QToolButton(parent), m_plot(plot), m_menu(new QMenu(this)) {
    setPopupMode(QToolButton::InstantPopup);
    setMenu(m_menu);
    setToolTip(tr("Which lanes are shown"));
    setAccessibleName(tr("Which lanes are shown"));
    connect(m_menu, &QMenu::aboutToShow, this, &LaneFilter::fill);
    connect(&plot, &TimelinePlot::layoutChanged, this, &LaneFilter::showCount);
    showCount();
}

void LaneFilter::showCount() {
    const auto isLane = [](const trace::Lane& lane) { return lane.role != trace::LaneRole::kSession; };
    const std::vector<trace::Lane>& lanes = m_plot.scene().store->lanes();
    const LaneChoice& choice = m_plot.laneChoice();
    const auto all = std::ranges::count_if(lanes, isLane);
    const auto shown =
        std::ranges::count_if(lanes, [&](const trace::Lane& lane) { return isLane(lane) && !choice.hides(lane); });
    setText(shown == all ? tr("Lanes") : tr("Lanes: %1 of %2").arg(shown).arg(all));
}

void LaneFilter::change(LaneChoice choice) {
    m_plot.setLaneChoice(std::move(choice));
}

void LaneFilter::fill() {
    m_menu->clear();
    const auto add = [this](const QString& name, bool shown, auto toggle) {
        QAction* action = m_menu->addAction(name);
        action->setCheckable(true);
        action->setChecked(shown);
        connect(action, &QAction::triggered, this, [this, toggle] {
            LaneChoice choice = m_plot.laneChoice();
            toggle(choice);
            change(std::move(choice));
        });
    };
    const LaneChoice& choice = m_plot.laneChoice();
    for (int r = 0; r < static_cast<int>(trace::LaneRole::kSession); ++r) {
        const auto role = static_cast<trace::LaneRole>(r);
        add(roleName(role), !choice.hiddenRoles.contains(role), [role](LaneChoice& changed) {
            if (changed.hiddenRoles.erase(role) == 0) changed.hiddenRoles.insert(role);
        });
    }
    m_menu->addSeparator();
    for (const trace::Lane& lane : m_plot.scene().store->lanes()) {
        if (lane.role != trace::LaneRole::kCompute) continue;
        add(translations::deviceText(deviceNameOf(lane), lane.device.value), !choice.hidden.contains(lane.device),
            [device = lane.device](LaneChoice& changed) {
                if (changed.hidden.erase(device) == 0) changed.hidden.insert(device);
            });
    }
    m_menu->addSeparator();
    connect(m_menu->addAction(tr("All lanes")), &QAction::triggered, this, [this] {
        LaneChoice all = m_plot.laneChoice();
        all.hidden.clear();
        all.hiddenRoles.clear();
        change(std::move(all));
    });
}

} // namespace roundpipe::ui::timeline
