// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of a run: a strip of its layers, and a table.
#pragma once

#include "session/engine.h"
#include "ui/theme/theme_manager.h"

#include <QWidget>

#include <memory>

namespace roundpipe::ui::models {
class StagesModel;
}
namespace roundpipe::ui::widgets {
class PartitionStrip;
}

namespace roundpipe::ui::pages {

class StagesTab : public QWidget {
    Q_OBJECT
public:
    explicit StagesTab(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setPlan(const std::shared_ptr<const session::RunPlan>& plan); // null: there is none

private:
    models::StagesModel* m_model;
    widgets::PartitionStrip* m_partition;
};

} // namespace roundpipe::ui::pages
