// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/queue/results_card.h"

#include "ui/theme/table_row.h"
#include "ui/widgets/one_line.h"
#include "ui/widgets/roomy_items.h"
#include "ui/widgets/sorted_header.h"
#include "ui/widgets/whole_rows_place.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kMostOfGridName = 30; // characters

} // namespace

ResultsCard::ResultsCard(const theme::ThemeManager& themes, QWidget* parent)
    : Card(tr("What came of it"), parent)
    , m_model(new ResultsModel(themes, this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_table(new QTableView)
    , m_grids(new QComboBox)
    , m_open(new QPushButton(tr("Show in Runs")))
    , m_problem(new QLabel) {
    m_grids->setAccessibleName(tr("Grid"));
    m_grids->setToolTip(tr("Whose runs are shown"));
    m_grids->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_open->setToolTip(tr("Curves, settings and journal of this run (Return)"));
    titleRow()->addWidget(m_grids);
    titleRow()->addWidget(m_open);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(ResultsModel::kSortRole);
    m_table->setModel(m_sorted);
    m_table->setHorizontalHeader(new widgets::SortedHeader);
    m_table->setAccessibleName(tr("What came of it"));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(ResultsModel::kValidation, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setItemDelegate(new widgets::RoomyItems(m_table));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(theme::kTableRow);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(ResultsModel::kName, QHeaderView::Stretch);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    body()->addWidget(new widgets::WholeRowsPlace(*m_table), 1);
    body()->addWidget(m_problem);
    auto* open = new QAction(this);
    open->setShortcut(Qt::Key_Return);
    open->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(open);
    connect(open, &QAction::triggered, this, &ResultsCard::open);
    connect(m_open, &QPushButton::clicked, this, &ResultsCard::open);
    connect(m_table, &QTableView::doubleClicked, this, &ResultsCard::open);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ResultsCard::showCurrent);
    connect(m_grids, &QComboBox::currentIndexChanged, this, &ResultsCard::showRuns);
    showCurrent();
}

void ResultsCard::setRuns(const std::vector<bridge::QueueView::Begun>& runs) {
    m_runs = runs;
    showGrids();
    showRuns();
}

// The newest first, after all of them together.
void ResultsCard::showGrids() {
    QStringList names;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run)
        if (const QString name = QString::fromStdString(run->entry.sweep); !name.isEmpty() && !names.contains(name))
            names.append(name);
    QStringList shown;
    for (int i = 1; i < m_grids->count(); ++i)
        shown.append(m_grids->itemData(i).toString());
    if (names == shown && m_grids->count() > 0) return;
    const QSignalBlocker quiet(m_grids);
    const QString chosen = m_grids->currentData().toString();
    m_grids->clear();
    m_grids->addItem(tr("All runs of the queue"), QString());
    for (const QString& name : names)
        m_grids->addItem(
            widgets::inOneLine(name.size() > kMostOfGridName ? name.left(kMostOfGridName) + QChar(0x2026) : name),
            name);
    m_grids->setCurrentIndex(std::max(0, m_grids->findData(chosen)));
    m_grids->setVisible(!names.empty());
}

void ResultsCard::showRuns() {
    const std::string grid = m_grids->currentData().toString().toStdString();
    std::vector<bridge::QueueView::Begun> shown;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run) // equal ones: the newest first
        if (grid.empty() || run->entry.sweep == grid) shown.push_back(*run);
    const bridge::QueueView::Begun* before = current();
    const int64_t number = before != nullptr ? before->entry.number : 0;
    m_model->setRuns(std::move(shown));
    if (!m_table->currentIndex().isValid() && m_sorted->rowCount() > 0) {
        int row = 0;
        for (int i = 0; i < m_sorted->rowCount(); ++i)
            if (m_model->run(m_sorted->mapToSource(m_sorted->index(i, 0)).row()).entry.number == number) row = i;
        m_table->selectRow(row);
    }
    showCurrent();
}

const bridge::QueueView::Begun* ResultsCard::current() const {
    const QModelIndex index = m_sorted->mapToSource(m_table->currentIndex());
    return index.isValid() ? &m_model->run(index.row()) : nullptr;
}

void ResultsCard::showCurrent() {
    const bridge::QueueView::Begun* run = current();
    m_open->setEnabled(run != nullptr && run->run);
    const QString problem = run != nullptr ? ResultsModel::problemOf(*run) : QString();
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void ResultsCard::open() {
    const bridge::QueueView::Begun* run = current();
    if (run != nullptr && run->run) emit runWanted(run->run->folder);
}

} // namespace roundpipe::ui::pages
