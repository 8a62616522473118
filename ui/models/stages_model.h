// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of a plan as a table.
#pragma once

#include "session/engine.h"

#include <QAbstractTableModel>

#include <memory>

namespace roundpipe::ui::models {

class StagesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kStage, kWork, kLayers, kDevice, kWeights, kNumColumns };

    using QAbstractTableModel::QAbstractTableModel;
    void setPlan(std::shared_ptr<const session::RunPlan> plan); // null: no rows

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textAt(const plan::Stage& stage, int column) const;

    std::shared_ptr<const session::RunPlan> m_plan;
    std::vector<plan::Stage> m_stages;
};

} // namespace roundpipe::ui::models
