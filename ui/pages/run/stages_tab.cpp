// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/stages_tab.h"

#include "ui/models/stages_model.h"
#include "ui/theme/table_row.h"
#include "ui/widgets/partition_strip.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {

StagesTab::StagesTab(const theme::ThemeManager& themes, QWidget* parent)
    : QWidget(parent), m_model(new models::StagesModel(this)), m_partition(new widgets::PartitionStrip(themes)) {
    auto* table = new QTableView;
    table->setModel(m_model);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setAccessibleName(tr("Stages"));
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(theme::kTableRow);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->horizontalHeader()->setHighlightSections(false);
    m_partition->setAccessibleName(tr("Layer partition"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_partition);
    column->addWidget(table, 1);
}

void StagesTab::setPlan(const std::shared_ptr<const session::RunPlan>& plan) {
    m_model->setPlan(plan);
    m_partition->setPlan(plan);
}

} // namespace roundpipe::ui::pages
