// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a run that matter most, side by side.
#pragma once

#include "session/engine.h"
#include "ui/widgets/stat_tile.h"

#include <QWidget>

namespace roundpipe::ui::pages {

class RunTiles : public QWidget {
    Q_OBJECT
public:
    explicit RunTiles(QWidget* parent = nullptr);
    void clear();
    // `validation`: the newest loss, where there is one. `took`: seconds of all steps, said when the run is over.
    void show(const session::Snapshot& now, std::optional<double> validation, double took);

private:
    void showStep(const session::Snapshot& now);
    void showRemaining(const session::Snapshot& now, double took);
    void showMachine(const session::MachineStatus& machine);

    widgets::StatTile* m_step;
    widgets::StatTile* m_loss;
    widgets::StatTile* m_speed;
    widgets::StatTile* m_remaining;
    widgets::StatTile* m_machine;
};

} // namespace roundpipe::ui::pages
