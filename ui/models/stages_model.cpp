// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/stages_model.h"

#include "ui/models/plan_text.h"
#include "ui/translations/number_text.h"

namespace roundpipe::ui::models {

void StagesModel::setPlan(std::shared_ptr<const session::RunPlan> plan) {
    beginResetModel();
    m_plan = std::move(plan);
    m_stages = m_plan ? m_plan->plan.stages() : std::vector<plan::Stage>{};
    endResetModel();
}

int StagesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_stages.size());
}

int StagesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kNumColumns);
}

QVariant StagesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::DisplayRole) return textAt(m_stages[static_cast<std::size_t>(index.row())], index.column());
    if (role == Qt::TextAlignmentRole && index.column() == kWeights) return int(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant StagesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == kWeights ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == kDevice)
        return tr("In the first step; where stages and devices don't divide evenly it moves on from step to step.");
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case kStage:
        return tr("Stage");
    case kWork:
        return tr("Work");
    case kLayers:
        return tr("Layers");
    case kDevice:
        return tr("First on");
    default:
        return tr("Weights");
    }
}

QString StagesModel::textAt(const plan::Stage& stage, int column) const {
    const auto name = [&](int32_t layer) { return layerText(layer, static_cast<int32_t>(m_plan->layerNames.size())); };
    switch (column) {
    case kStage:
        return QStringLiteral("S%1").arg(stage.id.value);
    case kWork:
        return stage.kind == plan::StageKind::kForward ? tr("forward")
               : stage.kind == plan::StageKind::kFused ? tr("forward + loss + backward")
                                                       : tr("recompute + backward");
    case kLayers:
        return stage.layers.size() == 1 ? name(stage.layers.begin)
                                        : tr("%1 to %2").arg(name(stage.layers.begin), name(stage.layers.end - 1));
    case kDevice:
        return deviceText(*m_plan, stage);
    default: {
        int64_t bytes = 0;
        for (int32_t l = stage.layers.begin; l < stage.layers.end; ++l)
            bytes += m_plan->layerBytes[static_cast<std::size_t>(l)];
        return translations::bytesText(bytes);
    }
    }
}

} // namespace roundpipe::ui::models
